"""The results of an event: read from a store or from PBN, valued, and written as files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.oracle.errors import DeadlineError, WorkerError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.model import Problem
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.reports.match.pairing import MatchKey, by_match, team_names
from bridge_arena.tournaments.events.event import Entrant, Event, Format
from bridge_arena.tournaments.events.pbn_header import Header, header_in, header_of
from bridge_arena.tournaments.play.ledgers import complete, has_ledger, values_of
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.played import EventResults, Played
from bridge_arena.tournaments.store.whole_files import replace_file

if TYPE_CHECKING:
    from bridge_arena.reports.match.figures import MatchFigures

STORE = "results.sqlite"
SUMMARY = "summary.json"
REPORT = "report.html"
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


def write_pbn(store: Store, folder: Path) -> None:
    """Write every record, in schedule order, to the event's PBN file."""
    event = store.event()
    games = (format_canonical(game_of(record)) for _, record in store.results())
    data = (header_of(event, store.commitment()) + "".join(games)).encode("latin-1")
    # While the event is not over it has deals that others may still have to play.
    replace_file(folder / pbn_name(event), data, is_private=True)


def write_match_report(figures: MatchFigures, folder: Path) -> None:
    """Write `summary.json` and `report.html`."""
    # Slow to load, and nothing of it is needed while boards are played.
    from bridge_arena.reports.match import html  # noqa: PLC0415
    from bridge_arena.reports.match.summary import summary  # noqa: PLC0415

    replace_file(folder / SUMMARY, (json.dumps(summary(figures), indent=2) + "\n").encode())
    replace_file(folder / REPORT, html.render(figures).encode())


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


def recorded_events(path: Path, problems: list[Problem]) -> list[tuple[Header, list[BoardRecord]]]:
    """The events of a PBN file with their records: the one that its header tells, else one
    for each match of two teams. Raises PbnError; games that are no records are added to
    `problems`."""
    header = header_in(path)
    records = list(read_records(path, problems))
    if header is not None:
        return [(header, records)]
    return [
        (
            Header(_match_event(path, key, each)),
            # Round and table of an event that is not known would be taken for those of the match.
            [replace(one, round=None, table=None) for one in each],
        )
        for key, each in by_match(records).items()
    ]


def _match_event(path: Path, key: MatchKey, records: Sequence[BoardRecord]) -> Event:
    """What can be told of a match from its records alone."""
    *_, mode = key
    home, visitors = team_names(records)
    if home == visitors:
        visitors = f"{visitors}-2"
    return Event(
        name=next((record.event for record in records if record.event), path.stem),
        format=Format.MATCH,
        entries=(Entrant(bot="", name=home), Entrant(bot="", name=visitors)),
        boards=max(1, len({record.board for record in records})),
        mode=Mode(mode),
    )
