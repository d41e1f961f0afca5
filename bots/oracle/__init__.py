"""`oracle`: sees all four hands and plays double dummy; a cheat, for comparison only."""
