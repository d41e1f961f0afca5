"""Pairs of hands with costs, for tests of what reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bridge_arena.bots.library.learning.hands import random_pairs, spades_first
from bridge_arena.bots.library.learning.pairs import Pairs, write_pairs


def pairs_file(path: Path, number: int) -> Path:
    """A file of random pairs that every contract costs its number."""
    hands = random_pairs(np.random.default_rng(1), number)
    shown = np.stack([spades_first(each) for each in hands], axis=1)
    write_pairs(path, Pairs(shown.astype(np.uint8), np.tile(np.arange(36.0), (number, 1))))
    return path
