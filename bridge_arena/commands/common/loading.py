"""The results of events, from their folders, a database or a PBN file."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import Progress

from bridge_arena.board_files.problems import BoardFileError, Problem
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.oracle.dds import source
from bridge_arena.oracle.errors import SolverError
from bridge_arena.reports.common.results import STORE, pbn_in, stored_results, valued
from bridge_arena.tournaments.events.pbn_header import Header
from bridge_arena.tournaments.play.board_values import has_ledger, missing
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.schedule.recorded_events import recorded_events
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import is_url

T = TypeVar("T")


def load(source: str, problems: list[Problem]) -> list[EventResults]:
    """Load the results of all events of a source, valued by the oracle with a progress bar.

    Args:
        source: A folder, a database's URL, or a file of boards.
        problems: Gets the problems of games that are no records, which are also printed on
            standard error.

    Returns:
        The results, one for each event.

    Raises:
        UnusableError: The source cannot be read.
    """
    if is_url(source):
        return _of_stores(source, load_store)
    path = Path(source)
    if not path.is_dir():
        return _load_file(path, problems)
    if (pbn := pbn_in(path)) is not None:
        return _load_file(pbn, problems)
    return _of_stores(path / STORE, load_store)


def load_unvalued(source: str, problems: list[Problem]) -> list[EventResults]:
    """Load the same results without asking the oracle."""
    path = Path(source)
    pbn = pbn_in(path) if path.is_dir() else path
    if not is_url(source) and pbn is not None:
        return [
            EventResults(header.event, [Played(record) for record in records], header.commitment)
            for header, records in _recorded(pbn, problems)
        ]
    return _of_stores(source if is_url(source) else path / STORE, Store.event_results)


def check_once(results: Sequence[EventResults]) -> None:
    """Check that no event is there twice. Raises UnusableError."""
    for number, each in enumerate(results):
        if any(each.is_same_event(earlier) for earlier in results[:number]):
            raise UnusableError(f"{each.event.name} is there twice")


def load_store(store: Store) -> EventResults:
    """Load the results of a store, valued by the oracle, with progress. Raises StoreError."""
    return _with_progress(len(missing(store)), lambda done: stored_results(store, done))


def _of_stores(source: str | Path, read: Callable[[Store], EventResults]) -> list[EventResults]:
    try:
        stores = Store.open_all(source)
        try:
            return [read(store) for store in stores]
        finally:
            for store in stores:
                store.close()
    except StoreError as error:
        raise UnusableError(str(error)) from None


def _load_file(path: Path, problems: list[Problem]) -> list[EventResults]:
    results: list[EventResults] = []
    for header, records in _recorded(path, problems):
        total = sum(map(has_ledger, records))
        played = _with_progress(total, partial(valued, records))
        results.append(EventResults(header.event, played, header.commitment))
    return results


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
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("double-dummy analysis", total=total)
        return asyncio.run(work(lambda: progress.advance(task)))
