"""`natural`: a Standard American bidding system, written as tables of rules."""
