"""Bidding learned by deep Q-networks, two partners alone (Yeh, Hsieh and Lin, 2016)."""
