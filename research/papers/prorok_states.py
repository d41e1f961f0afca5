"""The states of Prorok's own tables: one of 128 shapes times sixteen strengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points
from bridge_arena.bots.qtable.cells import SHAPES, STARTS, STRENGTHS

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
    state = np.where(shape >= 0, shape * STRENGTHS + _STRENGTH_OF[points(hands)], NO_STATE)
    return state.astype(np.int16)
