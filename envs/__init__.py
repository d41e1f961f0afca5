"""Environments for learning: the game for PettingZoo, and thousands of auctions at once in numpy.

`aec` has the PettingZoo environment, which needs the extra `envs`; `bidding` has the vectorised
one. What a seat sees as an array, and the numbers of the actions, are in `bots.library`, where the
bots of `bots.adapters` find them too.
"""
