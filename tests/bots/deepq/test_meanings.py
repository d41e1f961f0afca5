"""What the bids of deepq's networks mean, learned from their own auctions."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.deepq.meanings import learned
from bridge_arena.bots.deepq.net import shipped


def test_each_batch_of_auctions_is_told() -> None:
    told: list[int] = []
    found = learned(shipped(), np.random.default_rng(1), 4000, told.append, batch=2000)
    assert told == [0, 2000, 4000]
    assert len(found) > 0
