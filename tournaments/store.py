"""The store: what was set up and every board that was played, in one SQLite file.

It is the one source of truth of a match. Each result is one transaction, so whatever
ends the process, what was finished stays. All other files are made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import JSON, URL, ForeignKey, create_engine, event, inspect, select, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from bridge.board import Board
from bridge.calls import Call
from bridge.cards import Deal
from bridge.record import MadeCall, Mode
from bridge.seats import Seat, Vulnerability
from pbn.annotations import made_call, note_of
from tournaments.schedule import Unit


class StoreError(Exception):
    """The store cannot be read or written; one line says why."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What defines a match: the bots as written, the boards, the seed, the clock, and
    what is played. `auctions`: in play mode that of each board, given to both rooms."""

    home: str
    visitors: str
    seed: int
    clock: str
    boards: tuple[Board, ...]
    mode: Mode = Mode.FULL
    auctions: tuple[tuple[MadeCall, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One unit's outcome: the record as a PBN game, and whether the board counts.

    `timings`: a pair for each action: seat letter, milliseconds.
    """

    unit: str
    pbn: str
    finished: bool
    timings: Sequence[tuple[str, float]]


class _Base(DeclarativeBase):
    pass


class _MatchRow(_Base):
    __tablename__ = "match"

    id: Mapped[int] = mapped_column(primary_key=True)
    home: Mapped[str]
    visitors: Mapped[str]
    seed: Mapped[str]  # text: a seed may be larger than SQLite's integers
    clock: Mapped[str]
    mode: Mapped[str]


class _BoardRow(_Base):
    __tablename__ = "board"

    position: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    dealer: Mapped[str]
    vulnerability: Mapped[str]
    deal: Mapped[str]
    # Each call of the auction that both rooms are given, with its note.
    auction: Mapped[list[tuple[str, str | None]] | None] = mapped_column(JSON(none_as_null=True))


class _ResultRow(_Base):
    __tablename__ = "result"

    unit: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(ForeignKey("board.position"))
    finished: Mapped[bool]
    pbn: Mapped[str]
    timings: Mapped[list[tuple[str, float]]] = mapped_column(JSON)


_ADDED_COLUMNS = (
    ("match", "mode", f"VARCHAR NOT NULL DEFAULT '{Mode.FULL}'"),
    ("board", "auction", "JSON"),
)
"""What older stores lack, and are given when they are opened."""


class Store:
    """The store of one match. Raises StoreError from every method."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def create(cls, path: Path, setup: MatchSetup) -> Store:
        """A new store, with the match set up in it."""
        if path.exists():
            raise StoreError(
                f"{path} exists already: choose another --out, or go on with --resume {path.parent}"
            )
        store = cls(_engine(path))
        match = _MatchRow(
            home=setup.home,
            visitors=setup.visitors,
            seed=str(setup.seed),
            clock=setup.clock,
            mode=setup.mode.value,
        )
        with store._session("write") as session:
            _Base.metadata.create_all(session.connection())
            session.add(match)
            session.add_all(
                _BoardRow(
                    position=position,
                    number=board.number,
                    dealer=str(board.dealer),
                    vulnerability=str(board.vulnerability),
                    deal=str(board.deal),
                    auction=_as_written(setup.auctions[position - 1]) if setup.auctions else None,
                )
                for position, board in enumerate(setup.boards, start=1)
            )
        return store

    @classmethod
    def open(cls, path: Path) -> Store:
        """The store of a match that was begun."""
        if not path.exists():
            raise StoreError(f"{path.parent} holds no match ({path.name} is missing)")
        store = cls(_engine(path))
        store._add_columns()
        store.setup()  # says at once if the file is something else
        return store

    def close(self) -> None:
        self._engine.dispose()

    def setup(self) -> MatchSetup:
        with self._session("read") as session:
            match = session.scalars(select(_MatchRow)).one()
            boards = session.scalars(select(_BoardRow).order_by(_BoardRow.position)).all()
            mode = Mode(match.mode)
            return MatchSetup(
                match.home,
                match.visitors,
                int(match.seed),
                match.clock,
                tuple(_board(row) for row in boards),
                mode,
                tuple(_auction(row) for row in boards) if mode is Mode.PLAY else (),
            )

    def save(self, unit: Unit, result: Result) -> None:
        """Keep a unit's result: one transaction."""
        row = _ResultRow(
            unit=unit.id,
            position=unit.position,
            finished=result.finished,
            pbn=result.pbn,
            timings=list(result.timings),
        )
        with self._session("write") as session:
            session.merge(row)

    def finished(self) -> set[str]:
        """The ids of the units that need not be played any more."""
        with self._session("read") as session:
            return set(session.scalars(select(_ResultRow.unit).where(_ResultRow.finished)))

    def is_forfeited(self) -> bool:
        """Whether a board was given up, which ends the match."""
        given_up = select(_ResultRow.unit).where(~_ResultRow.finished).limit(1)
        with self._session("read") as session:
            return session.scalars(given_up).first() is not None

    def results(self) -> Iterator[Result]:
        """Every result, in schedule order, unfinished ones too."""
        in_order = select(_ResultRow).order_by(_ResultRow.position, _ResultRow.unit.desc())
        with self._session("read") as session:
            for row in session.scalars(in_order.execution_options(yield_per=500)):
                timings = [(seat, milliseconds) for seat, milliseconds in row.timings]
                yield Result(row.unit, row.pbn, row.finished, timings)

    def _add_columns(self) -> None:
        with self._session("read") as session:
            found = inspect(session.connection())
            for table, column, kind in _ADDED_COLUMNS:
                if found.has_table(table) and column not in {
                    each["name"] for each in found.get_columns(table)
                }:
                    session.execute(text(f"ALTER TABLE {table} ADD COLUMN {column} {kind}"))

    @contextmanager
    def _session(self, doing: str) -> Iterator[Session]:
        """One transaction. Raises StoreError, also for values that cannot be right."""
        try:
            with Session(self._engine) as session, session.begin():
                yield session
        except (SQLAlchemyError, ValueError) as error:
            database = self._engine.url.database
            raise StoreError(f"cannot {doing} {database}: {_reason(error)}") from None


def _engine(path: Path) -> Engine:
    # Not by a URL's text: a path may hold characters that mean something there.
    engine = create_engine(URL.create("sqlite", database=str(path)))

    @event.listens_for(engine, "connect")
    def configure(connection: object, _record: object) -> None:
        # With a write-ahead log a transaction costs one write, and readers never wait.
        connection.execute("PRAGMA journal_mode=WAL")  # type: ignore[attr-defined]
        connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]

    return engine


def _board(row: _BoardRow) -> Board:
    return Board(
        row.number,
        Seat.parse(row.dealer),
        Vulnerability.parse(row.vulnerability),
        Deal.parse(row.deal),
    )


def _as_written(auction: Sequence[MadeCall]) -> list[tuple[str, str | None]]:
    return [(str(made.call), note_of(made)) for made in auction]


def _auction(row: _BoardRow) -> tuple[MadeCall, ...]:
    if row.auction is None:
        raise ValueError(f"board {row.number} lacks its auction")
    return tuple(made_call(Call(call), note) for call, note in row.auction)


def _reason(error: Exception) -> str:
    """The database's own words, without the statement."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]
