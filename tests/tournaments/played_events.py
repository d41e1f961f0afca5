"""Whole events that are played in this process, and what they leave behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.loading import load
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.strict.verdict import Severity, verdict_of
from bridge_arena.reports.common.values import values
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import summary as leaderboard_summary
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.board_values import complete, missing
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.venue import OpenVenue
from bridge_arena.tournaments.schedule.event_files import LOG, STORE
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.tournaments.store import Store
from tests.patience import PATIENCE
from tests.tournaments.scores import event


def remote_match(*names: str, **settings: Any) -> Event:
    """A match of players that come by themselves."""
    entries = tuple(Entrant(bot=f"remote:{name}", name=name) for name in names)
    return event(Format.MATCH, 2, entries=entries, **settings)


@dataclass(frozen=True)
class PlayedEvent:
    """The folder of an event."""

    folder: Path

    @property
    def pbn(self) -> Path:
        (path,) = self.folder.glob("*.pbn")
        return path

    @property
    def stored(self) -> dict[str, BoardRecord]:
        """The records of the store, by their units."""
        with closing(Store.open(self.folder / STORE)) as store:
            return dict(store.results())

    @cached_property
    def records(self) -> list[BoardRecord]:
        """The records of the PBN file."""
        return list(read_records(self.pbn))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The figures, as `summary.json` or `leaderboard.json` has them."""
        with closing(Store.open(self.folder / STORE)) as store:
            units = list(store.results())
            asyncio.run(complete(store, missing(store, units), lambda: None))
            return _summary(store.event_results(store.played(units)))

    def log(self, what: str) -> list[dict[str, Any]]:
        """The lines of the log about one kind of event."""
        lines = map(json.loads, (self.folder / LOG).read_text().splitlines())
        return [line for line in lines if line["event"] == what]

    def check_files(self) -> None:
        """The PBN file keeps to the standard, but for a table of faults, and alone tells
        what the store does."""
        if not any(record.faults for record in self.records):
            with self.pbn.open("rb") as stream:
                assert verdict_of(stream, "it").severity is Severity.CLEAN
        told, stored = (
            [replace(record, times=()) for record in records]
            for records in (self.records, self.stored.values())
        )
        assert told == stored
        (alone,) = load(str(self.pbn), [])
        assert _summary(alone) == self.summary


def _summary(results: EventResults) -> dict[str, Any]:
    if results.event.format is Format.MATCH:
        return values(match_figures(results))
    return leaderboard_summary(leaderboard([results]))


class StoppedError(Exception):
    """The end of an event before its end."""


def stop_after(tables: int) -> Callable[[BoardRecord], None]:
    """Return what ends an event when so many tables are played."""
    left = iter(range(tables - 1))

    def on_board(record: BoardRecord) -> None:
        del record
        if next(left, None) is None:
            raise StoppedError

    return on_board


def play_event(
    folder: Path,
    event: Event,
    open_venue: OpenVenue,
    boards: dict[int, GivenBoard] | None = None,
    on_board: Callable[[BoardRecord], None] = lambda _: None,
) -> PlayedEvent:
    """Play an event, or what is left of it where it was begun in the folder."""
    path = folder / STORE
    with (
        closing(Store.open(path) if path.exists() else Store.create(path, event, boards)) as store,
        EventLog(folder / LOG) as log,
    ):

        async def play() -> None:
            async with asyncio.timeout(PATIENCE):
                await Runner(store, log, on_board, open_venue).run()

        asyncio.run(play())
        store.write_pbn(folder)
    return PlayedEvent(folder)


def untimed(record: BoardRecord) -> BoardRecord:
    """The record without what differs from run to run."""
    return replace(record, date="", times=())
