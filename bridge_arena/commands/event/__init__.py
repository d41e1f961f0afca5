"""`arena event`: event files, and the events that are played from them."""
