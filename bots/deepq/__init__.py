"""Bidding learned by deep Q-networks for two partners alone (Yeh, Hsieh and Lin, 2016)."""

FEWEST = 20
"""The fewest hands for a search; with fewer, the networks decide alone."""
