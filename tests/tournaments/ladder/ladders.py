"""Ladders whose matches are played at once, with results as they are wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType

from bridge_arena.base.stopping import Stop
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.ladder_file import LadderFile, parse_ladder
from bridge_arena.tournaments.ladder.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.runner import LadderRunner
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.venue import Begin, EventInPlay, Keep, VenueOptions, any_time
from bridge_arena.tournaments.schedule.units import Unit

Result = Callable[[Event, Unit], BoardRecord]
"""Returns what becomes of a unit of an event."""


def ladder_file(*players: str, boards: int = 2, home: Path = Path()) -> LadderFile:
    """The file of a ladder of these bots."""
    tables = "".join(f"[[player]]\nbot = '{bot}'\n" for bot in players)
    return parse_ladder(f"[ladder]\nname = 'Club'\nboards = {boards}\n{tables}", home / "club.toml")


def opened(path: Path, file: LadderFile) -> LadderStore:
    """The store of a ladder with the players of its file."""
    store = LadderStore.open(path, file.definition)
    for registration in file.registrations:
        store.enter(registration, path.parent)
    return store


class QuickVenue:
    """A venue at which units end at once."""

    def __init__(self, play: EventInPlay, result: Result) -> None:
        self._play = play
        self._result = result

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    async def seat(self, units: Iterable[Unit]) -> None:
        pass

    async def play(self, units: Iterator[Unit], keep: Keep, begin: Begin = any_time) -> None:
        for unit in units:
            if not begin(unit):
                return
            await asyncio.sleep(0)
            keep(unit, self._result(self._play.event, unit))

    def show(self, finished: Container[int]) -> None:
        pass


Opens = Callable[[EventInPlay, VenueOptions], QuickVenue]


def venues(result: Result) -> Opens:
    return lambda play, _: QuickVenue(play, result)


def play(
    path: Path,
    opens: Opens,
    boards: int | None,
    *,
    concurrency: int = 2,
    clock: Callable[[], float] | None = None,
) -> list[str]:
    """Play a ladder until so many boards have begun; return what was said."""
    said: list[str] = []
    with (
        closing(LadderStore.open(path)) as store,
        EventLog(path.with_suffix(".jsonl")) as log,
    ):
        runner = LadderRunner(
            store,
            path.parent,
            log,
            concurrency,
            said.append,
            Stop(boards=boards),
            opens=opens,
            clock=clock or partial(next, count()),
        )
        asyncio.run(runner.run())
    return said
