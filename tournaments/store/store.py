"""The store of one event: its definition, its schedule, its records and their values."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Executable, Select, Text, cast, delete, func, insert, select, tuple_, update
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.orm import Session

from bridge_arena.base.masking import without_password
from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord, ModelUse, RecordedThought
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.pbn.annotations import made_call, note_of
from bridge_arena.pbn.arena_tables import times_sections
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_canonical
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.deal_control import DealControl
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealed_deals import Commitment, Sealing
from bridge_arena.tournaments.schedule.event_files import header_of, with_rulings, write_pbn
from bridge_arena.tournaments.schedule.event_results import (
    ControlResults,
    DealValues,
    EventResults,
    Played,
)
from bridge_arena.tournaments.schedule.rulings import (
    Decision,
    Ruling,
    RulingsOn,
    checked_rulings,
)
from bridge_arena.tournaments.schedule.units import Match, Unit
from bridge_arena.tournaments.store.database import (
    StoreError,
    TakenError,
    connect,
    create_schema,
    is_empty,
    is_locked,
    is_prepared,
    is_url,
    locked,
    name,
    statements,
    transaction,
)
from bridge_arena.tournaments.store.models import (
    AnalysisRow,
    Base,
    BoardRow,
    DealValueRow,
    EventRow,
    MatchRow,
    RecordRow,
    RulingRow,
    SumsRow,
    TallyRow,
    ThoughtRow,
    TimingRow,
)

# Made only once.
_INSERT_RECORD, _INSERT_TIMINGS, _INSERT_THOUGHTS, _INSERT_ANALYSIS = (
    Base.metadata.tables[name].insert() for name in ("record", "timing", "thought", "analysis")
)

_EVENTS, _BOARDS, _TALLIES, _SUMS = (
    Base.metadata.tables[name] for name in ("event", "board", "tally", "event_sums")
)

_KEY = ("round", "match", "position", "room")

_SCHEDULE = (RecordRow.round, RecordRow.match, RecordRow.position, RecordRow.room.desc())
"""What sorts records into schedule order."""

_OF_RECORD = (AnalysisRow, ThoughtRow, TimingRow)
"""The tables whose rows belong to records."""


_Timing = tuple[tuple[float, ...], float | None, str | None]
"""The times of one seat on one board: the milliseconds of each action, and the seconds that the
board took off its match clock, if it has one; and the program that played it, if that is known."""


_AT_ONCE = 500
"""The most records that are asked for by their keys at once."""


Units = Sequence[tuple[str, BoardRecord]]
"""Units with their records, by their ids."""


_IN_ORDER = attrgetter("action", "seat")
"""The sort key of thoughts."""


class Progress(NamedTuple):
    """The progress of an event that a ruling must know of."""

    rulings: int  # the number of rulings
    last_round: int  # the last round that is drawn; 0 for none
    is_revealed: bool  # whether all is played and the key of the deals public

    def next_ruling(
        self, decision: Decision, *, author: str, reason: str, time: datetime
    ) -> Ruling:
        """Return the ruling that comes next. Raises ValidationError for a part that is wrong."""
        return Ruling(
            number=self.rulings + 1,
            time=time,
            author=author,
            reason=reason,
            after=self.last_round,
            decision=decision,
        )


class Store:
    """The store of one event.

    Every method raises StoreError if the database cannot be read or written.

    Attributes:
        home: The folder of the event's file, where its programs are found; None for the arena's own
            folder.
    """

    def __init__(self, engine: Engine, event: int) -> None:
        self.home: Path | None = None
        self._engine = engine
        self._event = event
        # The event with the folders of its programs, where whoever opened the store knows them.
        self._placed: Event | None = None

    @classmethod
    def create(
        cls,
        source: str | Path,
        event: Event,
        boards: Mapping[int, GivenBoard] | None = None,
        sealing: Sealing | None = None,
        control: DealControl | None = None,
        *,
        of_file: bool = False,
    ) -> Store:
        """Create the store of a new event, in a new SQLite file or in the database of a URL.

        A file comes to its place only when it is complete. Without a key of the deals, it is taken
        from the event's seed, or a new one is drawn. `of_file` says whether an event file defines
        the event. Raises StoreError, also if the event exists.
        """
        sealing = sealing or Sealing.of(event)
        if is_url(str(source)):
            return cls._create(source, event, boards or {}, sealing, control, of_file=of_file)
        path = Path(source)
        if path.exists():
            raise StoreError(f"{path} exists already")
        new = path.with_name(f".{path.name}.new")
        try:
            _delete(new)
            # Only its owner may read it; SQLite gives the files beside it the same mode.
            new.touch(mode=0o600)
            cls._create(new, event, boards or {}, sealing, control, of_file=of_file).close()
            _check_is_whole(new)
            new.replace(path)
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from None
        except StoreError:
            _delete(new)
            raise
        try:
            return cls.open(path)
        except StoreError:
            _delete(path)
            raise

    @classmethod
    def _create(
        cls,
        source: str | Path,
        event: Event,
        boards: Mapping[int, GivenBoard],
        sealing: Sealing,
        control: DealControl | None,
        *,
        of_file: bool,
    ) -> Store:
        engine = connect(source)
        row = EventRow(
            name=event.name,
            definition=sealing.definition,
            commitment=sealing.digest,
            key=str(sealing.key),
            public_value=sealing.public_value or None,
            control=None if control is None else str(control),
            of_file=of_file,
        )
        try:
            if not is_prepared(engine):
                create_schema(engine)
            return cls._insert(engine, row, boards)
        except StoreError:
            engine.dispose()
            raise

    @classmethod
    def _insert(cls, engine: Engine, row: EventRow, boards: Mapping[int, GivenBoard]) -> Store:
        try:
            with transaction(engine, "write") as session:
                session.add(row)
                session.flush()
                key = row.id
                _insert_boards(session, key, boards)
        except TakenError:
            raise StoreError(
                f"{name(engine)} has an event {row.name!r} already: go on with --resume, or "
                "give it another name"
            ) from None
        return cls(engine, key)

    @classmethod
    def beside(cls, engine: Engine, event: Event) -> Store:
        """Open the store of a sealed event in a database that is in use; create it if need be.

        It shares the connections, and is not to be closed. An event that is there keeps its
        settings. Raises StoreError, also if it is of other entries.
        """
        with transaction(engine, "read") as session:
            row = session.scalar(select(EventRow).where(EventRow.name == event.name))
            known = None if row is None else (row.id, row.definition)
        if known is None:
            sealing = Sealing.of(event)
            row = EventRow(
                name=event.name,
                definition=sealing.definition,
                commitment=sealing.digest,
                key=str(sealing.key),
            )
            store = cls._insert(engine, row, {})
        else:
            store = cls(engine, known[0])
            there = Event.model_validate_json(known[1])
            if [one.name for one in there.entries] != [one.name for one in event.entries]:
                raise StoreError(f"{name(engine)} has another event {event.name!r}")
            placed = {entrant: entrant for entrant in event.entries}
            entries = tuple(placed.get(entrant, entrant) for entrant in there.entries)
            event = there.model_copy(update={"entries": entries})
        store._placed = event
        return store

    @classmethod
    def open(cls, source: str | Path, event: str | None = None) -> Store:
        """Open the store of the event of that name, or of the only one. Raises StoreError."""
        stores = cls.open_all(source, event)
        if len(stores) == 1:
            return stores[0]
        for store in stores:
            store.close()
        which = "no event" if not stores else f"{len(stores)} events"
        called = f" called {event!r}" if event is not None else ""
        raise StoreError(f"{without_password(str(source))} holds {which}{called}")

    @classmethod
    def open_all(
        cls, source: str | Path, event: str | None = None, others: Container[str] = ()
    ) -> list[Store]:
        """Open the stores of all events of a database, or of those of a name.

        Each has a connection of its own; an empty database has none. Raises StoreError.

        Args:
            source: The database.
            event: The name of the events; None for all.
            others: The names of events that are left out.
        """
        engine = connect(source)
        if engine.dialect.name == "sqlite" and not (path := Path(name(engine))).exists():
            raise StoreError(f"{path.parent} holds no event ({path.name} is missing)")
        try:
            if not is_prepared(engine):
                if is_empty(engine):
                    return []
                create_schema(engine)
            wanted = select(EventRow.id, EventRow.name).order_by(EventRow.id)
            if event is not None:
                wanted = wanted.where(EventRow.name == event)
            with transaction(engine, "read") as session:
                keys = [key for key, known in session.execute(wanted) if known not in others]
        finally:
            engine.dispose()
        # The engine that was disposed of connects anew.
        engines = [engine, *(connect(source) for _ in keys[1:])]
        stores = [cls(own, key) for own, key in zip(engines, keys, strict=False)]
        try:
            for store in stores:
                store.event()  # raises now if it cannot be read
        except StoreError:
            for store in stores:
                store.close()
            raise
        return stores

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def locked(self) -> AbstractContextManager[object]:
        """Lock the event while it is played, so that no other process plays it."""
        return locked(self._engine, self._event)

    def is_being_played(self) -> bool:
        """Return whether a process plays the event. Raises StoreError and OSError."""
        return is_locked(self._engine, self._event)

    # The definition.

    def event(self) -> Event:
        """Return the event's definition."""
        if self._placed is not None:
            return self._placed
        with self._session("read") as session:
            event = Event.model_validate_json(self._row(session).definition)
        return event if self.home is None else event.located(self.home)

    def is_of_file(self) -> bool:
        """Return whether an event file defines the event, from whose folder its programs run."""
        with self._session("read") as session:
            return self._row(session).of_file

    def sealing(self) -> Sealing | None:
        """Return the secret key of the deals; None for an event of release 0.1."""
        with self._session("read") as session:
            row = self._row(session)
            if row.key is None:
                return None
            return Sealing(row.definition, DealKey.parse(row.key), row.public_value or "")

    def commitment(self) -> Commitment | None:
        """Return what is public about the deals; None for an event of release 0.1."""
        with self._session("read") as session:
            row = self._row(session)
            if row.commitment is None:
                return None
            key = DealKey.parse(row.key) if row.revealed and row.key else None
            return Commitment(row.definition, row.commitment, row.public_value or "", key)

    def reveal(self, rulings: int) -> bool:
        """Make the key public, now that the event is over by so many rulings.

        Returns:
            Whether there are no more. If there are, nothing is done.
        """
        with self._session("write") as session:
            self._hold(session)
            if self._count_rulings(session) != rulings:
                return False
            self._row(session).revealed = True
            return True

    def control(self) -> DealControl | None:
        """Return the stand-ins that tell the luck of the deals; None if there are none."""
        with self._session("read") as session:
            text = self._row(session).control
            return None if text is None else DealControl.parse(text)

    def boards(self) -> dict[int, GivenBoard]:
        """Return the boards that are given or scheduled, by their numbers in the supply."""
        rows = select(_BOARDS).where(_BOARDS.c.event == self._event).order_by(_BOARDS.c.supply)
        with statements(self._engine, "read") as connection:
            return {row.supply: _board(row) for row in connection.execute(rows)}

    def schedule(
        self,
        matches: Iterable[Match],
        boards: Mapping[int, GivenBoard],
        rulings: int | None = None,
    ) -> bool:
        """Add matches and the boards that they play, unless they are there already.

        Args:
            matches: The matches.
            boards: The boards, by their numbers in the supply.
            rulings: The number of rulings by which the matches were drawn; None if none matter.

        Returns:
            Whether there are no more rulings than these. If there are, nothing is added.
        """
        with self._session("write") as session:
            self._hold(session)
            if rulings is not None and self._count_rulings(session) != rulings:
                return False
            drawn = self._select(MatchRow.round, MatchRow.number, MatchRow.entries)
            there = {(row.round, row.number): list(row.entries) for row in session.execute(drawn)}
            rows = [
                {
                    "event": self._event,
                    "round": match.round,
                    "number": match.number,
                    "entries": list(match.entries),
                }
                for match in matches
                if self._is_new(match, there)
            ]
            if rows:
                session.execute(insert(MatchRow), rows)
            known = set(session.scalars(self._select(BoardRow.supply)))
            new = {number: boards[number] for number in boards if number not in known}
            _insert_boards(session, self._event, new)
            return True

    def _is_new(self, match: Match, there: Mapping[tuple[int, int], list[int]]) -> bool:
        """Return whether a match is not stored. Raises StoreError if it is with other entries."""
        entries = there.get((match.round, match.number))
        if entries is not None and entries != list(match.entries):
            raise StoreError(f"match {match.id} was drawn with other entries than it has now")
        return entries is None

    def remove(self) -> None:
        """Delete the whole event."""
        with self._session("write") as session:
            of_event = (RulingRow, DealValueRow, SumsRow, TallyRow)
            for table in (*of_event, *_OF_RECORD, RecordRow, MatchRow, BoardRow):
                session.execute(delete(table).where(table.event == self._event))
            session.execute(delete(EventRow).where(EventRow.id == self._event))

    # The records.

    def save(self, unit: Unit, record: BoardRecord) -> None:
        """Store the record of a unit in one transaction."""
        key = self._key(unit.id)
        pbn = format_canonical(game_of(replace(record, times=())))
        row = {**key, "board": unit.board, "pbn": pbn}
        timings = [
            {
                **key,
                "seat": seat.letter,
                "milliseconds": list(times),
                "match_seconds": record.match_seconds[seat] if record.match_seconds else None,
                "program": (record.programs[seat] or None) if record.programs else None,
            }
            for seat, times in zip(SEATS, record.times, strict=False)
        ]
        thoughts = [
            {**key, "seat": seat.letter, "thoughts": theirs}
            for seat in SEATS
            if (theirs := _thoughts_of(seat, record))
        ]
        with statements(self._engine, "write") as connection:
            connection.execute(_INSERT_RECORD, row)
            if timings:
                connection.execute(_INSERT_TIMINGS, timings)
            if thoughts:
                connection.execute(_INSERT_THOUGHTS, thoughts)

    def drop(self, units: Iterable[str]) -> None:
        """Delete the records of units, by their ids."""
        dropped = list(units)
        if not dropped:
            return
        with self._session("write") as session:
            self._delete_tallies(session)
            for unit in dropped:
                for table in (*_OF_RECORD, RecordRow):
                    session.execute(delete(table).filter_by(**self._key(unit)))

    def results(self, units: Sequence[str] | None = None) -> Iterator[tuple[str, BoardRecord]]:
        """Yield the id and the record of every unit, or of some, in schedule order.

        Of the thoughts, which are large, records have only those that tell of a language model.
        """
        if units is None:
            parts: list[Sequence[str] | None] = [None]
        else:
            parts = [units[at : at + _AT_ONCE] for at in range(0, len(units), _AT_ONCE)]
        for part in parts:
            for unit, record, _ in self._texts(part):
                yield unit, record

    def _texts(self, units: Sequence[str] | None = None) -> Iterator[tuple[str, BoardRecord, str]]:
        """Yield the `results`, each with its text, a game of PBN without times."""
        in_order = (
            self._of_units(RecordRow, units).order_by(*_SCHEDULE).execution_options(yield_per=500)
        )
        with self._session("read") as session:
            timings = self._timings(session, units)
            uses = self._model_uses(session, units)
            for row in session.scalars(in_order):
                record = replace(_record(row), thoughts=tuple(uses.get(row.unit, ())))
                yield row.unit, _timed(record, timings.get(row.unit, ())), row.pbn

    def thoughts(self, unit: str) -> tuple[RecordedThought, ...]:
        """Return the thoughts of the players of a unit, by the action they are about, then by seat.

        Those of one seat about one action are in their own order.
        """
        rows = self._of_event(ThoughtRow).filter_by(**self._key(unit))
        with self._session("read") as session:
            thoughts = [
                _thought(row, thought) for row in session.scalars(rows) for thought in row.thoughts
            ]
        return tuple(sorted(thoughts, key=_IN_ORDER))

    # The double-dummy values.

    def save_analysis(self, unit: str, values: Sequence[int] | None) -> None:
        """Store the double-dummy values of a unit: tricks before the lead and after each card.

        If another process has stored them already, they are the same.
        """
        row = {**self._key(unit), "values": None if values is None else list(values)}
        with suppress(TakenError), statements(self._engine, "write") as connection:
            connection.execute(_INSERT_ANALYSIS, row)

    def analysed(self) -> dict[str, tuple[int, ...] | None]:
        """Return the values of every unit that was analysed, by its id."""
        columns = [getattr(AnalysisRow, column) for column in _KEY]
        with self._session("read") as session:
            rows = session.execute(self._select(*columns, AnalysisRow.values))
            return {
                "/".join(map(str, key)): None if values is None else tuple(values)
                for *key, values in rows
            }

    def played(self, units: Units | None = None) -> list[Played]:
        """Return every record with its values, in schedule order.

        Args:
            units: All `results`, if they were read already.
        """
        values = self.analysed()
        read = self.results() if units is None else units
        return [Played(record, values.get(unit)) for unit, record in read]

    # The tallies that a leaderboard makes of records and values, of some tables at a time, and its
    # sums of an event whose records all have one.

    def tallies(self) -> tuple[int, list[dict[str, Any]]]:
        """Return how often tallies were deleted, and the columns of those that are kept."""
        rows = select(_TALLIES).where(_TALLIES.c.event == self._event).order_by(_TALLIES.c.number)
        deletions = select(_EVENTS.c.tally_deletions).where(_EVENTS.c.id == self._event)
        with statements(self._engine, "read") as connection:
            return connection.execute(deletions).scalar_one(), _kept(connection, rows)

    def sums(self, deletions: int) -> dict[str, Any] | None:
        """Return the columns of the sums; None if they are not of all records that there are now.

        `deletions` is how often tallies had been deleted when the caller read them.
        """
        records = select(func.count()).where(RecordRow.event == self._event).scalar_subquery()
        rows = select(_SUMS).where(
            _SUMS.c.event == self._event,
            _SUMS.c.deletions == deletions,
            _SUMS.c.records == records,
        )
        with statements(self._engine, "read") as connection:
            return next(iter(_kept(connection, rows)), None)

    def keep_tallies(self, deletions: int, number: int, columns: Mapping[str, Any]) -> bool:
        """Keep the tallies of some tables, as the `number`th, from 0; return whether that was done.

        They are not kept if tallies were deleted since there were so many `deletions`, if another
        process has kept some, or if the store cannot be written: they can be made again.
        """
        row = {"event": self._event, "number": number, **columns}
        return self._keep(deletions, _TALLIES.insert().values(row))

    def keep_sums(self, deletions: int, columns: Mapping[str, Any]) -> None:
        """Keep the sums of the event in place of others, as `keep_tallies` does."""
        row = {"event": self._event, "deletions": deletions, **columns}
        others = _SUMS.delete().where(_SUMS.c.event == self._event)
        self._keep(deletions, others, _SUMS.insert().values(row))

    def _keep(self, deletions: int, *changes: Executable) -> bool:
        event = update(_EVENTS).where(_EVENTS.c.id == self._event)
        # As it is written, nobody can delete tallies until these are there.
        same = event.where(_EVENTS.c.tally_deletions == deletions).values(tally_deletions=deletions)
        with suppress(StoreError), statements(self._engine, "write") as connection:
            if connection.execute(same).rowcount:
                for change in changes:
                    connection.execute(change)
                return True
        return False

    def delete_tallies(self) -> None:
        """Delete all tallies, to be made anew."""
        with self._session("write") as session:
            self._delete_tallies(session)

    def units(self) -> list[str]:
        """Return the ids of all units that have a record, in schedule order."""
        keys = self._select(*(getattr(RecordRow, column) for column in _KEY)).order_by(*_SCHEDULE)
        with self._session("read") as session:
            return ["/".join(map(str, key)) for key in session.execute(keys)]

    def table(self, unit: str) -> Played:
        """Return one table; the connections are closed again."""
        records = [record for _, record in self.results([unit])]
        with self._session("read") as session:
            values = session.scalar(select(AnalysisRow.values).filter_by(**self._key(unit)))
        self.close()
        if not records:
            raise StoreError(f"the record of {unit} is no longer there")
        return Played(records[0], None if values is None else tuple(values))

    # What stand-ins made of the deals and of others.

    def save_deal_values(
        self, pair: tuple[int, int], series: int, values: Mapping[int, float]
    ) -> None:
        """Store values of deals in one transaction, by the number of the board.

        Series 0 are deals of the event, those from 1 on other deals. The places of the two entries
        are the lower first.
        """
        first, second = pair
        key = {"event": self._event, "first": first, "second": second, "series": series}
        rows = [{**key, "board": board, "value": value} for board, value in values.items()]
        # If another process has stored them already, they are the same.
        with suppress(TakenError), self._session("write") as session:
            session.execute(insert(DealValueRow), rows)

    def deal_values(self) -> DealValues:
        columns = ("first", "second", "series", "board", "value")
        values: dict[tuple[int, int], dict[int, dict[int, float]]] = {}
        wanted = self._select(*(getattr(DealValueRow, column) for column in columns))
        with self._session("read") as session:
            for first, second, series, board, value in session.execute(wanted):
                by_series = values.setdefault((first, second), {})
                by_series.setdefault(series, {})[board] = value
        return values

    # The rulings of the director.

    def rulings(self) -> list[Ruling]:
        """Return the rulings, by number."""
        rows = self._of_event(RulingRow).order_by(RulingRow.number)
        with self._session("read") as session:
            made = [row.ruling for row in session.scalars(rows)]
            return checked_rulings(made, Event.model_validate_json(self._row(session).definition))

    def count_rulings(self) -> int:
        """Return how many rulings there are."""
        with self._session("read") as session:
            return self._count_rulings(session)

    def progress(self) -> Progress:
        """Return how far the event is."""
        with self._session("read") as session:
            return self._progress(session)

    def rule(self, ruling: Ruling, known: Progress) -> bool:
        """Add a ruling; return whether it was added.

        Args:
            ruling: The ruling, as `known` makes it.
            known: The progress of the event that its author knew. If the event is further on,
                nothing is added.
        """
        with self._session("write") as session:
            self._hold(session)
            if self._progress(session) != known:
                return False
            row = {"event": self._event, "number": ruling.number}
            session.execute(insert(RulingRow), [row | {"ruling": ruling.model_dump(mode="json")}])
            return True

    def _hold(self, session: Session) -> None:
        """Have other processes wait that draw a round or add a ruling, until this has ended."""
        event = update(_EVENTS).where(_EVENTS.c.id == self._event)
        session.execute(event.values(tally_deletions=_EVENTS.c.tally_deletions))

    def _count_rulings(self, session: Session) -> int:
        count = select(func.count()).where(RulingRow.event == self._event)
        return session.scalar(count) or 0

    def _progress(self, session: Session) -> Progress:
        last = select(func.max(MatchRow.round)).where(MatchRow.event == self._event)
        return Progress(
            self._count_rulings(session), session.scalar(last) or 0, self._row(session).revealed
        )

    # All together.

    def event_results(self, played: Sequence[Played] | None = None) -> EventResults:
        """Return the event and its results so far, with all tables if they were read already."""
        control = self.control()
        return EventResults(
            self.event(),
            self.played() if played is None else played,
            self.commitment(),
            None if control is None else ControlResults(control, self.deal_values()),
            tuple(self.rulings()),
        )

    def write_pbn(self, folder: Path) -> Units:
        """Write every record to the event's PBN file in its folder; return the `results`.

        Raises OSError.
        """
        units: list[tuple[str, BoardRecord]] = []
        write_pbn(folder, self.event(), self.pbn(units))
        return units

    def pbn(self, units: list[tuple[str, BoardRecord]] | None = None) -> Iterator[str]:
        """Yield the text of the event's PBN file: its header, then each record.

        Args:
            units: Gets the `results`, if it is given.
        """
        event, rulings = self.event(), self.rulings()
        on_tables = RulingsOn(event, rulings)
        yield header_of(event, self.commitment(), rulings)
        for unit, record, pbn in self._texts():
            if units is not None:
                units.append((unit, record))
            yield _with_times(with_rulings(pbn, record, on_tables), record)

    # Helpers.

    def _key(self, unit: str) -> dict[str, Any]:
        round_, match, position, room = unit.split("/")
        return {
            "event": self._event,
            "round": int(round_),
            "match": int(match),
            "position": int(position),
            "room": room,
        }

    def _timings(
        self, session: Session, of_units: Sequence[str] | None
    ) -> dict[str, list[_Timing]]:
        """Return the times of every unit, by seat."""
        timings: dict[str, list[_Timing]] = {}
        # Most are a few tenths: one float of each value saves a large event a third of its memory.
        shared: dict[float, float] = {}
        rows = self._of_units(TimingRow, of_units).execution_options(yield_per=500)
        for row in session.scalars(rows):
            seats = timings.setdefault(row.unit, [((), None, None)] * 4)
            times = tuple(shared.setdefault(time, time) for time in row.milliseconds)
            seats[Seat.parse(row.seat)] = times, row.match_seconds, row.program
        return timings

    def _model_uses(
        self, session: Session, units: Sequence[str] | None
    ) -> dict[str, list[RecordedThought]]:
        """Return the thoughts of every unit that tell of a language model, by action."""
        uses: dict[str, list[RecordedThought]] = {}
        # Most thoughts tell of none: let the database leave them out.
        telling = self._of_units(ThoughtRow, units).where(
            cast(ThoughtRow.thoughts, Text).contains('"model"')
        )
        for row in session.scalars(telling):
            thoughts = [_thought(row, thought) for thought in row.thoughts if "model" in thought]
            uses.setdefault(row.unit, []).extend(thoughts)
        for thoughts in uses.values():
            thoughts.sort(key=_IN_ORDER)
        return uses

    def _of_event(self, table: Any) -> Select[Any]:
        return select(table).where(table.event == self._event)

    def _of_units(self, table: Any, units: Sequence[str] | None) -> Select[Any]:
        """Select the rows of a table that belong to the records of some units, or of all."""
        rows = self._of_event(table)
        if units is None:
            return rows
        key = [getattr(table, column) for column in _KEY]
        wanted = [[self._key(unit)[column] for column in _KEY] for unit in units]
        return rows.where(tuple_(*key).in_(wanted))

    def _delete_tallies(self, session: Session) -> None:
        event = update(_EVENTS).where(_EVENTS.c.id == self._event)
        session.execute(event.values(tally_deletions=_EVENTS.c.tally_deletions + 1))
        for table in (SumsRow, TallyRow):
            session.execute(delete(table).where(table.event == self._event))

    def _row(self, session: Session) -> EventRow:
        return session.scalars(select(EventRow).where(EventRow.id == self._event)).one()

    def _select(self, *columns: Any) -> Select[Any]:
        return select(*columns).where(columns[0].class_.event == self._event)

    def _session(self, doing: str) -> Any:
        return transaction(self._engine, doing)


def _kept(connection: Connection, rows: Select[Any]) -> list[dict[str, Any]]:
    try:
        return [row._asdict() for row in connection.execute(rows)]
    except (RecursionError, TypeError, ValueError) as error:  # SQLite has any value
        hint = "arena leaderboard --anew makes them anew"
        raise ValueError(f"broken tallies ({hint}): {error}") from None


def _check_is_whole(path: Path) -> None:
    """Check that no write-ahead log is left beside a closed SQLite file. Raises StoreError."""
    if path.with_name(f"{path.name}-wal").exists():
        raise StoreError(f"cannot write {path}: database or disk is full")


def _delete(path: Path) -> None:
    """Delete an SQLite file and the files beside it. Raises OSError."""
    for beside in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{beside}").unlink(missing_ok=True)


def _thoughts_of(seat: Seat, record: BoardRecord) -> list[dict[str, Any]]:
    return [
        {"action": thought.action, **thought.said}
        for thought in record.thoughts
        if thought.seat is seat
    ]


def _thought(row: ThoughtRow, parts: Mapping[str, Any]) -> RecordedThought:
    """Return a thought of a row. Raises ValueError if it is not one."""
    model = parts.get("model")
    try:
        use = None if model is None else ModelUse(**model)
        return RecordedThought(Seat.parse(row.seat), **{**parts, "model": use})
    except TypeError as error:
        raise ValueError(f"a thought of another version: {error}") from None


def _record(row: RecordRow) -> BoardRecord:
    """Return the record of a row. Raises ValueError if its text is not a record."""
    text = (HEADER + row.pbn).encode("latin-1", "replace")
    why = "it has no game"
    try:
        for record in read_records(BytesIO(text)):
            return record
    except RecordedTextError as error:
        why = error.problem.reason
    raise ValueError(f"the record of {row.unit}: {why}")


def _with_times(pbn: str, record: BoardRecord) -> str:
    """Return the game of a record with its times, which are the last of its tables."""
    times = Game()
    for section in times_sections(record):
        times.add(section)
    return pbn.removesuffix("\r\n") + format_canonical(times)


def _timed(record: BoardRecord, timings: Sequence[_Timing]) -> BoardRecord:
    """Return a record with its times, as far as they are known."""
    times = tuple(milliseconds for milliseconds, _, _ in timings)
    seconds = tuple(seconds for _, seconds, _ in timings if seconds is not None)
    programs = tuple(program or "" for _, _, program in timings)
    return replace(
        record,
        times=times,
        match_seconds=seconds if len(seconds) == 4 else (),
        programs=programs if any(programs) else (),
    )


def _insert_boards(session: Session, event: int, boards: Mapping[int, GivenBoard]) -> None:
    rows = [
        {
            "event": event,
            "supply": number,
            "number": given.board.number,
            "dealer": str(given.board.dealer),
            "vulnerability": str(given.board.vulnerability),
            "deal": str(given.board.deal),
            "auction": [(str(made.call), note_of(made)) for made in given.auction] or None,
        }
        for number, given in boards.items()
    ]
    if rows:
        session.execute(insert(BoardRow), rows)


def _board(row: Any) -> GivenBoard:
    board = Board(
        row.number,
        Seat.parse(row.dealer),
        Vulnerability.parse(row.vulnerability),
        Deal.parse(row.deal),
    )
    calls = tuple(made_call(Call(call), note) for call, note in row.auction or ())
    return GivenBoard(board, calls)
