"""What learning bots share: hands and scores as arrays, and the folder of a training run."""
