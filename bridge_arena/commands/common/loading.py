"""The results of events, from their folders, a database or a PBN file."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bridge_arena.base.lazy import LazySequence
from bridge_arena.base.masking import without_password
from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError, complain, unusable
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.oracle.dds import source
from bridge_arena.oracle.errors import SolverError
from bridge_arena.tournaments import STORE, EventResults, Played, Store, StoreError
from bridge_arena.tournaments.play.board_values import complete, has_ledger, missing, valued
from bridge_arena.tournaments.schedule.event_files import Header, pbn_in, recorded_events
from bridge_arena.tournaments.store import Units
from bridge_arena.tournaments.store.database import is_url

T = TypeVar("T")


class Extent(Enum):
    """What is loaded of results."""

    RECORDS = auto()  # the records, and what the oracle has said of them
    VALUED = auto()  # the records, all valued by the oracle, with progress
    TALLIED = auto()  # the same, but records that have a tally are read when they are asked for
    ANEW = auto()  # the same, with tallies that are made anew


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event that a source holds."""

    source: str
    # What tells the event from others: no boards, if it was committed to its deals.
    known: EventResults
    load: Callable[[Extent], EventResults]  # loads its results


def open_store(source: str | Path, event: str | None = None) -> Store:
    """Open the store of an event that was begun. Raises UnusableError."""
    with unusable(StoreError):
        return Store.open(source, event)


def open_run(source: str, event: str | None = None) -> Store:
    """Open the store of an event, from its folder or its database's URL. Raises UnusableError."""
    if is_url(source):
        return open_store(source, event)
    folder = Path(source)
    if folder.is_dir() and pbn_in(folder) is not None:
        raise UnusableError(f"the store of {folder} is elsewhere: give its database's URL")
    return open_store(folder / STORE, event)


def find_store(url: str, event: str) -> Store | None:
    """Open the store of an event in a database; None if it was not begun. Raises UnusableError."""
    with unusable(StoreError):
        return next(iter(Store.open_all(url, event)), None)


def load(
    source: str,
    problems: list[Problem],
    extent: Extent = Extent.VALUED,
    *,
    beside_ladders: bool = False,
) -> list[EventResults]:
    """Load the results of all events of a source.

    A source is a folder, a database's URL, or a file of boards. `problems` gets those of games that
    are no records, which are also printed on standard error. Nothing is said of ladders, and there
    may be nothing else, if what is asked for is the events `beside_ladders`. Raises UnusableError.
    """
    events = _events_in(source, problems, beside_ladders=beside_ladders)
    return [event.load(extent) for event in events]


def load_once(
    sources: Sequence[str], problems: list[Problem], extent: Extent
) -> list[EventResults]:
    """Load the results of all events of some sources, which may hold each event only once.

    Raises UnusableError, for an event that is there twice before the oracle is asked.
    """
    events = [event for source in sources for event in _events_in(source, problems)]
    names = [event.source for event in events]
    _check_once(names, [event.known for event in events])
    results = [event.load(extent) for event in events]
    # Once more by the boards: a file may be of an event that was committed to, and not say so.
    _check_once(names, results)
    return results


def _check_once(sources: Sequence[str], results: Sequence[EventResults]) -> None:
    """Check that no event is there twice. Raises UnusableError."""
    for number, later in enumerate(results):
        for earlier in range(number):
            if later.is_same_event(results[earlier]):
                where = " and in ".join(dict.fromkeys((sources[earlier], sources[number])))
                raise UnusableError(f"{later.event.name} is there twice: in {where}")


def load_store(store: Store, units: Units | None = None) -> EventResults:
    """Load the results of a store, valued by the oracle, with progress. Raises StoreError.

    Args:
        units: All results, if they were read already.
    """
    units = list(store.results()) if units is None else units
    if left := missing(store, units):
        _with_progress(len(left), lambda done: complete(store, left, done))
    return store.event_results(store.played(units))


def load_tallied(store: Store) -> EventResults:
    """Load the results of a store as `load_store` does, and keep the tallies of all its tables.

    Records that have a tally are read when they are asked for. If all have one, the sums are kept
    too, and then tables are made when they are asked for. Raises StoreError and ValueError.
    """
    from bridge_arena.reports.common.tallies import TalliedPlayed
    from bridge_arena.reports.leaderboard.event_figures import (
        KeptResults,
        event_figures,
        packed_figures,
        unpacked_figures,
    )

    # In this order: another process may add boards, then records, then tallies, then sums.
    deletions, kept = store.tallies()
    sums = store.sums(deletions)
    if sums is not None:
        played = LazySequence(partial(_same_tables, store, sums["records"]))
        results = store.event_results(played)
        if (figures := unpacked_figures(sums, results, kept)) is not None:
            return KeptResults.of(results, figures)
    results = store.event_results(_tallied_tables(store, deletions, kept))
    if not all(isinstance(table, TalliedPlayed) for table in results.played):
        return results
    figures = event_figures(results)
    store.keep_sums(deletions, packed_figures(figures))
    return KeptResults.of(results, figures)


def _same_tables(store: Store, count: int) -> list[Played]:
    """Return the tables of a store that was read before, and close it again. Raises StoreError."""
    with closing(store):
        tables = _tallied_tables(store, *store.tallies())
    if len(tables) != count:
        raise StoreError("more was played while the store was read: try once more")
    return tables


def _tallied_tables(
    store: Store, deletions: int, kept: Sequence[Mapping[str, Any]]
) -> list[Played]:
    from bridge_arena.reports.common.tallies import packed_tables, unpacked_tables

    units = store.units()
    boards = {number: given.board for number, given in store.boards().items()}
    tables = unpacked_tables(kept, boards, store.table)
    by_unit: dict[str, Played] = {table.unit: table for table in tables}
    if not by_unit.keys() <= set(units):  # records were deleted without their tallies
        store.delete_tallies()
        return _tallied_tables(store, *store.tallies())
    if len(by_unit) == len(units):
        return [by_unit[unit] for unit in units]
    read = list(store.results([unit for unit in units if unit not in by_unit]))
    if left := missing(store, read):
        _with_progress(len(left), lambda done: complete(store, left, done))
    values = store.analysed()
    others = {unit: Played(record, values.get(unit)) for unit, record in read}
    numbers = {board: number for number, board in boards.items()}
    # Others may still get values.
    final = {
        unit: table
        for unit, table in others.items()
        if table.board in numbers and (unit in values or not has_ledger(table.record))
    }
    is_kept = final and store.keep_tallies(deletions, len(kept), packed_tables(final, numbers))
    if is_kept and len(final) == len(others):
        return _tallied_tables(store, *store.tallies())
    by_unit |= others
    # A record may have been deleted since.
    return [by_unit[unit] for unit in units if unit in by_unit]


def _events_in(
    source: str, problems: list[Problem], *, beside_ladders: bool = False
) -> list[StoredEvent]:
    """Return the events of a source. Raises UnusableError."""
    if is_url(source):
        return _in_stores(source, without_password(source), beside_ladders=beside_ladders)
    path = Path(source)
    pbn = pbn_in(path) if path.is_dir() else path
    if pbn is None:
        return _in_stores(path / STORE, source, beside_ladders=beside_ladders)
    return [_in_file(source, *recorded) for recorded in _recorded(pbn, problems)]


def _in_stores(place: str | Path, source: str, *, beside_ladders: bool) -> list[StoredEvent]:
    """Return the events of a database, without the matches of ladders. Raises UnusableError."""

    def load(store: Store, extent: Extent) -> EventResults:
        with unusable(StoreError, ValueError), closing(store):
            if extent is Extent.RECORDS:
                return store.event_results()
            if extent is Extent.ANEW:
                store.delete_tallies()
            return load_store(store) if extent is Extent.VALUED else load_tallied(store)

    # Imported here, as a match begins without it.
    from bridge_arena.tournaments.ladder.store.ladder_store import matches_of_ladders

    events: list[StoredEvent] = []
    with unusable(StoreError):
        ladders = matches_of_ladders(place)
        for store in Store.open_all(place, others=set().union(*ladders.values())):
            with closing(store):
                event, commitment = store.event(), store.commitment()
                played = [] if commitment is not None else store.played()
                known = EventResults(event, played, commitment)
            events.append(StoredEvent(source, known, partial(load, store)))
    for ladder in () if beside_ladders else ladders:
        text = f"{source} holds the ladder {ladder!r}: arena ladder status shows its leaderboard"
        if not events:
            raise UnusableError(text)
        complain(f"{text}, and its matches are left out")
    return events


def _in_file(source: str, header: Header, records: list[BoardRecord]) -> StoredEvent:
    played = [Played(record) for record in records]
    results = EventResults(header.event, played, header.commitment, rulings=header.rulings)

    def load(extent: Extent) -> EventResults:
        if extent is Extent.RECORDS:
            return results
        total = sum(map(has_ledger, records))
        return replace(results, played=_with_progress(total, partial(valued, records)))

    return StoredEvent(source, results, load)


def _recorded(path: Path, problems: list[Problem]) -> list[tuple[Header, list[BoardRecord]]]:
    """Read the events of a PBN file, and print the problems of games that are no records."""
    own: list[Problem] = []
    try:
        events = recorded_events(path, own)
    except BoardFileError as error:
        raise UnusableError(str(error)) from None
    except ValueError as error:
        raise UnusableError(f"{path}: {error}") from None
    for problem in own:
        print(f"arena: {problem}", file=sys.stderr)
    problems += own
    return events


def _with_progress(total: int, work: Callable[[Callable[[], None]], Coroutine[Any, Any, T]]) -> T:
    if total:
        try:
            source()
        except SolverError as error:
            print(f"arena: no double-dummy figures: {error}", file=sys.stderr)
    with LongWork() as long_work:
        step = long_work.begin("double-dummy analysis", total, "tables")
        return asyncio.run(work(step.advance))
