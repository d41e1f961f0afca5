"""What people played at a ladder, and the boards of its days, in the ladder's store.

Nothing of it counts for a rank. A deal is named by a text: `17/3` is board 3 of match 17,
`2026-11-29` the board of that day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO

from sqlalchemy import ColumnElement, case, delete, func, insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_canonical
from bridge_arena.tournaments.ladder.store.rows import hold, now
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderDayRow, LadderPeopleBoardRow

MOST_BOARDS = 20_000
"""The most boards of matches that are kept of people, and the most boards of days."""

LEFT_AFTER = timedelta(hours=6)
"""The time after which a board that is not over was left: no table plays so long."""

MOST_OF_DEAL = 1000
"""The most people and bots whose results of a deal are read."""


@dataclass(frozen=True, slots=True)
class PersonsBoard:
    """A board as a person, or a bot in the seat of people, has played it."""

    person: str  # who: the hash of a browser's cookie, or `bot 7` for player 7
    name: str  # the name of the person or the player
    seat: Seat
    began: str  # when, in ISO 8601
    score: int | None  # North-South's points; None if it is in play, or was left
    record: BoardRecord | None  # None as long as there is no score


@dataclass(frozen=True, slots=True)
class KeptDay:
    """The board of a day as it is kept."""

    day: str  # in UTC, as `2026-11-29`
    definition: str  # its event, which the commitment covers, as a JSON object
    key: str  # the key of its deal, in hexadecimal


class PeopleStore:
    """The boards of people at one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def begin(self, deal: str, person: str, name: str, seat: Seat, most: int | None = None) -> bool:
        """Note that somebody begins a deal; return False if that was so before.

        Args:
            deal: The deal.
            person: Who it is, as `PersonsBoard` has it.
            name: The name.
            seat: The seat.
            most: The most who may begin this deal, after whom it is False too; None for any number.
        """
        row = LadderPeopleBoardRow
        facts = {"name": name, "seat": seat.letter, "began": now()}
        key = {"ladder": self._ladder, "deal": deal, "person": person}
        with transaction(self._engine, "write") as session:
            hold(session, self._ladder)
            if session.scalar(select(row.began).filter_by(**key)) is not None:
                return False
            if most is not None and self._count(session, row.deal == deal) >= most:
                return False
            session.execute(insert(row), [key | facts])
            self._delete_spare(session, is_of_day="/" not in deal)
        return True

    def _count(self, session: Session, *which: ColumnElement[bool]) -> int:
        row = LadderPeopleBoardRow
        counted = select(func.count()).select_from(row).where(row.ladder == self._ladder, *which)
        return session.scalar(counted) or 0

    def _delete_spare(self, session: Session, *, is_of_day: bool) -> None:
        """Delete what is too much: first boards that were left, then the oldest ones."""
        row = LadderPeopleBoardRow
        of_match = row.deal.contains("/")
        which = row.ladder == self._ladder, ~of_match if is_of_day else of_match
        if (spare := self._count(session, *which) - MOST_BOARDS) > 0:
            late = (datetime.now(UTC) - LEFT_AFTER).isoformat(timespec="seconds")
            was_left = row.record.is_(None) & (row.began < late)
            order = case((was_left, 0), else_=1), row.began
            chosen = select(row.deal, row.person).where(*which).order_by(*order).limit(spare)
            for deal, person in session.execute(chosen).all():
                session.execute(
                    delete(row).filter_by(ladder=self._ladder, deal=deal, person=person)
                )

    def end(self, deal: str, person: str, record: BoardRecord) -> None:
        """Note what somebody made of a deal."""
        facts = {"score": record.score, "record": format_canonical(game_of(record))}
        of_board = update(LadderPeopleBoardRow).filter_by(
            ladder=self._ladder, deal=deal, person=person
        )
        with transaction(self._engine, "write") as session:
            session.execute(of_board.values(facts))

    def deals_of(self, person: str) -> set[str]:
        """Return the deals that somebody has begun."""
        row = LadderPeopleBoardRow
        deals = select(row.deal).where(row.ladder == self._ladder, row.person == person)
        with transaction(self._engine, "read") as session:
            return set(session.scalars(deals))

    def names(self, deal: str) -> set[str]:
        """Return the names of those who have begun a deal."""
        row = LadderPeopleBoardRow
        names = select(row.name).where(row.ladder == self._ladder, row.deal == deal)
        with transaction(self._engine, "read") as session:
            return set(session.scalars(names))

    def of_deal(
        self, deal: str, person: str | None = None, most: int = MOST_OF_DEAL
    ) -> list[PersonsBoard]:
        """Return what came of a deal, in the order in which it was begun, up to a bound.

        Args:
            deal: The deal.
            person: Who played it; None for all.
            most: The bound.
        """
        row = LadderPeopleBoardRow
        boards = select(row).where(row.ladder == self._ladder, row.deal == deal)
        if person is not None:
            boards = boards.where(row.person == person)
        with transaction(self._engine, "read") as session:
            ordered = boards.order_by(row.began, row.person).limit(most)
            return [_board(one) for one in session.scalars(ordered)]

    def day(self, day: str) -> KeptDay | None:
        """Return the board of a day; None if none was drawn."""
        own = select(LadderDayRow).filter_by(ladder=self._ladder, day=day)
        with transaction(self._engine, "read") as session:
            row = session.scalar(own)
            return None if row is None else KeptDay(row.day, row.definition, row.deal_key)

    def add_day(self, drawn: KeptDay) -> None:
        """Add the board of a day, unless another process has done so."""
        key = {"ladder": self._ladder, "day": drawn.day}
        facts = {"definition": drawn.definition, "deal_key": drawn.key, "fixed": now()}
        with transaction(self._engine, "write") as session:
            hold(session, self._ladder)
            if session.scalar(select(LadderDayRow.day).filter_by(**key)) is None:
                session.execute(insert(LadderDayRow), [key | facts])

    def first_day(self) -> str | None:
        """Return the first day whose board was drawn; None if there is none."""
        first = select(func.min(LadderDayRow.day)).where(LadderDayRow.ladder == self._ladder)
        with transaction(self._engine, "read") as session:
            return session.scalar(first)


def _board(row: LadderPeopleBoardRow) -> PersonsBoard:
    record = None
    if row.record is not None:
        (record,) = read_records(BytesIO(f"{HEADER}{row.record}".encode("latin-1")))
    return PersonsBoard(row.person, row.name, Seat.parse(row.seat), row.began, row.score, record)
