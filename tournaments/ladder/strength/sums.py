"""What a ladder keeps of the matches of two versions: sums, so that no board is ever read again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.record import Room
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.schedule.plan import withdrawn
from bridge_arena.tournaments.schedule.scores import AVERAGE_PLUS_IMPS, swing
from bridge_arena.tournaments.schedule.splits import Split, split_of
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, team_at

MOST_IMPS = 24
"""The largest swing of a board."""

SWINGS = range(-MOST_IMPS, MOST_IMPS + 1)
"""The possible swings of a board; a list of their numbers is in this order."""

Pair = tuple[int, int]
"""The numbers of two versions, the one that came first in front."""


def _none() -> tuple[int, ...]:
    return (0,) * len(SWINGS)


@dataclass(frozen=True, slots=True)
class PairSums:
    """The sums of matches between two versions, seen from the first."""

    swings: tuple[int, ...] = field(default_factory=_none)  # the number of boards by `SWINGS`
    matches: int = 0
    first_home: int = 0  # the matches in which the first was the home team
    seconds: float = 0.0  # the time that they took
    left: tuple[int, int] = (0, 0)  # the boards that count against each, as it left them
    faults: tuple[int, int] = (0, 0)  # the faults of each
    # The boards whose IMPs are split by cause, as both rooms ended and the solver has valued them.
    split_boards: int = 0

    @property
    def boards(self) -> int:
        """The number of boards."""
        return sum(self.swings)

    @property
    def imps(self) -> int:
        """The IMPs of the first version."""
        return sum(imps * boards for imps, boards in zip(SWINGS, self.swings, strict=True))

    def __add__(self, other: Self) -> PairSums:
        """Return the sums of both."""
        return PairSums(
            tuple(a + b for a, b in zip(self.swings, other.swings, strict=True)),
            self.matches + other.matches,
            self.first_home + other.first_home,
            self.seconds + other.seconds,
            (self.left[0] + other.left[0], self.left[1] + other.left[1]),
            (self.faults[0] + other.faults[0], self.faults[1] + other.faults[1]),
            self.split_boards + other.split_boards,
        )

    def turned(self) -> PairSums:
        """Return the same sums seen from the second version."""
        return replace(
            self,
            swings=self.swings[::-1],
            first_home=self.matches - self.first_home,
            left=self.left[::-1],
            faults=self.faults[::-1],
        )


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sums(Mapping[Pair, PairSums]):
    """The sums of all pairs that have met, in columns of the same order."""

    pairs: Numbers  # of shape (pairs, 2)
    swings: Numbers  # of shape (pairs, 49)
    matches: Numbers
    first_home: Numbers
    seconds: NDArray[np.float64]
    left: Numbers  # of shape (pairs, 2)
    faults: Numbers  # of shape (pairs, 2)
    split_boards: Numbers

    @classmethod
    def of(cls, sums: Mapping[Pair, PairSums]) -> Sums:
        """Put sums into columns, unless they are."""
        if isinstance(sums, Sums):
            return sums
        every = sums.values()
        return cls(
            np.array([*sums], np.int64).reshape(-1, 2),
            np.array([one.swings for one in every], np.int64).reshape(-1, len(SWINGS)),
            np.array([one.matches for one in every], np.int64),
            np.array([one.first_home for one in every], np.int64),
            np.array([one.seconds for one in every], np.float64),
            np.array([one.left for one in every], np.int64).reshape(-1, 2),
            np.array([one.faults for one in every], np.int64).reshape(-1, 2),
            np.array([one.split_boards for one in every], np.int64),
        )

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs."""
        yield from map(tuple, self.pairs.tolist())

    def __getitem__(self, pair: Pair) -> PairSums:
        """Return the sums of a pair. Raises KeyError."""
        rows = np.flatnonzero((self.pairs == pair).all(axis=1))
        if not len(rows):
            raise KeyError(pair)
        row = int(rows[0])
        left, faults = self.left[row].tolist(), self.faults[row].tolist()
        return PairSums(
            tuple(self.swings[row].tolist()),
            int(self.matches[row]),
            int(self.first_home[row]),
            float(self.seconds[row]),
            (left[0], left[1]),
            (faults[0], faults[1]),
            int(self.split_boards[row]),
        )


class MatchResult(NamedTuple):
    """What a match that is over counts, seen from the home team."""

    sums: PairSums
    splits: list[Split]  # of the boards that have one
    # The swing of each board in order; None for one that does not count, or was not played.
    swings: list[int | None]


def match_result(
    event: Event,
    results: Iterable[tuple[str, Played]],
    seconds: float = 0.0,
    leaving: Collection[int] = (),
) -> MatchResult:
    """Return what one match counts.

    A board counts when both rooms are done with it. A board that is adjusted counts as the policies
    have it; so do the boards that a team left unplayed which was withdrawn, and a board that was
    begun when a team left for good.

    Args:
        event: The event of the match.
        results: The tables of its units, by their ids, with the values that the solver has given.
        seconds: The time that it took.
        leaving: The teams that left for good before its end, as they wished.
    """
    every = dict(results)
    records = [played.record for played in every.values()]
    rooms: defaultdict[int, list[Played]] = defaultdict(list)
    for unit, played in every.items():
        rooms[_position(unit)].append(played)
    numbers, left, faults = list(_none()), [0, 0], [0, 0]
    splits: list[Split] = []
    swings: list[int | None] = []
    gone = sorted(withdrawn(event, records))
    for position in range(1, event.boards + 1):
        tables = [played.record for played in rooms[position]]
        worth = swing(tables)
        at_fault = {team_at(one.adjusted, one.room) for one in tables if one.adjusted is not None}
        if worth is not None:
            imps = worth.imps
        else:
            # Nobody is to choose by the first room whether a board counts.
            begun = at_fault.union(leaving) if tables and leaving else set()
            at_fault = set(gone) or begun
            if not at_fault:
                swings.append(None)
                continue
            imps = AVERAGE_PLUS_IMPS * ((VISITORS in at_fault) - (HOME in at_fault))
        swings.append(imps if tables else None)
        numbers[imps + MOST_IMPS] += 1
        if worth is not None and not worth.adjusted:
            of_rooms = {played.record.room: played for played in rooms[position]}
            split = split_of(of_rooms[Room.OPEN], of_rooms[Room.CLOSED])
            splits += [] if split is None else [split]
        for team in at_fault:
            left[team] += 1
    for record in records:
        for fault in record.faults:
            faults[team_at(fault.seat.side, record.room)] += 1
    sums = PairSums(
        tuple(numbers),
        1,
        1,
        seconds,
        (left[HOME], left[VISITORS]),
        (faults[HOME], faults[VISITORS]),
        len(splits),
    )
    return MatchResult(sums, splits, swings)


def _position(unit: str) -> int:
    return int(unit.split("/")[2])
