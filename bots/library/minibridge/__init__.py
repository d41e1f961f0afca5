"""MiniBridge at notrump on ints: deals, contracts, rule-based defenders, states of the game."""
