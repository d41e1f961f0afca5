"""A playing hall with its bots in threads, which come to it over sockets of either kind."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from bridge_arena.bots.sdk.bluechip import play_bluechip
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.connection import ConnectionFailedError
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks
from bridge_arena.tournaments.events.boards import BoardSupply
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.venue import EventInPlay, OpenVenue, PublicEndpoint, VenueOptions
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.units import Unit
from tests.patience import PATIENCE
from tests.tournaments.scores import units_of

MakeBot = Callable[[], Bot]

Coming = asyncio.Future[Any]
"""A bot that has come: done when its session is over, with the error if it ended badly."""


class House:
    """The hall, and what is known of it from outside."""

    def __init__(
        self, event: Event, hall: LocalVenue, lines: list[str], news: list[str], tables: int
    ) -> None:
        # What became of each unit, times left out, by its id; in the order in which they ended.
        self.kept: dict[str, BoardRecord] = {}
        self.units = units_of(plan(event, []))
        self.lines = lines
        # What is told of the play while it goes on.
        self.news = news
        self._event = event
        self.hall = hall
        self._tables = tables
        self._threads = ThreadPoolExecutor(64)
        self._is_seated = False

    @property
    def port(self) -> int:
        """The port for Blue Chip programs."""
        return int(self._announced(r"Blue Chip programs: 127\.0\.0\.1 (\d+) as team"))

    @property
    def url(self) -> str:
        """The URL for bots that come over websockets."""
        return self._announced(r"listening on (\S+)")

    async def play(self, units: Iterable[Unit] | None = None) -> None:
        """Seat the bots, unless that was done, and play all units, or these."""
        async with asyncio.timeout(PATIENCE):
            if not self._is_seated:
                await self.hall.seat(self.units)
                self._is_seated = True
            await self.hall.play(iter(self.units if units is None else units), self._keep)

    async def until_connected(self, count: int) -> None:
        """Wait until so many seats have a connection."""
        async with asyncio.timeout(PATIENCE):
            while b"arena_players %.1f\n" % count not in await self._metrics():
                pass

    def program(self, team: str, seat: Seat, make: MakeBot, quirks: Quirks = STANDARD) -> Coming:
        """A bot that comes over Blue Chip."""

        def play() -> None:
            address = ("127.0.0.1", self.port)
            seed = self._event.seed or 0
            play_bluechip(make(), address, team=team, seat=seat, quirks=quirks, seed=seed)

        return self._run(play)

    def programs(self, team: str, make: MakeBot, quirks: Quirks = STANDARD) -> list[Coming]:
        return [self.program(team, seat, make, quirks) for seat in SEATS]

    def visitor(self, name: str, seat: Seat, make: MakeBot) -> Coming:
        """A bot that comes over websockets, to one table."""
        return self._run(partial(play_table, make(), self.url, name, seat))

    def visitors(self, name: str, make: MakeBot) -> list[Coming]:
        """A bot that comes over websockets, to all seats and tables."""
        return [self.visitor(name, seat, make) for seat in SEATS for _ in range(self._tables)]

    def close(self) -> None:
        self._threads.shutdown(wait=False)

    async def _metrics(self) -> bytes:
        """The figures for Prometheus."""
        port = self._announced(r"listening on ws://127\.0\.0\.1:(\d+)")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try:
            return await reader.read()
        finally:
            writer.close()

    def _announced(self, pattern: str) -> str:
        return next(match[1] for line in self.lines if (match := re.match(pattern, line)))

    def _run(self, play: Callable[[], object]) -> Coming:
        return asyncio.get_running_loop().run_in_executor(self._threads, play)

    def _keep(self, unit: Unit, record: BoardRecord | None) -> None:
        assert unit.id not in self.kept
        if record is None:
            return
        self.kept[unit.id] = replace(record, times=(), thoughts=())


@asynccontextmanager
async def open_house(
    event: Event, *, tables: int = 1, log: Path | None = None
) -> AsyncIterator[House]:
    """Serve an event; the token of a remote entry is its name."""
    lines: list[str] = []
    news: list[str] = []
    with EventLog(log) as events:
        supply = BoardSupply(DealKey.of_seed(event.seed or 0), event.mode)
        options = VenueOptions(tables, public=_endpoint(lines.append, news.append))
        async with LocalVenue(EventInPlay(event, supply, events), options) as hall:
            house = House(event, hall, lines, news, tables)
            try:
                yield house
            finally:
                house.close()


def _endpoint(
    announce: Callable[[str], None], tell: Callable[[str], None] | None = None
) -> PublicEndpoint:
    """Free ports; the token of a remote player is its name."""
    return PublicEndpoint(
        host="127.0.0.1",
        port=0,
        tls=None,
        owner=lambda token: token,
        bluechip_port=0,
        announce=announce,
        tell=tell,
    )


def house_of(bots: Mapping[str, MakeBot], tables: int = 1) -> OpenVenue:
    """Return what opens a hall to which the bots of remote players come by themselves.

    Args:
        bots: Makes the bot of a seat at one table, by the name of the player.
        tables: The largest number of tables.

    Returns:
        The function.
    """
    options = VenueOptions(tables, public=_endpoint(lambda _: None))
    return lambda play: _HouseOfBots(play, options, bots)


class _HouseOfBots(LocalVenue):
    """A hall whose remote players come in threads. One that is lost comes again, as a bot that is
    started here is started again."""

    def __init__(
        self, play: EventInPlay, options: VenueOptions, bots: Mapping[str, MakeBot]
    ) -> None:
        super().__init__(play, options)
        self._bots = bots
        self._threads = ThreadPoolExecutor(64)
        self._coming: list[Future[None]] = []
        self._is_open = True

    async def __aenter__(self) -> LocalVenue:
        await super().__aenter__()
        for party in self._entries:
            for seat in SEATS:
                if (name := party.at(seat).name) in self._bots:
                    self._coming += [
                        self._threads.submit(self._come, name, seat) for _ in range(self._tables)
                    ]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_open = False
        await super().__aexit__(kind, error, trace)
        self._threads.shutdown()
        for bot in self._coming:
            bot.result()

    def _come(self, name: str, seat: Seat) -> None:
        while self._is_open:
            # As where the hall is closed in the middle of a board.
            with suppress(ConnectionFailedError):
                play_table(self._bots[name](), self._roster.url, name, seat)
