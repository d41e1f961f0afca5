"""What bots that learn share: hands and scores as arrays, and the folder of a training run."""
