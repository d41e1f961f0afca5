"""`oracle`: sees all four hands and plays double dummy. A cheat, for yardsticks only."""
