"""The store of a ladder: its players, their versions, its matches and the sums of pairs.

The matches are events of the same database, each with its boards. A match and the sums that it
changes are one transaction, which costs the same however many boards there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.ladder.authors.newcomers import check_new_player
from bridge_arena.tournaments.ladder.ladder_file import (
    MOST_PLAYERS,
    LadderDefinition,
    Registration,
    match_name,
)
from bridge_arena.tournaments.ladder.players import LadderError, Player, State, Version
from bridge_arena.tournaments.ladder.store.alert_store import AlertStore
from bridge_arena.tournaments.ladder.store.audit_store import AuditStore
from bridge_arena.tournaments.ladder.store.author_store import AuthorStore
from bridge_arena.tournaments.ladder.store.consistency_store import ConsistencyStore
from bridge_arena.tournaments.ladder.store.match_archive import MatchArchive
from bridge_arena.tournaments.ladder.store.people_store import PeopleStore
from bridge_arena.tournaments.ladder.store.played_boards import PlayedBoards
from bridge_arena.tournaments.ladder.store.registration_store import RegistrationStore
from bridge_arena.tournaments.ladder.store.retention import OldThoughts
from bridge_arena.tournaments.ladder.store.rows import COUNTS, hold, last_number, note_pbn_size, now
from bridge_arena.tournaments.ladder.store.sequential_test_store import SequentialTestStore
from bridge_arena.tournaments.ladder.store.style_store import StyleStore
from bridge_arena.tournaments.ladder.store.week_store import WeekStore
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, Pair, PairSums, Sums
from bridge_arena.tournaments.ladder.strength.weeks import Performance, week_of
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import (
    connect,
    create_schema,
    is_empty,
    is_locked,
    is_prepared,
    locked,
    name,
    transaction,
)
from bridge_arena.tournaments.store.models import (
    Base,
    EventRow,
    LadderMatchRow,
    LadderOrderRow,
    LadderPairRow,
    LadderPlayerRow,
    LadderRow,
    LadderTestRow,
    LadderVersionRow,
)

_PAIRS = Base.metadata.tables["ladder_pair"]

_SIZE = len(SWINGS) * COUNTS.itemsize

_COLUMNS = [
    (name, f"V{_SIZE}" if name == "swings" else "f8" if name == "seconds" else "i8")
    for name in _PAIRS.columns.keys()  # noqa: SIM118
]
"""The columns of pairs as they are read."""


@dataclass(frozen=True, slots=True)
class LadderMatch:
    """A match of a ladder."""

    number: int  # its number in the ladder, from 1
    home: int  # the number of the version that is the home team
    visitors: int  # the number of the other version
    seconds: float = 0.0  # for which it was played, in all stretches

    @property
    def versions(self) -> tuple[int, int]:
        """The versions that meet."""
        return self.home, self.visitors


class PlacesOfMatches(NamedTuple):
    """How many matches at once can be played."""

    tables: int  # on the machine that plays the ladder
    threads: int  # by the workers of a cluster


class LadderStore:
    """The store of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder
        # Takes the lock again if the server has lost it.
        self._lock_again: Callable[[], None] = lambda: None
        self.tests = SequentialTestStore(engine, ladder)
        self.consistency = ConsistencyStore(engine, ladder)
        self.archive = MatchArchive(engine, ladder)
        self.old_thoughts = OldThoughts(engine, ladder)
        self.weeks = WeekStore(engine, ladder)
        self.styles = StyleStore(engine, ladder)
        self.audits = AuditStore(engine, ladder)
        self.alerts = AlertStore(engine, ladder)
        self.authors = AuthorStore(engine, ladder)
        self.registration = RegistrationStore(engine, ladder)
        self.people = PeopleStore(engine, ladder)

    @classmethod
    def open(
        cls,
        source: str | Path,
        definition: LadderDefinition | None = None,
        ladder: str | None = None,
    ) -> LadderStore:
        """Open a ladder of a database: the only one, that of a name, or that of a definition.

        With a definition, the ladder is made if it is not there. Raises StoreError.
        """
        if definition is not None:
            ladder = definition.name
        is_file = isinstance(source, Path)
        if is_file and definition is None and not Path(source).exists():
            raise StoreError(f"{Path(source).parent} holds no ladder")
        if is_file:
            # Only its owner may read it; SQLite gives the files beside it the same mode.
            Path(source).touch(mode=0o600)
        engine = connect(source)
        try:
            return cls(engine, cls._find(engine, definition, ladder, is_file=is_file))
        except StoreError:
            engine.dispose()
            raise

    @classmethod
    def _find(
        cls,
        engine: Engine,
        definition: LadderDefinition | None,
        ladder: str | None,
        *,
        is_file: bool,
    ) -> int:
        """Return the id of a ladder, which is made by a definition if it is not there."""
        if not is_prepared(engine):
            if definition is None and is_empty(engine):
                raise StoreError(f"{name(engine)} holds no ladder")
            create_schema(engine)
        wanted = select(LadderRow.id)
        if ladder is not None:
            wanted = wanted.where(LadderRow.name == ladder)
        with transaction(engine, "write" if definition else "read") as session:
            keys = list(session.scalars(wanted))
            if is_file and not keys:
                # A folder has one ladder, as its matches have their files there by number.
                folder, other = Path(name(engine)).parent, session.scalar(select(LadderRow.name))
                if other is not None:
                    raise StoreError(f"{folder} holds the ladder {other!r}, and not {ladder!r}")
                if session.scalar(select(func.count(EventRow.id))):
                    raise StoreError(f"{folder} holds an event, and no ladder")
            if definition is not None and not keys:
                row = LadderRow(name=definition.name, definition=definition.model_dump_json())
                session.add(row)
                session.flush()
                keys = [row.id]
        if len(keys) != 1:
            which = f"{len(keys)} ladders: name one" if keys else "no ladder"
            called = f" called {ladder!r}" if ladder is not None and not keys else ""
            raise StoreError(f"{name(engine)} holds {which}{called}")
        return keys[0]

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    @property
    def kind(self) -> str:
        """What keeps it."""
        return "PostgreSQL" if self._engine.dialect.name == "postgresql" else "SQLite"

    @property
    def folder(self) -> Path | None:
        """The folder of an SQLite file; None for a database of a server."""
        is_file = self._engine.dialect.name == "sqlite"
        return Path(name(self._engine)).parent if is_file else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the ladder while it is played, so that no other process plays it."""
        # Events have the numbers from 1 on.
        with locked(self._engine, -self._ladder) as self._lock_again:
            yield

    def check(self) -> None:
        """Check that the store can be written, and is locked as before if it was."""
        self._lock_again()
        with self._session("write") as session:
            hold(session, self._ladder)

    def is_being_played(self) -> bool:
        """Return whether a process plays the ladder. Raises OSError too."""
        return is_locked(self._engine, -self._ladder)

    def definition(self) -> LadderDefinition:
        """Return the ladder's definition."""
        with self._session("read") as session:
            row = session.scalars(select(LadderRow).where(LadderRow.id == self._ladder)).one()
            return LadderDefinition.model_validate_json(row.definition)

    def define(self, definition: LadderDefinition) -> None:
        """Replace the definition; who does so has locked the ladder. Raises LadderError."""
        if definition.template.mode is not self.definition().template.mode:
            raise LadderError(
                f"the ladder {definition.name!r} was begun in another mode, whose boards do not "
                "compare: give this one another name"
            )
        changed = update(LadderRow).where(LadderRow.id == self._ladder)
        with self._session("write") as session:
            session.execute(changed.values(definition=definition.model_dump_json()))

    @property
    def place(self) -> tuple[Engine, int]:
        """The database, and the ladder's id there."""
        return self._engine, self._ladder

    def note_backup(self, made: datetime) -> None:
        """Note that a backup was made."""
        of_ladder = update(LadderRow).where(LadderRow.id == self._ladder)
        with self._session("write") as session:
            session.execute(of_ladder.values(backed_up=made.isoformat(timespec="seconds")))

    def last_backup(self) -> datetime | None:
        """Return when the last backup was made; None if there is none."""
        with self._session("read") as session:
            made = session.scalar(select(LadderRow.backed_up).where(LadderRow.id == self._ladder))
            return None if made is None else datetime.fromisoformat(made)

    def note_places(self, places: PlacesOfMatches) -> None:
        """Note how many matches at once can be played."""
        of_ladder = update(LadderRow).where(LadderRow.id == self._ladder)
        with self._session("write") as session:
            session.execute(of_ladder.values(places._asdict()))

    def places(self) -> PlacesOfMatches | None:
        """Return how many matches at once could be played last; None if that is not known."""
        columns = select(LadderRow.tables, LadderRow.threads)
        with self._session("read") as session:
            tables, threads = session.execute(columns.where(LadderRow.id == self._ladder)).one()
        return None if tables is None else PlacesOfMatches(tables, threads or 0)

    # The players.

    def players(self) -> dict[int, Player]:
        """Return the players by their numbers, in the order of arrival."""
        rows = self._of(LadderPlayerRow).order_by(LadderPlayerRow.number)
        with self._session("read") as session:
            return {row.number: _player(row) for row in session.scalars(rows)}

    def enter(
        self,
        registration: Registration,
        folder: Path | None = None,
        most: int | None = None,
        *,
        must_be_new: bool = False,
    ) -> bool:
        """Enter a player, or give the one of that name other settings. Raises LadderError.

        Args:
            registration: The player.
            folder: The folder from which its programs are found; None for the arena's own.
            most: The players that its author may have; None for any number of all players.
            must_be_new: Whether no player may have that name, or one that looks like it, and the
                author adds players within the limit.

        Returns:
            Whether it is new.
        """
        entrant = registration.entrant
        facts = {
            "author": registration.author,
            "definition": entrant.model_dump_json(),
            "folder": None if folder is None else str(folder.resolve()),
        }
        of_name = LadderPlayerRow.ladder == self._ladder, LadderPlayerRow.name == entrant.name
        with self._session("write") as session, self._quota(session, registration.author, most):
            if must_be_new:
                players = map(_player, session.scalars(self._of(LadderPlayerRow)))
                check_new_player(entrant.name, registration.author, players)
            change = update(LadderPlayerRow).where(*of_name).values(facts)
            if session.connection().execute(change).rowcount:
                return False
            row = {"name": entrant.name, "state": State.ACTIVE, "is_there": False, **facts}
            number = self._next_number(session, LadderPlayerRow)
            if most is not None and number > MOST_PLAYERS:
                raise LadderError(
                    f"the ladder has {number - 1} players: only its file may have more than "
                    f"{MOST_PLAYERS}"
                )
            self._insert(session, LadderPlayerRow, number, row)
            return True

    def set_state(
        self,
        player: str,
        state: State,
        most: int | None = None,
        *,
        unless: State | None = None,
    ) -> None:
        """Set what a player may do. Raises LadderError, also if there is no such player.

        Args:
            player: Its name.
            state: What it may do.
            most: The players that its author may have; None for any number.
            unless: The state that must stay as it is; None for none.
        """
        of_name = LadderPlayerRow.ladder == self._ladder, LadderPlayerRow.name == player
        with self._session("write") as session:
            author = session.scalar(select(LadderPlayerRow.author).where(*of_name))
            if author is None:
                raise LadderError(f"no player is called {player!r}")
            with self._quota(session, author, most):
                change = update(LadderPlayerRow).where(*of_name).values(state=state)
                if unless is not None:
                    change = change.where(LadderPlayerRow.state != unless)
                if not session.connection().execute(change).rowcount:
                    raise LadderError(f"{player} is {unless}")

    @contextmanager
    def _quota(self, session: Session, author: str, most: int | None) -> Iterator[None]:
        """Let nothing in the context give an author more than so many players.

        Those count that play or pause. Who has more by the ladder's file may keep them. Raises
        LadderError.
        """
        hold(session, self._ladder)
        staying = select(func.count()).where(
            LadderPlayerRow.ladder == self._ladder,
            LadderPlayerRow.author == author,
            LadderPlayerRow.state.in_((State.ACTIVE, State.PAUSED)),
        )
        before = session.scalar(staying) or 0
        yield
        if author and most is not None and (session.scalar(staying) or 0) > max(before, most):
            raise LadderError(
                f"{author} has {before} players, and may have {most}: retire one of them, or raise "
                "players_of_author in the ladder's file"
            )

    def note_presence(self, player: int, version: int | None, *, is_there: bool) -> None:
        """Note which version of a player is there, and whether it can play."""
        of_player = LadderPlayerRow.ladder == self._ladder, LadderPlayerRow.number == player
        facts = {"version": version, "is_there": is_there}
        with self._session("write") as session:
            session.execute(update(LadderPlayerRow).where(*of_player).values(facts))

    def versions(self) -> dict[int, Version]:
        """Return all versions by their numbers."""
        rows = self._of(LadderVersionRow).order_by(LadderVersionRow.number)
        with self._session("read") as session:
            return {
                row.number: Version(row.number, row.player, row.identity, row.since)
                for row in session.scalars(rows)
            }

    def add_version(self, player: int, identity: str) -> Version:
        """Add a version of a player, in the place of its last one if that has met nobody.

        So who comes in ever other versions, and plays none of them, fills no table.
        """
        since = now()
        row = {"player": player, "identity": identity, "since": since, "news": ""}
        own = LadderVersionRow.ladder == self._ladder, LadderVersionRow.player == player
        with self._session("write") as session:
            hold(session, self._ladder)  # no test begins meanwhile
            number = session.scalar(select(func.max(LadderVersionRow.number)).where(*own))
            if number is None or self._is_in_use(session, number):
                number = self._next_number(session, LadderVersionRow)
                self._insert(session, LadderVersionRow, number, row)
            else:
                of_version = *own, LadderVersionRow.number == number
                session.execute(update(LadderVersionRow).where(*of_version).values(row))
        return Version(number, player, identity, since)

    def is_version_in_use(self, version: int) -> bool:
        """Return whether a version has met another, or is to: no other takes its place."""
        with self._session("read") as session:
            return self._is_in_use(session, version)

    def _is_in_use(self, session: Session, version: int) -> bool:
        """Return whether a version has met another, or is to."""
        uses = [
            (LadderPairRow, LadderPairRow.first, LadderPairRow.second),
            (LadderMatchRow, LadderMatchRow.home, LadderMatchRow.visitors),
            (LadderTestRow, LadderTestRow.new, LadderTestRow.base),
        ]
        for row, one, other in uses:
            which = self._of(row).where(or_(one == version, other == version))
            if row is LadderMatchRow:  # the others are in pairs, and many
                which = which.where(LadderMatchRow.is_over.is_(False))
            if session.scalars(which.limit(1)).first() is not None:
                return True
        return False

    # The matches.

    def draw(self, home: int, visitors: int) -> LadderMatch:
        """Add a match between two versions, under a number that no other event's name has."""
        row = {"home": home, "visitors": visitors, "is_over": False, "began": now()}
        with self._session("write") as session:
            ladder = session.scalars(select(LadderRow).where(LadderRow.id == self._ladder)).one()
            number = self._next_number(session, LadderMatchRow)
            while session.scalar(
                select(EventRow.id).where(EventRow.name == match_name(ladder.name, number))
            ):
                number += 1
            self._insert(session, LadderMatchRow, number, row)
        return LadderMatch(number, home, visitors)

    def open_matches(self) -> list[LadderMatch]:
        """Return the matches that are not over."""
        is_open = self._of(LadderMatchRow).where(LadderMatchRow.is_over.is_(False))
        # Put in order here, as SQLite would read all matches in their order.
        return sorted(self._read_matches(is_open), key=lambda match: match.number)

    def latest_matches(self, number: int) -> list[LadderMatch]:
        """Return so many matches that were drawn last."""
        matches = self._of(LadderMatchRow).order_by(LadderMatchRow.number.desc())
        return self._read_matches(matches.limit(number))

    def _read_matches(self, rows: Any) -> list[LadderMatch]:
        with self._session("read") as session:
            return [
                LadderMatch(row.number, row.home, row.visitors, row.seconds or 0.0)
                for row in session.scalars(rows)
            ]

    def adjourn(self, match: LadderMatch) -> None:
        """Note for how long a match was played that goes on another time."""
        of_match = update(LadderMatchRow).where(
            LadderMatchRow.ladder == self._ladder, LadderMatchRow.number == match.number
        )
        with self._session("write") as session:
            session.execute(of_match.values(seconds=match.seconds))

    def count_matches(self) -> int:
        """Return how many matches were drawn."""
        with self._session("read") as session:
            return last_number(session, self._ladder, LadderMatchRow)

    def event_store(self, event: Event) -> Store:
        """Open the store of the event of a match, and create it unless that was done.

        It shares the connections, and is not to be closed.
        """
        return Store.beside(self._engine, event)

    def end(
        self,
        match: LadderMatch,
        sums: PairSums,
        orders: Iterable[Pair] = (),
        performed: Mapping[int, Performance] | None = None,
        time: str | None = None,
        pbn: tuple[str, int] | None = None,
        played: PlayedBoards | None = None,
    ) -> list[LadderTest]:
        """Count a match that is over, and what it proves, in one transaction.

        Args:
            match: The match, which was open.
            sums: Its own sums, seen from the home team.
            orders: The versions that it shows to be stronger, each with a weaker one.
            performed: What its versions did in it, by their numbers.
            time: When it was over, in ISO 8601; None for now.
            pbn: The week of that time and the size of its PBN file, if it was written there.
            played: Its boards; None if they are not known.

        Returns:
            The tests that it ends.
        """
        first, second = pair_of(match)
        time = time or now()
        facts = {
            "is_over": True,
            "ended": time,
            "seconds": sums.seconds,
            "boards": sums.boards,
            "imps": sums.imps,
            "swings": None if played is None else played.stored_swings,
        }
        sums = sums if match.home == first else sums.turned()
        of_match = update(LadderMatchRow).where(
            LadderMatchRow.ladder == self._ladder,
            LadderMatchRow.number == match.number,
            LadderMatchRow.is_over.is_(False),
        )
        of_pair = self._of(LadderPairRow).where(
            LadderPairRow.first == first, LadderPairRow.second == second
        )
        with self._session("write") as session:
            if not session.connection().execute(of_match.values(facts)).rowcount:
                raise ValueError(f"match {match.number} is over already")
            self.weeks.count(session.connection(), week_of(time), performed or {})
            if played is not None:
                styles = dict(zip(match.versions, played.styles, strict=True))
                self.styles.count(session.connection(), styles)
            if pbn is not None:
                note_pbn_size(session, self._ladder, *pbn)
            ended = self.tests.count(session, match.number, (first, second), sums)
            row = session.scalars(of_pair).one_or_none()
            if row is not None:
                sums = _sums(row) + sums
                session.delete(row)
                session.flush()
            values = {"ladder": self._ladder, **pair_values((first, second), sums)}
            session.execute(insert(LadderPairRow), [values])
            shown = {"ladder": self._ladder, "match": match.number}
            rows = [{**shown, "ahead": ahead, "behind": behind} for ahead, behind in orders]
            if rows:
                session.execute(insert(LadderOrderRow), rows)
        return ended

    def sums(self) -> Sums:
        """Return the sums of all pairs of versions that have met."""
        # Without SQLAlchemy's mapping to objects, which would take longer than all else.
        of_ladder = select(_PAIRS).where(_PAIRS.c.ladder == self._ladder)
        with self._session("read") as session:
            rows = session.connection().execute(of_ladder)
            read = np.fromiter(map(tuple, rows), _COLUMNS)
        swings = np.frombuffer(read["swings"].tobytes(), COUNTS).reshape(-1, len(SWINGS))
        return Sums(
            np.column_stack([read["first"], read["second"]]),
            swings.astype(np.int64),
            read["matches"],
            read["first_home"],
            read["seconds"],
            np.column_stack([read["left_first"], read["left_second"]]),
            np.column_stack([read["faults_first"], read["faults_second"]]),
            read["split_boards"],
        )

    def orders(self) -> list[Pair]:
        """Return the versions that are surely stronger than another, with that."""
        with self._session("read") as session:
            columns = select(LadderOrderRow.ahead, LadderOrderRow.behind)
            rows = session.connection().execute(
                columns.where(LadderOrderRow.ladder == self._ladder)
            )
            return [(ahead, behind) for ahead, behind in rows]

    # Helpers.

    def _of(self, table: Any) -> Any:
        return select(table).where(table.ladder == self._ladder)

    def _next_number(self, session: Session, table: Any) -> int:
        """Return the number of the next row; other processes wait that add rows, too."""
        hold(session, self._ladder)
        return last_number(session, self._ladder, table) + 1

    def _insert(self, session: Session, table: Any, number: int, row: Mapping[str, Any]) -> None:
        session.execute(insert(table), [{"ladder": self._ladder, "number": number, **row}])

    def _session(self, doing: str) -> AbstractContextManager[Session]:
        return transaction(self._engine, doing)


def matches_of_ladders(source: str | Path) -> dict[str, set[str]]:
    """Return the names of the matches of each ladder of a database, by its name.

    Raises StoreError.
    """
    if isinstance(source, Path) and not source.exists():
        return {}
    engine = connect(source)
    try:
        if not is_prepared(engine):
            if is_empty(engine):
                return {}
            create_schema(engine)
        matches = select(LadderRow.name, LadderMatchRow.number).join_from(
            LadderRow, LadderMatchRow, LadderMatchRow.ladder == LadderRow.id, isouter=True
        )
        names: dict[str, set[str]] = {}
        with transaction(engine, "read") as session:
            for ladder, number in session.execute(matches):
                names.setdefault(ladder, set()).add(match_name(ladder, number))
    finally:
        engine.dispose()
    return names


def pair_of(match: LadderMatch) -> Pair:
    """Return the versions of a match, the one that came first in front."""
    first, second = sorted(match.versions)
    return first, second


def _player(row: LadderPlayerRow) -> Player:
    entrant = Entrant.model_validate_json(row.definition)
    if row.folder is not None:
        entrant = entrant.located(Path(row.folder))
    state = State(row.state)
    return Player(
        row.number,
        entrant,
        row.author,
        state,
        row.version,
        row.is_there,
        row.system,
        row.home,
    )


def _sums(row: Any) -> PairSums:
    return PairSums(
        tuple(np.frombuffer(row.swings, COUNTS).tolist()),
        row.matches,
        row.first_home,
        row.seconds,
        (row.left_first, row.left_second),
        (row.faults_first, row.faults_second),
        row.split_boards,
    )


def pair_values(pair: Pair, sums: PairSums) -> dict[str, Any]:
    """Return the row of a pair's sums, without its ladder."""
    return {
        "first": pair[0],
        "second": pair[1],
        "swings": np.array(sums.swings, COUNTS).tobytes(),
        "matches": sums.matches,
        "first_home": sums.first_home,
        "seconds": sums.seconds,
        "left_first": sums.left[0],
        "left_second": sums.left[1],
        "faults_first": sums.faults[0],
        "faults_second": sums.faults[1],
        "split_boards": sums.split_boards,
    }
