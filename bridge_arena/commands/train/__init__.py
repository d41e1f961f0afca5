"""`arena train`: the training of the bots that learn."""
