"""The pairs of an event, ranked by the mean of their matchpoints, cross-IMPs or Butler IMPs.

One observation is one board that a pair played. A pair is identified by its section, number and
names. If there are no names, the same number of North-South and of East-West is one pair, unless
both sat at one board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from bridge_arena.bridge.seats import Side
from bridge_arena.pbn.read.results import Standing
from bridge_arena.recorded.field.findings import BoardFinding, TableFinding
from bridge_arena.tournaments.statistics.means import Mean, RunningMean


class Figure(StrEnum):
    """The figures by which pairs are ranked."""

    PERCENTAGE = "matchpoints"  # of the top, 0 to 100
    CROSS_IMPS = "cross_imps"
    BUTLER = "butler"


BOTH = "both"

_Pair = tuple[str, str, str, str]
"""Section, number, names and direction of a pair."""

_IMP_SCORING = ("IMP", "BUTLER", "CROSS", "CAVENDISH")


@dataclass(frozen=True, slots=True, order=True)
class PairKey:
    file: str
    event: str
    section: str
    pair: str  # the number
    names: str
    direction: str  # NS, EW, or both if the pair sat in both directions


@dataclass(frozen=True, slots=True)
class Ranked:
    key: PairKey
    rank: int  # its rank in its event, or in its direction if every pair of the event kept its own
    ranked_by: Figure
    means: dict[Figure, Mean]
    own: Standing | None  # what the file says of it


@dataclass(slots=True)
class _Event:
    """The pairs of one event, by section, number and names, and by direction or for both."""

    by_imps: bool
    means: dict[_Pair, dict[Figure, RunningMean]] = field(default_factory=dict)
    # The sections in which one number sat in both directions at one board.
    twice: set[str] = field(default_factory=set)


class Pairs:
    """The pairs of events; every board and standing of the files is added before it is asked."""

    def __init__(self) -> None:
        self._events: dict[tuple[str, str], _Event] = {}
        # What the files say of pairs, by file, event, section, and number or names.
        self._own: dict[tuple[str, str, str, str], Standing] = {}
        self.unnamed = 0  # tables, counted for each side, whose pair is not known

    def add_standing(self, file: str, event: str, standing: Standing) -> None:
        """Add what a file says of a pair of an event, or of any event if `event` is empty."""
        for name in filter(None, (standing.pair, standing.names)):
            self._own.setdefault((file, event, standing.section, name), standing)

    @property
    def standings(self) -> set[Standing]:
        """What the files say of pairs."""
        return set(self._own.values())

    def add(self, board: BoardFinding) -> None:
        by_imps = board.field.scoring.upper().startswith(_IMP_SCORING)
        event = self._events.setdefault((board.field.file, board.field.event), _Event(by_imps))
        seated: dict[Side, set[tuple[str, str]]] = {Side.NS: set(), Side.EW: set()}
        for finding in board.tables:
            table = finding.result.table
            for side, pair, names in (
                (Side.NS, table.pair_ns, table.names_ns),
                (Side.EW, table.pair_ew, table.names_ew),
            ):
                if table.multiplicity > 1 or not (pair or names):
                    self.unnamed += table.multiplicity
                    continue
                if pair and not names:
                    seated[side].add((table.section, pair))
                for direction in (side.name, BOTH):
                    _observe(event, (table.section, pair, names, direction), finding, side)
        event.twice |= {section for section, _ in seated[Side.NS] & seated[Side.EW]}

    def rankings(self) -> Iterator[list[Ranked]]:
        """Yield the ranking of each event, or of each direction of it, the best pair first."""
        for (file, name), event in self._events.items():
            figure = Figure.CROSS_IMPS if event.by_imps else Figure.PERCENTAGE
            pairs = list(_pairs(event))
            apart = all(direction != BOTH for *_, direction in pairs)
            groups: dict[str, list[_Pair]] = {}
            for pair in pairs:
                groups.setdefault(pair[3] if apart else "", []).append(pair)
            for _, group in sorted(groups.items(), reverse=True):
                yield list(self._rank(file, name, event, figure, group))

    def _rank(
        self, file: str, name: str, event: _Event, figure: Figure, group: list[_Pair]
    ) -> Iterator[Ranked]:
        means = {
            pair: {kind: running.mean for kind, running in event.means[pair].items()}
            for pair in group
        }
        # A pair without a comparison is last.
        values = {
            pair: -inf if (mean := means[pair][figure].mean) is None else mean for pair in group
        }
        order = sorted(group, key=lambda pair: (-values[pair], pair))
        rank, best_of_rank = 0, inf
        for place, pair in enumerate(order, 1):
            if values[pair] < best_of_rank - 1e-9:
                rank, best_of_rank = place, values[pair]
            key = PairKey(file, name, *pair)
            yield Ranked(key, rank, figure, means[pair], self._standing(key))

    def _standing(self, key: PairKey) -> Standing | None:
        names = ((key.section, key.pair), ("", key.pair), (key.section, key.names), ("", key.names))
        standings = (
            self._own.get((key.file, event, *name))
            for event in (key.event, "")
            for name in names
            if name[1]
        )
        return next(filter(None, standings), None)


def _observe(event: _Event, pair: _Pair, finding: TableFinding, side: Side) -> None:
    sign = 1 if side is Side.NS else -1
    worth = finding.worth
    means = event.means.setdefault(pair, {figure: RunningMean() for figure in Figure})
    if worth.percentage is not None:
        points = worth.percentage if side is Side.NS else 100 - worth.percentage
        means[Figure.PERCENTAGE].add(points)
        means[Figure.CROSS_IMPS].add(sign * float(worth.cross_imps))
        means[Figure.BUTLER].add(sign * worth.butler)


def _pairs(event: _Event) -> Iterator[_Pair]:
    """Yield each pair once, in one direction or in both."""
    for section, pair, names, direction in event.means:
        if direction == BOTH:
            continue
        other = (section, pair, names, "EW" if direction == "NS" else "NS")
        is_apart = not names and section in event.twice
        if other not in event.means or is_apart:
            yield section, pair, names, direction
        elif direction == "NS":
            yield section, pair, names, BOTH
