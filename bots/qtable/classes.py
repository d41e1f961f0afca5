"""What Prorok's tables know of a hand: one of 128 shapes and one of 16 strengths.

See Large Scale Q-tables, section 3.1. The shapes have no suit of more than six cards and are not of
the patterns 5440, 5530, 6511, 6430 or 6520, nor of 6610; he does not name the last, but only
without it are there 128. They are written spades first, in descending order: 6421, 6412 ... 1246. A
hand's state is its shape times 16 plus its strength.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points

_RARE = {(5, 4, 4, 0), (5, 5, 3, 0), (6, 5, 1, 1), (6, 4, 3, 0), (6, 5, 2, 0), (6, 6, 1, 0)}

SHAPES: tuple[tuple[int, int, int, int], ...] = tuple(
    (spades, hearts, diamonds, 13 - spades - hearts - diamonds)
    for spades, hearts, diamonds in product(range(6, -1, -1), repeat=3)
    if 0 <= 13 - spades - hearts - diamonds <= 6
    and tuple(sorted((spades, hearts, diamonds, 13 - spades - hearts - diamonds), reverse=True))
    not in _RARE
)
"""The shapes: cards in spades, hearts, diamonds, clubs."""

STARTS = (0, 4, 7, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28)
"""The fewest high-card points of each strength; the last one ends at 37."""

STRENGTHS = len(STARTS)

STATES = len(SHAPES) * STRENGTHS

NO_STATE = -1
"""The state of a hand whose shape is none of these."""

_STRENGTH_OF = np.searchsorted(STARTS, np.arange(38), side="right") - 1


def states(hands: Hands) -> NDArray[np.int16]:
    """Return the state of each hand, n."""
    held = lengths(hands)
    shape_of = np.full((14, 14, 14), NO_STATE, np.int64)
    for number, (spades, hearts, diamonds, _) in enumerate(SHAPES):
        shape_of[spades, hearts, diamonds] = number
    shape = shape_of[held[:, 3], held[:, 2], held[:, 1]]
    found = np.where(shape >= 0, shape * STRENGTHS + _STRENGTH_OF[points(hands)], NO_STATE)
    return found.astype(np.int16)
