"""The tables of the store.

Every row of an event is found by what it is (event, round, match, position, room), never by
a running number, so that a store that was filled in another order holds the same.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKeyConstraint, false
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedColumn, mapped_column

OPTIONAL_JSON = JSON(none_as_null=True)


class Base(DeclarativeBase):
    pass


class EventRow(Base):
    """`definition`: the `Event`, as JSON. `commitment`: to its deals, `key`: what they come from,
    secret until `revealed`, when the event is over; null of events of release 0.1."""

    __tablename__ = "event"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    definition: Mapped[str]
    commitment: Mapped[str | None]
    key: Mapped[str | None]
    public_value: Mapped[str | None]
    revealed: Mapped[bool] = mapped_column(default=False, server_default=false())


class BoardRow(Base):
    """A board of the supply. `auction`: each call that its players are given, with its
    note; null where they bid."""

    __tablename__ = "board"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    supply: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    dealer: Mapped[str]
    vulnerability: Mapped[str]
    deal: Mapped[str]
    auction: Mapped[list[tuple[str, str | None]] | None] = mapped_column(OPTIONAL_JSON)


class MatchRow(Base):
    """`entries`: two teams or pairs, or four players, by their numbers."""

    __tablename__ = "match"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    entries: Mapped[list[int]] = mapped_column(JSON)


def _first() -> MappedColumn[Any]:
    """A column of a key, before the others of its table."""
    return mapped_column(primary_key=True, sort_order=-1)


class OfRecord:
    """The key of a record. `room`: `open`, `closed` or `table`."""

    event: Mapped[int] = _first()
    round: Mapped[int] = _first()
    match: Mapped[int] = _first()
    position: Mapped[int] = _first()
    room: Mapped[str] = _first()


class RecordRow(OfRecord, Base):
    """One board at one table. `pbn`: the whole record but for its times."""

    __tablename__ = "record"
    __table_args__ = (
        ForeignKeyConstraint(
            ["event", "round", "match"], ["match.event", "match.round", "match.number"]
        ),
        ForeignKeyConstraint(["event", "board"], ["board.event", "board.supply"]),
    )

    board: Mapped[int]
    pbn: Mapped[str]


def _of_a_record() -> tuple[ForeignKeyConstraint]:
    key = ("event", "round", "match", "position", "room")
    return (ForeignKeyConstraint(key, [f"record.{column}" for column in key]),)


class TimingRow(OfRecord, Base):
    """The milliseconds of each action of one seat, in order. `match_seconds`: what they took off
    its match clock; null where there is none, and in records of release 0.1."""

    __tablename__ = "timing"
    __table_args__ = _of_a_record()

    seat: Mapped[str] = mapped_column(primary_key=True)
    milliseconds: Mapped[list[float]] = mapped_column(JSON)
    match_seconds: Mapped[float | None]


class ThoughtRow(OfRecord, Base):
    """What one seat thought, in order: of each thought the action that it is about, and what was
    said, by the names of `bridge.record.RecordedThought`."""

    __tablename__ = "thought"
    __table_args__ = _of_a_record()

    seat: Mapped[str] = mapped_column(primary_key=True)
    thoughts: Mapped[list[dict[str, Any]]] = mapped_column(JSON)


class AnalysisRow(OfRecord, Base):
    """What the oracle said of a record. `values`: declarer's double-dummy tricks before the
    lead and after every card; null where there was nothing to say."""

    __tablename__ = "analysis"
    __table_args__ = _of_a_record()

    values: Mapped[list[int] | None] = mapped_column(OPTIONAL_JSON)
