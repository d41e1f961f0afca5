"""Who sits at a table of a movement in one round: two pairs, or four players."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sitting:
    """At a table (from 1) pair `ns` meets pair `ew` on a set of boards (from 0)."""

    table: int
    ns: int
    ew: int
    boards: int


@dataclass(frozen=True, slots=True)
class Four:
    """At a table (from 1) players sit as North, East, South, West at a set of boards
    (from 0)."""

    table: int
    seats: tuple[int, int, int, int]
    boards: int
