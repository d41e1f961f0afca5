"""MiniBridge at notrump on ints: deals, contracts, rule-based defenders, what an agent sees."""
