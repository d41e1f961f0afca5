"""The players of a table of a movement in one round: two pairs, or four players."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table in one round of a pairs movement.

    Attributes:
        table: Its number, from 1.
        ns: The number of the pair that sits North-South, from 0.
        ew: The number of the pair that sits East-West, from 0.
        boards: The number of the set of boards, from 0.
    """

    table: int
    ns: int
    ew: int
    boards: int


@dataclass(frozen=True, slots=True)
class Four:
    """A table in one round of an individual movement.

    Attributes:
        table: Its number, from 1.
        seats: The numbers of the players who sit North, East, South and West, from 0.
        boards: The number of the set of boards, from 0.
    """

    table: int
    seats: tuple[int, int, int, int]
    boards: int
