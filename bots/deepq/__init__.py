"""Bidding learned by deep Q-networks for two partners alone (Yeh, Hsieh and Lin, 2016)."""
