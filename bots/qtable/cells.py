"""What the tables know of a hand: its cell, for the improved ones, and Prorok's shape and strength.

The cell of a hand is its exact shape times `LEVELS` plus its learned points as a whole number. The
points of a card are its value in tricks in the best denomination, scaled so that a suit has ten.
They are fitted by least squares on solved deals, together with the lengths of the suits. An ace is
worth more than four points, and a ten has a value too.

Openings are those of Prorok's tables (Large Scale Q-tables, section 3.1), which know one of 128
shapes and one of sixteen strengths. The shapes have no suit of more than six cards and are not of
the patterns 5440, 5530, 6511, 6430 or 6520, nor of 6610; he does not name the last, but only
without it are there 128. They are written spades first, in descending order: 6421, 6412 ... 1246. A
hand's state is its shape times 16 plus its strength.
"""

from __future__ import annotations

from functools import lru_cache
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


CARD_POINTS = (0.0,) * 7 + (0.15, 0.36, 0.73, 1.51, 2.81, 4.44)
"""The points of the cards from 2 to ace."""

LEVELS = 30
"""The number of strengths: 0 to 29, the last for all higher ones too."""

ALL_SHAPES = tuple(
    (spades, hearts, diamonds, 13 - spades - hearts - diamonds)
    for spades, hearts, diamonds in product(range(13, -1, -1), repeat=3)
    if spades + hearts + diamonds <= 13
)
"""The 560 shapes: cards in spades, hearts, diamonds, clubs."""

CELLS = len(ALL_SHAPES) * LEVELS

Cells = NDArray[np.int64]
"""The cell of each hand."""


def learned_points(hands: Hands) -> NDArray[np.float64]:
    """Return the points of each hand by `CARD_POINTS`."""
    # Sums of hundredths are exact, whatever their order; halves of points are common.
    hundredths = np.rint(100 * np.tile(CARD_POINTS, 4))
    sums: NDArray[np.float64] = hands @ hundredths / 100
    return sums


def cells(hands: Hands) -> Cells:
    """Return the cell of each hand."""
    level = np.minimum(np.rint(learned_points(hands)).astype(np.int64), LEVELS - 1)
    return _shapes(hands) * LEVELS + level


def opening_steps(hands: Hands, openings: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the opening of each hand by a table for 128 shapes."""
    # A hand of another shape is opened as the nearest of them (by the squared differences of the
    # lengths) with the same longest suit.
    strength = np.searchsorted(STARTS, points(hands), side="right") - 1
    states = _nearest_shapes()[_shapes(hands)] * STRENGTHS + strength
    steps: NDArray[np.int64] = openings[states].astype(np.int64)
    return steps


def _shapes(hands: Hands) -> NDArray[np.int64]:
    held = lengths(hands)
    return _numbers()[held[:, 3], held[:, 2], held[:, 1]]


@lru_cache(maxsize=1)
def _numbers() -> NDArray[np.int64]:
    """Return the number of each shape, by its spades, hearts and diamonds."""
    numbers = np.zeros((14, 14, 14), np.int64)
    for number, (spades, hearts, diamonds, _) in enumerate(ALL_SHAPES):
        numbers[spades, hearts, diamonds] = number
    return numbers


@lru_cache(maxsize=1)
def _nearest_shapes() -> NDArray[np.int64]:
    """Return the one of the 128 shapes that is nearest to each shape."""
    return np.array([_nearest(shape) for shape in ALL_SHAPES])


def _nearest(shape: tuple[int, ...]) -> int:
    longest = shape.index(max(shape))

    def distance(number: int) -> tuple[bool, int]:
        other = SHAPES[number]
        misses = sum((one - two) ** 2 for one, two in zip(shape, other, strict=True))
        return other[longest] < max(other), misses

    return min(range(len(SHAPES)), key=distance)
