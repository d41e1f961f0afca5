"""The results of an event: read from a store or from PBN, valued, and written as files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from bridge_arena.base.whole_files import replace_file
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.errors import DeadlineError, WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.tournaments.events.event import Event, Format
from bridge_arena.tournaments.events.pbn_header import header_of
from bridge_arena.tournaments.play.board_values import complete, has_ledger, values_of
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.store import Store

STORE = "results.sqlite"
LOG = "log.jsonl"


PBN_NAMES = ("match.pbn", "event.pbn")
"""Of a plain match, and of any other event."""


def pbn_name(event: Event) -> str:
    """The PBN file of an event."""
    return PBN_NAMES[event.format is not Format.MATCH]


def pbn_in(folder: Path) -> Path | None:
    """The PBN file of a folder of results whose store is elsewhere; None where it is there,
    or nothing is."""
    if (folder / STORE).exists():
        return None
    paths = (folder / name for name in PBN_NAMES)
    return next((path for path in paths if path.exists()), None)


def holds_run(folder: Path) -> bool:
    """Whether the results of an event are in a folder."""
    return (folder / STORE).exists() or pbn_in(folder) is not None


def write_pbn(store: Store, folder: Path) -> None:
    """Write every record, in schedule order, to the event's PBN file."""
    event = store.event()
    games = (format_canonical(game_of(record)) for _, record in store.results())
    data = (header_of(event, store.commitment()) + "".join(games)).encode("latin-1")
    # While the event is not over it has deals that others may still have to play.
    replace_file(folder / pbn_name(event), data, is_private=True)


async def stored_results(store: Store, on_table: Callable[[], None]) -> EventResults:
    """What a store holds, with what the oracle says of all of it. Raises StoreError."""
    await complete(store, on_table)
    return EventResults(store.event(), store.played(), store.commitment())


async def valued(records: Sequence[BoardRecord], on_table: Callable[[], None]) -> list[Played]:
    """Records with what the oracle says of them. `on_table` is called as each is done."""
    with Oracle() as oracle:

        async def value(record: BoardRecord) -> Played:
            try:
                values = await values_of(record, oracle) if has_ledger(record) else None
            except (DeadlineError, WorkerError):
                values = None
            on_table()
            return Played(record, values)

        return list(await asyncio.gather(*map(value, records)))
