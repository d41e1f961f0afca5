"""`baseline`: Liao's rule-based player, with simple sound bidding."""
