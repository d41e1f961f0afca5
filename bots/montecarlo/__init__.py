"""`montecarlo`: solves many layouts of the hidden cards, double dummy."""
