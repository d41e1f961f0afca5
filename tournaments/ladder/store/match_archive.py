"""The matches of a ladder that are over, in its store: the latest ones, and the boards of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, or_, select
from sqlalchemy.engine import Engine

from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.strength.sums import Pair
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.database import statements, transaction
from bridge_arena.tournaments.store.models import (
    EventRow,
    LadderMatchRow,
    LadderOrderRow,
    LadderRow,
)


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that is over."""

    number: int  # its number in the ladder, from 1
    versions: tuple[int, int]  # the home team and the visitors
    boards: int  # the boards that count
    imps: int  # their IMPs, seen from the home team
    ended: str  # when, in ISO 8601


@dataclass(frozen=True, slots=True)
class Proof:
    """What a match proved: versions that are surely stronger than others, or beat them."""

    match: int  # its number
    ended: str  # when it was over, in ISO 8601
    orders: tuple[Pair, ...]  # the stronger version first


class MatchArchive:
    """The matches of one ladder that are over; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder
        self._over = select(LadderMatchRow).where(
            LadderMatchRow.ladder == ladder, LadderMatchRow.is_over.is_(True)
        )

    def latest(
        self,
        count: int,
        versions: Collection[int] | None = None,
        before: int | None = None,
        against: Collection[int] | None = None,
    ) -> list[EndedMatch]:
        """Return the last matches that were drawn and are over, the latest first.

        Args:
            count: How many.
            versions: Those of which one has played; None for any.
            before: The number below which their numbers are; None for any.
            against: Those of which one was its opponent; None for any.
        """
        rows = self._over.order_by(LadderMatchRow.number.desc()).limit(count)
        for own in (versions, against):
            if own is not None:
                row = LadderMatchRow
                rows = rows.where(or_(row.home.in_(own), row.visitors.in_(own)))
        if before is not None:
            rows = rows.where(LadderMatchRow.number < before)
        with transaction(self._engine, "read") as session:
            return list(map(_ended_match, session.scalars(rows)))

    def ended(self, number: int) -> EndedMatch | None:
        """Return a match by its number; None if none of this number is over."""
        with transaction(self._engine, "read") as session:
            row = session.scalar(self._over.where(LadderMatchRow.number == number))
            return None if row is None else _ended_match(row)

    def since(self, last: int, begun: Collection[int]) -> tuple[list[EndedMatch], list[int]]:
        """Return the matches that have ended since an earlier look, and those that go on.

        Args:
            last: The largest number of a match at that look.
            begun: The numbers of those that went on then.

        Returns:
            The matches in the order in which they ended, and the numbers of those that go on now.
        """
        row = LadderMatchRow
        # Each by an index of its own; a match that had begun is not above the last one.
        later, earlier = row.number > last, row.number.in_(begun)
        with transaction(self._engine, "read") as session:
            rows = [
                one
                for known in (later, earlier)
                for one in session.scalars(select(row).where(row.ladder == self._ladder, known))
            ]
            ended = [_ended_match(one) for one in rows if one.is_over]
            still_open = [one.number for one in rows if not one.is_over]
        return sorted(ended, key=lambda match: (match.ended, match.number)), still_open

    def proofs(self, count: int) -> list[Proof]:
        """Return what the last matches proved that proved something, the latest first."""
        order, match = LadderOrderRow, LadderMatchRow
        of_ladder = select(order.match).where(order.ladder == self._ladder).distinct()
        columns = select(order.match, match.ended, order.ahead, order.behind)
        of_matches = (match.ladder == order.ladder) & (match.number == order.match)
        orders: defaultdict[tuple[int, str], list[Pair]] = defaultdict(list)
        with transaction(self._engine, "read") as session:
            latest = list(session.scalars(of_ladder.order_by(order.match.desc()).limit(count)))
            shown = columns.join(match, of_matches).where(
                order.ladder == self._ladder, order.match.in_(latest)
            )
            rows = session.execute(shown.order_by(order.match.desc(), order.ahead, order.behind))
            for number, ended, ahead, behind in rows:
                orders[number, ended or ""].append((ahead, behind))
        return [Proof(*key, tuple(pairs)) for key, pairs in orders.items()]

    def played_since(self, time: str) -> tuple[int, int]:
        """Return how many matches have ended since a time in ISO 8601, and their boards."""
        row = LadderMatchRow
        sums = select(func.count(), func.sum(row.boards)).where(
            row.ladder == self._ladder, row.is_over.is_(True), row.ended >= time
        )
        with statements(self._engine, "read") as connection:
            matches, boards = connection.execute(sums).one()
            return matches or 0, boards or 0

    def proved_since(self, time: str) -> list[Pair]:
        """Return who was proved to be stronger since a time, each with a weaker one."""
        order, match = LadderOrderRow, LadderMatchRow
        proved = select(order.ahead, order.behind).where(
            order.ladder == self._ladder,
            match.ladder == self._ladder,
            match.number == order.match,
            match.ended >= time,
        )
        with statements(self._engine, "read") as connection:
            return [(ahead, behind) for ahead, behind in connection.execute(proved)]

    def boards_of(self, number: int) -> Store | None:
        """Return the boards of a match, which may be in play; None if none has begun.

        It shares the connections, and is not to be closed.
        """
        with transaction(self._engine, "read") as session:
            ladder = session.scalar(select(LadderRow.name).where(LadderRow.id == self._ladder))
            own = select(EventRow.id).where(EventRow.name == match_name(str(ladder), number))
            event = session.scalar(own)
        return None if event is None else Store(self._engine, event)

    def results(self, number: int) -> EventResults | None:
        """Return the boards of a match; None unless it is over, as they are secret before."""
        with transaction(self._engine, "read") as session:
            match = session.scalar(self._over.where(LadderMatchRow.number == number))
            if match is None:
                return None
            ladder = session.scalar(select(LadderRow.name).where(LadderRow.id == match.ladder))
            own = select(EventRow.id).where(EventRow.name == match_name(str(ladder), number))
            event = session.scalars(own).one()
        results = Store(self._engine, event).event_results()
        is_revealed = results.commitment is None or results.commitment.key is not None
        return results if is_revealed else None


def _ended_match(row: LadderMatchRow) -> EndedMatch:
    teams = row.home, row.visitors
    return EndedMatch(row.number, teams, row.boards or 0, row.imps or 0, row.ended or "")
