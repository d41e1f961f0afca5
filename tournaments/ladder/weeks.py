"""What the versions on a ladder do: their form, week by week, and where their IMPs come from.

Form is what a version gains beyond what is expected of a match by all boards before it. Both are
kept in sums, which change in the transaction that ends a match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import fsum, sqrt
from operator import add, neg

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection, Engine

from bridge_arena.oracle.ledger import Role
from bridge_arena.tournaments.ladder.sums import SWINGS, PairSums
from bridge_arena.tournaments.schedule.splits import Split
from bridge_arena.tournaments.statistics.significance import two_sided_t
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderVersionRow, LadderWeekRow

Floats = NDArray[np.float64]

CAUSES = ("auction", *(role.key for role in Role))
"""What the IMPs of a board come from: the auction, and the roles of play."""

FORM_BOARDS = 100
"""Form is that of the last weeks that have at least so many boards together."""

LATEST = 6
"""The weeks, with boards of anybody, of which a leaderboard tells."""

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Performance:
    """What a version did on some boards, in sums; all IMPs are seen from it."""

    boards: int = 0  # those of which something was expected; the next three are their sums
    imps: int = 0
    squares: int = 0  # of the boards' IMPs
    expected: float = 0.0  # the IMPs that were expected before each match
    causes: tuple[float, ...] = (0.0,) * len(CAUSES)  # the IMPs of split boards by `CAUSES`

    def __add__(self, other: Performance) -> Performance:
        """Return the sums of both."""
        return Performance(
            self.boards + other.boards,
            self.imps + other.imps,
            self.squares + other.squares,
            self.expected + other.expected,
            tuple(map(add, self.causes, other.causes)),
        )

    def turned(self) -> Performance:
        """Return what the opponents did on the same boards."""
        causes = tuple(map(neg, self.causes))
        return replace(self, imps=-self.imps, expected=-self.expected, causes=causes)

    @property
    def gain(self) -> float:
        """The IMPs a board beyond what was expected."""
        return (self.imps - self.expected) / max(1, self.boards)

    @property
    def error(self) -> float | None:
        """The half of the ordinary interval of the gain; None with fewer than two boards."""
        if self.boards < 2:
            return None
        mean = self.imps / self.boards
        variance = max(0.0, self.squares - self.boards * mean**2) / (self.boards - 1)
        return two_sided_t(_CONFIDENCE, self.boards - 1) * sqrt(variance / self.boards)

    @property
    def gain_text(self) -> str:
        """The gain with the error of its ordinary interval."""
        if not self.boards:
            return "-"
        error = "" if self.error is None else f" ± {self.error:.2f}"
        return f"{self.gain:+.2f}{error}"


_SUMS = "boards", "imps", "squares", "expected"
"""What of it is kept by week."""


@dataclass(frozen=True, slots=True)
class History:
    """What a version did in the latest weeks."""

    weeks: Mapping[str, Performance] = field(default_factory=dict)  # as `2026-W09`, latest first

    @property
    def form(self) -> Performance:
        """Its latest weeks, as many as have `FORM_BOARDS` boards together."""
        form = Performance()
        for week in self.weeks.values():
            if form.boards < FORM_BOARDS:
                form += week
        return form


def performances(
    sums: PairSums, splits: Sequence[Split], expected: float | None
) -> tuple[Performance, Performance]:
    """Return what the home team and the visitors did in a match.

    Args:
        sums: The sums of the match, seen from the home team.
        splits: The splits of its boards.
        expected: The IMPs a board that were expected of the home team; None if that was not known,
            and the match tells nothing of form.
    """
    roles = (fsum(split.first[role] + split.second[role] for split in splits) for role in Role)
    causes = fsum(split.auction for split in splits), *roles
    home = Performance(causes=causes)
    if expected is not None:
        squares = sum(imps**2 * boards for imps, boards in zip(SWINGS, sums.swings, strict=True))
        home = Performance(sums.boards, sums.imps, squares, expected * sums.boards, causes)
    return home, home.turned()


class WeekStore:
    """The weeks of one ladder in its store; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def count(
        self, connection: Connection, week: str, performed: Mapping[int, Performance]
    ) -> None:
        """Add what versions did in a match, in the transaction that ends it."""
        for version, performance in performed.items():
            values = {name: getattr(performance, name) for name in _SUMS}
            more = {name: getattr(LadderWeekRow, name) + values[name] for name in values}
            key = {"ladder": self._ladder, "version": version, "week": week}
            of_week = update(LadderWeekRow).filter_by(**key)
            if not connection.execute(of_week.values(more)).rowcount:
                connection.execute(insert(LadderWeekRow), [{**key, **values}])
            imps = zip(CAUSES, performance.causes, strict=True)
            causes = {cause: getattr(LadderVersionRow, cause) + own for cause, own in imps}
            of_version = update(LadderVersionRow).filter_by(ladder=self._ladder, number=version)
            connection.execute(of_version.values(causes))

    def causes(self) -> Floats:
        """Return the IMPs of all versions by `CAUSES`, of shape (versions, 4)."""
        columns = (getattr(LadderVersionRow, cause) for cause in CAUSES)
        of_ladder = select(*columns).where(LadderVersionRow.ladder == self._ladder)
        with statements(self._engine, "read") as connection:
            rows = connection.execute(of_ladder.order_by(LadderVersionRow.number))
            return np.array([tuple(row) for row in rows], np.float64).reshape(-1, len(CAUSES))

    def histories(self) -> dict[int, History]:
        """Return what each version did that has played in the latest weeks."""
        row = LadderWeekRow
        of_ladder = row.ladder == self._ladder
        columns = [getattr(row, name) for name in _SUMS]
        latest = select(row.week).where(of_ladder).distinct().order_by(row.week.desc())
        weeks: defaultdict[int, dict[str, Performance]] = defaultdict(dict)
        with statements(self._engine, "read") as connection:
            names = list(connection.execute(latest.limit(LATEST)).scalars())
            of_weeks = select(row.version, row.week, *columns).where(of_ladder, row.week.in_(names))
            for version, week, *values in connection.execute(of_weeks.order_by(row.week.desc())):
                weeks[version][week] = Performance(*values)
        return {version: History(own) for version, own in weeks.items()}


def week_of(time: str) -> str:
    """Return the week of a time in ISO 8601, as `2026-W09`."""
    year, week, _ = datetime.fromisoformat(time).isocalendar()
    return f"{year}-W{week:02}"
