"""What each version on a ladder did, week by week: its form, and where its IMPs came from.

Form is what a version gained beyond what was expected before each match. The IMPs of boards that
were played to their end in both rooms are split into the auction and the roles of play. All of it
is sums, which change in the transaction that ends a match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from math import sqrt

from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import Connection, Engine

from bridge_arena.bridge.record import Room
from bridge_arena.oracle.ledger import Role
from bridge_arena.tournaments.ladder.sums import SWINGS, PairSums
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.schedule.scores import swing
from bridge_arena.tournaments.schedule.splits import Split, split_of
from bridge_arena.tournaments.schedule.units import HOME, VISITORS
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
    split_boards: int = 0  # the boards whose IMPs are split as follows
    auction: float = 0.0
    own_opening_lead: float = 0.0  # what its own errors cost; 0 or less
    own_declarer_play: float = 0.0
    own_defence: float = 0.0
    others_opening_lead: float = 0.0  # what it gained by its opponents' errors; 0 or more
    others_declarer_play: float = 0.0
    others_defence: float = 0.0

    def __add__(self, other: Performance) -> Performance:
        """Return the sums of both."""
        return Performance(*(getattr(self, name) + getattr(other, name) for name in _SUMS))

    def turned(self) -> Performance:
        """Return what the opponents did on the same boards."""
        turned = {name: -getattr(self, name) for name in ("imps", "expected", "auction")}
        for role in Role:
            turned[f"own_{role.key}"] = -getattr(self, f"others_{role.key}")
            turned[f"others_{role.key}"] = -getattr(self, f"own_{role.key}")
        return replace(self, **turned)

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
    def causes(self) -> dict[str, float]:
        """The IMPs a board of the auction and of each role, of both sides; they add up."""
        parts = {"auction": self.auction}
        for role in Role:
            own, others = (getattr(self, f"{whose}_{role.key}") for whose in ("own", "others"))
            parts[role.key] = own + others
        return {cause: imps / max(1, self.split_boards) for cause, imps in parts.items()}


_SUMS = [attribute.name for attribute in fields(Performance)]


@dataclass(frozen=True, slots=True)
class History:
    """What a version did since it came, and in the latest weeks."""

    total: Performance = field(default_factory=Performance)
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
    sums: PairSums, tables: Iterable[tuple[str, Played]], expected: float | None
) -> tuple[Performance, Performance]:
    """Return what the home team and the visitors did in a match.

    Args:
        sums: The sums of the match, seen from the home team.
        tables: Its tables by their units, with the solver's values as far as they are known.
        expected: The IMPs a board that were expected of the home team; None if that was not known,
            and it counts as played as expected.
    """
    splits = _splits(tables)
    squares = sum(imps**2 * boards for imps, boards in zip(SWINGS, sums.swings, strict=True))
    likely = sums.imps if expected is None else expected * sums.boards
    auction = sum(split.auction for split in splits)
    parts = (
        sum(split.of(team)[role] for split in splits) for team in (HOME, VISITORS) for role in Role
    )
    home = Performance(sums.boards, sums.imps, squares, likely, len(splits), auction, *parts)
    return home, home.turned()


def _splits(tables: Iterable[tuple[str, Played]]) -> list[Split]:
    """Return the splits of the boards of a match, where both rooms ended and have values."""
    boards: defaultdict[str, dict[Room | None, Played]] = defaultdict(dict)
    for unit, played in tables:
        boards[unit.rsplit("/", 1)[0]][played.record.room] = played
    splits: list[Split] = []
    for rooms in boards.values():
        result = swing(played.record for played in rooms.values())
        if result is not None and not result.adjusted:
            split = split_of(rooms[Room.OPEN], rooms[Room.CLOSED])
            splits += [] if split is None else [split]
    return splits


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
        """Return what each version did that has played."""
        row = LadderWeekRow
        of_ladder = row.ladder == self._ladder
        sums = [func.sum(getattr(row, name)) for name in _SUMS]
        columns = [getattr(row, name) for name in _SUMS]
        totals = select(row.version, *sums).where(of_ladder).group_by(row.version)
        latest = select(row.week).where(of_ladder).distinct().order_by(row.week.desc())
        weeks: defaultdict[int, dict[str, Performance]] = defaultdict(dict)
        with statements(self._engine, "read") as connection:
            names = list(connection.execute(latest.limit(LATEST)).scalars())
            of_weeks = select(row.version, row.week, *columns).where(of_ladder, row.week.in_(names))
            for version, week, *values in connection.execute(of_weeks.order_by(row.week.desc())):
                weeks[version][week] = Performance(*values)
            return {
                version: History(Performance(*values), weeks[version])
                for version, *values in connection.execute(totals)
            }


def week_of(time: str) -> str:
    """Return the week of a time in ISO 8601, as `2026-W09`."""
    year, week, _ = datetime.fromisoformat(time).isocalendar()
    return f"{year}-W{week:02}"
