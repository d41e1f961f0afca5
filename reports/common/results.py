"""The results of an event: read from a store or from PBN, valued, and written as files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import DeadlineError, WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.tournaments.events.event import Event, Format
from bridge_arena.tournaments.play.board_values import complete, has_ledger, values_of
from bridge_arena.tournaments.schedule.event_files import header_of
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.store import Store

STORE = "results.sqlite"
LOG = "log.jsonl"


PBN_NAMES = ("match.pbn", "event.pbn")
"""The PBN files of a plain match and of any other event."""


def pbn_name(event: Event) -> str:
    """Return the name of an event's PBN file."""
    return PBN_NAMES[event.format is not Format.MATCH]


def pbn_in(folder: Path) -> Path | None:
    """Return the PBN file of a folder of results whose store is elsewhere.

    Args:
        folder: The folder.

    Returns:
        The file; None if the store is in the folder, or there are no results.
    """
    if (folder / STORE).exists():
        return None
    paths = (folder / name for name in PBN_NAMES)
    return next((path for path in paths if path.exists()), None)


def holds_run(folder: Path) -> bool:
    """Return whether a folder holds the results of an event."""
    return (folder / STORE).exists() or pbn_in(folder) is not None


def write_pbn(store: Store, folder: Path) -> None:
    """Write every record, in schedule order, to the event's PBN file."""
    event = store.event()
    games = (format_canonical(game_of(record)) for _, record in store.results())
    data = (header_of(event, store.commitment()) + "".join(games)).encode("latin-1")
    # Until the event is over, others may still have to play its deals.
    replace_file(folder / pbn_name(event), data, is_private=True)


async def stored_results(store: Store, on_table: Callable[[], None]) -> EventResults:
    """Value all that a store holds, and return it.

    Args:
        store: The store.
        on_table: Called after each table.

    Returns:
        The results.

    Raises:
        StoreError: The store cannot be read or written.
    """
    await complete(store, on_table)
    return store.event_results()


async def valued(records: Sequence[BoardRecord], on_table: Callable[[], None]) -> list[Played]:
    """Return records with their double-dummy values.

    Args:
        records: The records.
        on_table: Called after each record.

    Returns:
        The records with their values, in the same order.
    """
    with Oracle() as oracle:

        async def value(record: BoardRecord) -> Played:
            try:
                values = await values_of(record, oracle) if has_ledger(record) else None
            except (DeadlineError, WorkerError):
                values = None
            on_table()
            return Played(record, values)

        return list(await asyncio.gather(*map(value, records)))
