"""Make the pairs of hands to train and to test the networks of Yeh, Hsieh and Lin.

There are as many as in the paper, all equally likely, with costs in IMPs by the estimate of tricks
over five layouts of the other hands each. They are kept in a file, so that all units of a grid have
the same pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from bridge_arena.bots.deepq.training import Labels
from bridge_arena.bots.library.learning.hands import random_pairs, spades_first
from bridge_arena.bots.library.learning.pairs import Pairs, read_pairs, write_pairs
from bridge_arena.bots.library.tricks.net import shipped
from research.papers.yeh_training import Deals

SEED = 2016
LAYOUTS = 5
_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of pairs."""

    training: int = 100_000
    validation: int = 20_000
    test: int = 20_000

    @property
    def all(self) -> int:
        return self.training + self.validation + self.test


@dataclass(frozen=True, slots=True)
class Data:
    training: Deals
    validation: Deals
    test: Deals


def read_data(path: Path, numbers: Numbers) -> Data:
    """Read the pairs of a file, or make the file. Raises PairsError, OSError."""
    if not path.exists():
        write_pairs(path, estimated(numbers.all))
    deals = deals_of(read_pairs(path))
    if len(deals) != numbers.all:
        raise ValueError(f"{path} holds {len(deals)} pairs, not {numbers.all}")
    first, second = numbers.training, numbers.training + numbers.validation
    return Data(
        *(
            Deals(deals.hands[start:end], deals.costs[start:end])
            for start, end in ((0, first), (first, second), (second, numbers.all))
        )
    )


def deals_of(pairs: Pairs) -> Deals:
    return Deals(torch.from_numpy(pairs.hands).float(), torch.from_numpy(pairs.costs))


def estimated(number: int) -> Pairs:
    """Return random pairs, with costs by the estimate of tricks."""
    rng = np.random.default_rng(SEED)
    torch.manual_seed(SEED)
    labels = Labels(shipped(), LAYOUTS)
    hands, costs = [], []
    for start in range(0, number, _AT_ONCE):
        two = random_pairs(rng, min(_AT_ONCE, number - start))
        costs.append(labels.costs(*two).numpy())
        hands.append(np.stack([spades_first(each) for each in two], axis=1).astype(np.uint8))
    return Pairs(np.concatenate(hands), np.concatenate(costs))
