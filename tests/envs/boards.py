"""Solved deals for tests of the environments, without the solver."""

from __future__ import annotations

import numpy as np

from bridge_arena.bridge.board import random_deal
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import SolvedDeals


def solved(number: int, seed: int = 1) -> SolvedDeals:
    """Random deals with tables that could be theirs: only their sums are right."""
    rng = np.random.default_rng(seed)
    tables = []
    for _ in range(number):
        ns = rng.integers(0, 14, 5)
        tricks = np.stack([ns, 13 - ns, ns, 13 - ns], axis=1)
        tables.append(DoubleDummyTable(tuple(int(each) for each in tricks.ravel())))
    return SolvedDeals.of([random_deal(seed, number + 1) for number in range(number)], tables)
