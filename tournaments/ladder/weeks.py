"""The form of each version on a ladder: what it gained beyond what was expected, week by week.

What is expected of a match follows from all boards before it. Form is kept in sums, which change in
the transaction that ends a match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from math import sqrt

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.sums import SWINGS, PairSums
from bridge_arena.tournaments.statistics.significance import two_sided_t
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderWeekRow

FORM_BOARDS = 100
"""Form is that of the last weeks that have at least so many boards together."""

LATEST = 6
"""The weeks, with boards of anybody, of which a leaderboard tells."""

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Performance:
    """What a version did on some boards, in sums; all IMPs are seen from it."""

    boards: int = 0
    imps: int = 0
    squares: int = 0  # of the boards' IMPs
    expected: float = 0.0  # the IMPs that were expected before each match

    def __add__(self, other: Performance) -> Performance:
        """Return the sums of both."""
        return Performance(*(getattr(self, name) + getattr(other, name) for name in _SUMS))

    def turned(self) -> Performance:
        """Return what the opponents did on the same boards."""
        return replace(self, imps=-self.imps, expected=-self.expected)

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


_SUMS = [attribute.name for attribute in fields(Performance)]


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


def performances(sums: PairSums, expected: float | None) -> tuple[Performance, Performance]:
    """Return what the home team and the visitors did in a match.

    Args:
        sums: The sums of the match, seen from the home team.
        expected: The IMPs a board that were expected of the home team; None if that was not known,
            and it counts as played as expected.
    """
    squares = sum(imps**2 * boards for imps, boards in zip(SWINGS, sums.swings, strict=True))
    likely = sums.imps if expected is None else expected * sums.boards
    home = Performance(sums.boards, sums.imps, squares, likely)
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
            values = asdict(performance)
            more = {name: getattr(LadderWeekRow, name) + values[name] for name in values}
            key = {"ladder": self._ladder, "version": version, "week": week}
            of_week = update(LadderWeekRow).filter_by(**key)
            if not connection.execute(of_week.values(more)).rowcount:
                connection.execute(insert(LadderWeekRow), [{**key, **values}])

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
