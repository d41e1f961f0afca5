"""Where the auctions of two tables part that hold the same cards.

An arm is compared with its opponent, whose seats it has in the other room, or with another arm,
which has the same seats in the same room. The auctions of two such tables part at the first call
that differs, and all that the two tables make of the board belongs to that divergence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.lab.bidding import Bid, padded
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import Match

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tables(Bid):
    """One table on each of m boards."""

    rooms: Whole  # the room, m: 0 for the open one

    @classmethod
    def at(cls, bid: Bid, rows: NDArray[np.integer], rooms: Whole) -> Tables:
        at = rows, rooms
        return cls(bid.calls[at], bid.bid[at], bid.risk[at], bid.declarer[at], rooms)


@dataclass(frozen=True, slots=True)
class Divergences:
    """m divergences of an arm's auctions from those of another bidder with the same cards."""

    # The rows of the boards, m; a board is there once or, if two arms part in both rooms, twice.
    rows: Whole
    turns: Whole  # the place of the call that differs, m, from 0
    seats: Whole  # the seat that makes it, m: 0 for North, clockwise
    sides: Whole  # the side of the arm and of the other bidder, m: 0 for North-South
    own: Tables  # the arm's tables
    other: Tables  # the other bidder's tables
    # What the arm gained, m, in IMPs; the sum over a board is the board's.
    imps: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_own(self) -> NDArray[np.bool_]:
        """Whether the call that differs is the arm's, m, and not that of its opponents."""
        is_own: NDArray[np.bool_] = self.seats % 2 == self.sides
        return is_own


def from_the_opponent(boards: LabBoards, match: Match) -> Divergences:
    """Return where an arm's auctions part from its opponent's in the other room, once a board."""
    rows, turns = _first_differences(match.bid.calls[:, 0], match.bid.calls[:, 1])
    seats = (boards.dealers[rows] + turns) % 4
    sides = seats % 2
    return Divergences(
        rows,
        turns,
        seats,
        sides,
        Tables.at(match.bid, rows, sides),
        Tables.at(match.bid, rows, 1 - sides),
        match.imps[rows].astype(np.float64),
    )


def from_another_arm(boards: LabBoards, match: Match, other: Match) -> Divergences:
    """Return where an arm's auctions part from those of another arm in the same room.

    There is at most one in each room of a board. What the arm gained on a board belongs to the room
    where the contracts of the two arms differ. If they differ in both, half of it belongs to each.
    """
    # Both rooms at once: those of the open room stand first.
    both = [arm.bid.calls.swapaxes(0, 1).reshape(2 * len(boards), -1) for arm in (match, other)]
    places, turns = _first_differences(*both)
    rooms, rows = np.divmod(places, len(boards))
    own, others = Tables.at(match.bid, rows, rooms), Tables.at(other.bid, rows, rooms)
    changed = own.contracts != others.contracts
    rooms_changed = np.bincount(rows, changed, minlength=len(boards))[rows]
    return Divergences(
        rows,
        turns,
        (boards.dealers[rows] + turns) % 4,
        rooms,  # an arm sits North-South, side 0, in the open room, room 0
        own,
        others,
        (match.imps - other.imps)[rows] * changed / np.maximum(rooms_changed, 1),
    )


def _first_differences(
    one: NDArray[np.int8], other: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows in which two arrays of calls differ, and the first place in each."""
    longest = max(one.shape[1], other.shape[1])
    differs = padded(one, longest) != padded(other, longest)
    rows = np.flatnonzero(differs.any(axis=1))
    return rows, differs[rows].argmax(axis=1) if len(rows) else rows
