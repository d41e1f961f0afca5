"""`qtable`: bidding of two hands learned as tables of values (Prorok's Q-tables)."""
