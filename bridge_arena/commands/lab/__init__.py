"""`arena lab`: what is bid, what is played, and where the results go."""
