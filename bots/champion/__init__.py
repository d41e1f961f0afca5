"""`champion`: the best bidding with the best play, by a budget of seconds for each action."""
