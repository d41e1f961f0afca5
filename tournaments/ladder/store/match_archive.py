"""The matches of a ladder that are over, in its store: the latest ones, and the boards of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select
from sqlalchemy.engine import Engine

from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.store.played_boards import read_swings
from bridge_arena.tournaments.ladder.strength.sums import Pair
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.database import statements, transaction
from bridge_arena.tournaments.store.models import (
    EventRow,
    LadderMatchRow,
    LadderOrderRow,
    LadderRow,
    RecordRow,
)


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that is over."""

    number: int  # its number in the ladder, from 1
    versions: tuple[int, int]  # the home team and the visitors
    boards: int  # the boards that count
    imps: int  # their IMPs, seen from the home team
    ended: str  # when, in ISO 8601
    stored_swings: bytes = b""  # the swings of its boards as they are stored

    @property
    def swings(self) -> NDArray[np.int8]:
        """The swings by the numbers of the boards, seen from the home team.

        `NONE` for a board that does not count or was not played. They are empty for a match that
        ended under a release that did not keep them.
        """
        return read_swings(self.stored_swings)


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
        opponents: Collection[int] | None = None,
        before: int | None = None,
    ) -> list[EndedMatch]:
        """Return the last matches that were drawn and are over, the latest first.

        Args:
            count: How many.
            versions: Those of which one has played; None for any.
            opponents: Those of which one was its opponent; None for any.
            before: The number below which their numbers are; None for any.
        """
        row = LadderMatchRow
        over = [row.ladder == self._ladder, row.is_over.is_(True)]
        if before is not None:
            over.append(row.number < before)
        # A team at a time, and from its index alone: no other matches are read.
        teams = [(row.home, row.visitors), (row.visitors, row.home)]
        numbers: set[int] = set()
        with transaction(self._engine, "read") as session:
            for own, other in teams if versions is not None else teams[:1]:
                of_team = select(row.number).where(*over)
                if versions is not None:
                    of_team = of_team.where(own.in_(versions))
                if opponents is not None:
                    of_team = of_team.where(other.in_(opponents))
                numbers.update(session.scalars(of_team.order_by(row.number.desc()).limit(count)))
            latest = sorted(numbers, reverse=True)[:count]
            shown = select(row).where(row.ladder == self._ladder, row.number.in_(latest))
            return list(map(_ended_match, session.scalars(shown.order_by(row.number.desc()))))

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

    def count_audited(self, versions: Collection[int]) -> int:
        """Return how many matches of versions were audited."""
        row = LadderMatchRow
        audited = select(func.count()).where(
            row.ladder == self._ladder, row.is_over.is_(True), row.audited.is_not(None)
        )
        # A team at a time, as each has an index.
        at_home = audited.where(row.home.in_(versions))
        away = audited.where(row.visitors.in_(versions), row.home.not_in(versions))
        with statements(self._engine, "read") as connection:
            return sum(connection.execute(one).scalar_one() for one in (at_home, away))

    def pbn(self, numbers: Iterable[int]) -> str:
        """Return the boards of matches that are over, as a PBN file; it names no program."""
        with statements(self._engine, "read") as connection:
            of_ladder = select(LadderRow.name).where(LadderRow.id == self._ladder)
            name = connection.execute(of_ladder).scalar_one()
            of_numbers = select(LadderMatchRow.number).where(
                LadderMatchRow.ladder == self._ladder,
                LadderMatchRow.number.in_([*numbers]),
                LadderMatchRow.is_over.is_(True),
            )
            over = connection.execute(of_numbers.order_by(LadderMatchRow.number)).scalars()
            names = [match_name(name, number) for number in over]
            record = RecordRow
            games = select(record.pbn).join(EventRow, EventRow.id == record.event)
            of_names = games.where(EventRow.name.in_(names), EventRow.revealed.is_(True))
            order = EventRow.id, record.round, record.match, record.position, record.room.desc()
            return HEADER + "".join(connection.execute(of_names.order_by(*order)).scalars())

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
    swings = row.swings or b""
    return EndedMatch(row.number, teams, row.boards or 0, row.imps or 0, row.ended or "", swings)
