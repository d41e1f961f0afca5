"""What an entry of a pairs or individual event scored on each board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np

from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.tables import SeatedTable, TablesOfBoard
from bridge_arena.tournaments import Event
from bridge_arena.tournaments.schedule.standings import Standing
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean


@dataclass(frozen=True, slots=True)
class Line:
    """A board of an entry's scorecard."""

    board: TablesOfBoard
    place: int  # the place of the table among those of the board
    seat: Seat  # of a pair, its first
    partner: str  # "" for a pair
    opponents: str
    score: float  # by the event's scoring
    imps: float | None  # cross-IMPs; None if no other table finished the board

    @property
    def table(self) -> SeatedTable:
        return self.board.tables[self.place]


def lines_of(event: Event, boards: Iterable[TablesOfBoard]) -> Mapping[str, Sequence[Line]]:
    """Return the boards of every entry of a pairs or individual event that have a score."""
    lines: dict[str, list[Line]] = {entrant.name: [] for entrant in event.entries}
    for board in boards:
        for place, score in enumerate(board.scores):
            if score is None:
                continue
            names = board.tables[place].names
            for name in dict.fromkeys(names):  # a pair counts once for both seats
                seat = SEATS[names.index(name)]
                is_ns = seat.side is Side.NS
                partner = names[seat.partner]
                others = dict.fromkeys((names[seat.next], names[seat.previous]))
                lines[name].append(
                    Line(
                        board,
                        place,
                        seat,
                        "" if partner == name else partner,
                        " and ".join(others),
                        score.north_south if is_ns else score.east_west,
                        None if score.imps is None else score.imps_of(seat.side),
                    )
                )
    return lines


def score_of(sums: Sums, standing: Standing) -> Mean:
    """Return the mean score of a board in the standings, with its standard error.

    The error is not known if boards count that were not played against a withdrawn entry.
    """
    own = sums.scores[sums.scores["entry"] == standing.entry]
    mean = clustered_mean(zip(own["deal"].tolist(), own["score"].tolist(), strict=True))
    is_all = isclose(mean.mean or 0.0, standing.score, abs_tol=1e-9)
    return mean if is_all else Mean(mean.n, standing.score, None)


def cross_imps_of(sums: Sums, entry: int) -> Mean:
    """Return the mean cross-IMPs of a board, with its standard error."""
    own = sums.scores[(sums.scores["entry"] == entry) & ~np.isnan(sums.scores["imps"])]
    return clustered_mean(zip(own["deal"].tolist(), own["imps"].tolist(), strict=True))
