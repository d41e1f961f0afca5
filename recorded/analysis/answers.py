"""The solver's answers in one SQLite file, where they stay however the process ends.

The file also lists the units that the current files need, in file order, and the two halves of
every board played in two rooms. Both lists are made anew from the files each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from sqlalchemy import URL, create_engine, delete, event, func, or_, select, text, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from bridge_arena.base.foreign_sqlite import guard
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.analysis.games import Entry
from bridge_arena.recorded.analysis.units import id_of
from bridge_arena.reports.common.costs import CallCost

PAGE = 500
"""Units read at a time."""


class AnswersError(Exception):
    """The error of a file that cannot be read or written; its line says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    answer: str  # the answer; empty if there is none
    failure: str = ""  # why there is none
    deadline: float = 0.0  # the seconds that were not enough; 0 if another try may succeed


class _Base(DeclarativeBase):
    pass


class _UnitRow(_Base):
    __tablename__ = "unit"

    id: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    # The place in the order of the files; None if the current files do not need the unit.
    position: Mapped[int | None] = mapped_column(index=True)
    answer: Mapped[str | None]
    failure: Mapped[str | None]
    deadline: Mapped[float | None]


class _HalfRow(_Base):
    __tablename__ = "half"

    position: Mapped[int] = mapped_column(primary_key=True)  # of the game in the list of all
    group: Mapped[str] = mapped_column(index=True)
    room: Mapped[str]
    contract: Mapped[str]
    declarer: Mapped[str]
    cards: Mapped[str]
    tricks: Mapped[int | None]
    score: Mapped[int | None]


class Answers:
    """The open file of answers; every method may raise AnswersError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # The URL is not made from text, as some characters of a path have a meaning in it.
        self._engine = create_engine(URL.create("sqlite", database=str(path)))
        guard(self._engine)
        event.listen(self._engine, "connect", _configure)
        with self._transaction() as connection:
            # Another process that begins at the same time waits here, and finds the tables made.
            connection.execute(text("BEGIN IMMEDIATE"))
            _Base.metadata.create_all(connection)
        self._wanted = 0  # the number of units wanted so far

    def close(self) -> None:
        self._engine.dispose()

    # The units and their answers.

    def begin(self) -> None:
        """Forget what earlier files needed, but no answer."""
        self._wanted = 0
        with self._transaction() as connection:
            connection.execute(update(_UnitRow).values(position=None))
            connection.execute(delete(_HalfRow))

    def want(self, units: Iterable[str]) -> None:
        """Put units at the end of the list, unless they are on it."""
        rows: dict[str, dict[str, str | int]] = {}
        for unit in units:
            self._wanted += 1
            rows.setdefault(id_of(unit), {"text": unit, "position": self._wanted})
        if not rows:
            return
        statement = insert(_UnitRow)
        statement = statement.on_conflict_do_update(
            index_elements=["id"],
            set_={"position": statement.excluded.position},
            where=_UnitRow.position.is_(None),
        )
        with self._transaction() as connection:
            connection.execute(statement, [{"id": key, **row} for key, row in rows.items()])

    def count(self) -> tuple[int, int]:
        """Return how many units are on the list, and how many of them have an answer."""
        wanted = _UnitRow.position.is_not(None)
        numbers = select(func.count(), func.count(_UnitRow.answer)).where(wanted)
        with self._transaction() as connection:
            every, answered = connection.execute(numbers).one()
        return every, answered

    def open_units(self, deadline: float | None) -> Iterator[str]:
        """Yield the units without an answer, in order, that took no longer than the deadline."""
        last = 0
        limit = inf if deadline is None else deadline
        while True:
            page = (
                select(_UnitRow.position, _UnitRow.text)
                .where(_UnitRow.position > last, _UnitRow.answer.is_(None))
                .where(or_(_UnitRow.deadline.is_(None), _UnitRow.deadline < limit))
                .order_by(_UnitRow.position)
                .limit(PAGE)
            )
            with self._transaction() as connection:
                rows = connection.execute(page).all()
            if not rows:
                return
            for position, unit in rows:
                last = position or last
                yield unit

    def save(self, outcomes: Sequence[tuple[str, Outcome]]) -> None:
        """Keep the outcomes of some units, on the list or not, in one transaction."""
        statement = insert(_UnitRow)
        kept = {name: statement.excluded[name] for name in ("answer", "failure", "deadline")}
        statement = statement.on_conflict_do_update(index_elements=["id"], set_=kept)
        rows = [
            {
                "id": id_of(unit),
                "text": unit,
                "answer": outcome.answer or None,
                "failure": outcome.failure or None,
                "deadline": outcome.deadline if outcome.failure else None,
            }
            for unit, outcome in outcomes
        ]
        if rows:
            with self._transaction() as connection:
                connection.execute(statement, rows)

    def outcomes(self, units: Iterable[str]) -> dict[str, Outcome]:
        """Return the outcomes of those units that were tried, by unit."""
        ids = {id_of(unit): unit for unit in units}
        columns = (_UnitRow.id, _UnitRow.answer, _UnitRow.failure)
        outcomes: dict[str, Outcome] = {}
        with self._transaction() as connection:
            for key, answer, failure in connection.execute(
                select(*columns).where(_UnitRow.id.in_(list(ids)))
            ):
                if answer or failure:
                    outcomes[ids[key]] = Outcome(answer or "", failure or "")
        return outcomes

    # The halves of boards that were played in two rooms.

    def add_halves(self, entries: Iterable[tuple[int, Entry]]) -> None:
        """Note the finished tables of a room, by their place in the list of games."""
        rows = []
        for position, entry in entries:
            record = entry.record
            if record is None or record.room is None or not record.is_finished:
                continue
            contract = record.contract
            rows.append(
                {
                    "position": position,
                    "group": id_of(entry.group),
                    "room": record.room.value,
                    "contract": str(contract) if contract else "",
                    "declarer": str(contract.declarer) if contract else "",
                    # Without cards no player is charged with a loss.
                    "cards": "" if entry.is_doubtful else "".join(map(str, record.cards)),
                    "tricks": record.tricks,
                    "score": record.score,
                }
            )
        if rows:
            with self._transaction() as connection:
                connection.execute(insert(_HalfRow), rows)

    def other_rooms(self, entries: Sequence[tuple[int, Entry]]) -> dict[int, BoardRecord]:
        """Return the results of the other room on the same boards.

        If a room has a board more than once, its first table goes with the first of the other room,
        and so on.
        """
        groups = {
            position: id_of(entry.group)
            for position, entry in entries
            if entry.record and entry.record.room and entry.record.is_finished
        }
        halves: dict[str, dict[str, list[Row[Any]]]] = {}
        statement = (
            select(*_HalfRow.__table__.columns)
            .where(_HalfRow.group.in_(set(groups.values())))
            .order_by(_HalfRow.position)
        )
        with self._transaction() as connection:
            for half in connection.execute(statement):
                halves.setdefault(half.group, {}).setdefault(half.room, []).append(half)
        others_of: dict[int, BoardRecord] = {}
        for position, entry in entries:
            record = entry.record
            if position not in groups or record is None or record.room is None:
                continue
            rooms = halves[groups[position]]
            own = [half.position for half in rooms[record.room.value]]
            other_room = Room.CLOSED if record.room is Room.OPEN else Room.OPEN
            others = rooms.get(other_room.value, [])
            at = own.index(position)
            if at < len(others):
                others_of[position] = _record(others[at], record)
        return others_of

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise AnswersError(f"cannot use {self._path}: {reason}") from None


def _record(half: Row[Any], other: BoardRecord) -> BoardRecord:
    """Return what matters of a half's record, with the board of the other room's record."""
    contract = None
    if half.contract:
        contract = Contract.parse(half.contract, Seat.parse(half.declarer))
    return replace(
        other,
        players=("", "", "", ""),
        calls=(),
        contract=contract,
        cards=tuple(Card(half.cards[at : at + 2]) for at in range(0, len(half.cards), 2)),
        tricks=half.tricks,
        score=half.score,
        faults=(),
        room=Room(half.room),
    )


def _configure(connection: object, _record: object) -> None:
    # With a write-ahead log a transaction takes one write, and readers never wait.
    connection.execute("PRAGMA journal_mode=WAL")  # type: ignore[attr-defined]
    connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]


def costs_in(outcomes: Mapping[str, Outcome], units: Sequence[str]) -> tuple[CallCost | None, ...]:
    """Return the costs of the calls that `units` ask about; None where there is no answer."""
    tried = (outcomes.get(unit) for unit in units)
    return tuple(
        CallCost.parse(outcome.answer) if outcome and outcome.answer else None for outcome in tried
    )
