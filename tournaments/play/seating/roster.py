"""The bots of an event at their seats: called, waited for, said goodbye to, or lost.

An entry sits in compass seats. What is started there is one process, with a
connection for each table, so that no process ever sees two hands of one deal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import replace
from types import TracebackType
from typing import Any

from bridge_arena.base.task_errors import first_error
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.server.bluechip.gateway import BlueChipGateway
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.feed import Feed
from bridge_arena.server.gallery import Gallery
from bridge_arena.server.gateway import Admission, Gateway, Page
from bridge_arena.server.sandbox.sandbox import Sandbox
from bridge_arena.server.supervisor import BotProcess, StartError
from bridge_arena.server.websocket_player import Noted
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.fault_policies import PLAIN, EventPolicies
from bridge_arena.tournaments.play.audience import Reception
from bridge_arena.tournaments.play.endpoints import KIBITZER, LOCAL_ONLY, Endpoints, PublicEndpoint
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.metrics import Metrics
from bridge_arena.tournaments.play.seating.bluechip_bots import BlueChipBots
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat, SeatingError
from bridge_arena.tournaments.play.seating.one_at_a_time import OneAtATime
from bridge_arena.tournaments.play.seating.people import People
from bridge_arena.tournaments.play.seating.remote_bots import RemoteBots
from bridge_arena.tournaments.play.seating.seated_bot import SeatedBot, Source
from bridge_arena.tournaments.play.seating.started_bots import StartedBots
from bridge_arena.tournaments.play.seating.websocket_seats import WebsocketSeats

STARTING_SECONDS = 60.0
"""How long a bot that is started here may take until it sits at its tables."""

ENDING_SECONDS = 2.0
"""How soon after its connection is lost a bot's process must end for its end to count
as the reason; and how long bots may take over their goodbyes."""


class Roster:
    """All bots of an event; while its context is entered, they can come and play.

    Entering raises GatewayError, and SandboxError where bots cannot be kept apart. When it is
    left, no bot's process is left running.
    """

    def __init__(
        self,
        event: str,
        control: TimeControl,
        log: EventLog,
        tables: int,
        *,
        commitment: str = "",
        policies: EventPolicies = PLAIN,
        endpoints: Endpoints = LOCAL_ONLY,
        feeds: Sequence[Feed] = (),
        sandbox: Sandbox | None = None,
        reception: Reception | None = None,
    ) -> None:
        self.metrics = Metrics()
        self._log = log
        self._policies = policies
        self._gallery = Gallery(feeds)
        # None where the bots that are started here are trusted.
        self._sandbox = sandbox
        # Bots that are started here come in at the back, and nobody else.
        pages = self.metrics.pages()
        self._local = Gateway(self._admit_ours, port=endpoints.port, pages=pages)
        # Or from their sandboxes, where there are no pages to tell them of each other.
        self._sandboxed = (
            None if sandbox is None else Gateway(self._admit_ours, path=sandbox.socket)
        )
        ours = self._sandboxed or self._local
        self._public = (
            None if endpoints.public is None else self._public_gateway(endpoints.public, pages)
        )
        open_ = self._public or ours
        self.metrics.watch(open_, self._connected)

        def places(limits: ConnectionLimits, tables: int = tables) -> WebsocketSeats:
            return WebsocketSeats(
                event,
                commitment,
                control,
                tables,
                policies.grace,
                limits,
                self._connection_noted,
            )

        self._started = StartedBots(
            places(ours.limits), ours, log, again=policies.grace > 0, sandbox=sandbox
        )
        self._remote = RemoteBots(places(open_.limits))
        self._bluechip_bots = BlueChipBots(open_.limits, self._connection_noted)
        self._sources: Mapping[Access, Source] = {
            Access.STARTED: self._started,
            Access.REMOTE: self._remote,
            Access.BLUECHIP: self._bluechip_bots,
            # They take none of the gateways' connections.
            Access.HUMAN: People(places(ConnectionLimits(), 1), reception),
        }
        self._one_at_a_time = OneAtATime()
        # Where programs come that speak Blue Chip; None where none are expected.
        self._bluechip: BlueChipGateway | None = None
        if endpoints.public is not None and endpoints.public.bluechip_port is not None:
            self._bluechip = BlueChipGateway(
                self._bluechip_bots.seats,
                host=endpoints.public.host,
                port=endpoints.public.bluechip_port,
                limits=open_.limits,
            )
        # Who is at a seat; and who was waited for in vain, and may still come.
        self._seated_bots: dict[EntrySeat, SeatedBot] = {}
        self._missing: dict[EntrySeat, SeatedBot] = {}
        # Each is held while its seat is filled.
        self._filling: dict[EntrySeat, asyncio.Lock] = {}
        self._contexts = AsyncExitStack()

    def _admit_ours(self, token: str) -> Admission | None:
        return self._started.seating(token)

    def _public_gateway(self, endpoint: PublicEndpoint, pages: Mapping[str, Page]) -> Gateway:
        def admit(token: str) -> Admission | None:
            owner = endpoint.owner(token)
            if owner is None:
                return None
            return self._gallery if owner == KIBITZER else self._remote.seating(owner)

        return Gateway(admit, host=endpoint.host, port=endpoint.port, tls=endpoint.tls, pages=pages)

    async def __aenter__(self) -> Roster:
        if self._sandbox is not None:
            self._contexts.enter_context(self._sandbox)
        # Left last: with the bots stopped, no connection waits for an answer to its end.
        for gateway in (self._local, self._sandboxed, self._public, self._bluechip):
            if gateway is not None:
                await self._contexts.enter_async_context(gateway)
        if self._sandbox is not None:
            await self._sandbox.check()
        await self._contexts.enter_async_context(self._started)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._contexts.__aexit__(kind, error, trace)

    @property
    def url(self) -> str:
        """Where bots connect that come by themselves; "" where none are expected."""
        return "" if self._public is None else self._public.url

    @property
    def bluechip_address(self) -> str:
        """The host and port for Blue Chip programs; "" where none are expected."""
        return "" if self._bluechip is None else f"{self._bluechip.host} {self._bluechip.port}"

    def limit_others(self, most: int) -> None:
        """So many connections, and no more, may be open beside those that the play needs: a
        third of them to watch, the others that have not sat down, with a token or without."""
        self._gallery.room = min(self._gallery.room, most // 3)
        for gateway in (self._local, self._sandboxed, self._public):
            if gateway is not None:
                gateway.limits.room = min(gateway.limits.room, most // 6)

    def _connected(self) -> int:
        """How many places have a connection."""
        seated_bots = self._all_seated()
        return sum(place.is_connected for seated_bot in seated_bots for place in seated_bot.places)

    def _all_seated(self) -> list[SeatedBot]:
        """Who is at a seat, and who may still come there, or came when it was not needed."""
        late = [*self._missing.values(), *self._bluechip_bots.seated_bots]
        return list(dict.fromkeys([*self._seated_bots.values(), *late]))

    def _connection_noted(self, entry_seat: EntrySeat, **where: str) -> Noted:
        """What takes note that the connection of a seat was lost or is back. `where`: what else to
        say of it in the log."""

        def note(news: str, *, back: bool) -> None:
            self.metrics.connection(back=back)
            self._log.write("connection", bot=str(entry_seat), **where, news=news)

        return note

    # Before the play: the seats are filled.

    async def fill(self, entry_seats: Iterable[EntrySeat]) -> None:
        """See to it that somebody sits at every table for each seat.

        Raises StartError and SeatingError, as soon as it is clear that somebody will not come.
        """
        with first_error(StartError, SeatingError):
            async with asyncio.TaskGroup() as group:
                for entry_seat in dict.fromkeys(entry_seats):
                    group.create_task(self._fill(entry_seat))

    async def _fill(self, entry_seat: EntrySeat) -> None:
        # One at a time, so that a lost bot is started again once.
        async with self._filling.setdefault(entry_seat, asyncio.Lock()):
            if self._at(entry_seat) is not None:
                return
            if (away := self._seated_bots.pop(entry_seat, None)) is not None:
                away.leave()
            seated_bot = self._missing.get(entry_seat) or await self._sources[
                entry_seat.entry.access
            ].call(entry_seat)
            try:
                await self._wait_until_seated(seated_bot)
            except BaseException:
                if seated_bot.bot is not None:
                    seated_bot.send_away("it did not sit down")
                raise
            self._log.write("seated", bot=str(entry_seat), says=seated_bot.places[0].hello)
            # Not sooner: who is at a seat can be asked to play.
            self._seated_bots[entry_seat] = seated_bot
            self._missing.pop(entry_seat, None)
            seated_bot.settle()

    def seated_bots(self, entry_seats: Mapping[Seat, EntrySeat]) -> dict[Seat, SeatedBot]:
        """Who is at seats; those that are empty are left out."""
        return {
            seat: seated_bot
            for seat, entry_seat in entry_seats.items()
            if (seated_bot := self._at(entry_seat)) is not None
        }

    def at_one_table(self, entry_seats: Iterable[EntrySeat]) -> AbstractAsyncContextManager[None]:
        """What a board is played in: who cannot play at two tables at once plays at no other."""
        return self._one_at_a_time.at_one_table(entry_seats)

    def _at(self, entry_seat: EntrySeat) -> SeatedBot | None:
        seated_bot = self._seated_bots.get(entry_seat)
        return seated_bot if seated_bot is not None and seated_bot.is_there else None

    async def _wait_until_seated(self, seated_bot: SeatedBot) -> None:
        """Raises SeatingError as soon as it is clear that the bot will not come."""
        bot = seated_bot.bot
        ending = None if bot is None else asyncio.create_task(bot.ended())
        try:
            async with asyncio.timeout(self._patience(seated_bot)):
                while waiting := [place for place in seated_bot.places if not place.seated.done()]:
                    futures = [place.seated for place in waiting]
                    await _first_of(futures if ending is None else [*futures, ending])
                    for place in waiting:
                        fault = place.seated.exception() if place.seated.done() else None
                        if isinstance(fault, SeatFault):
                            raise self._unseated(seated_bot, await _end_of(bot) or fault.detail)
                    if ending is not None and ending.done():
                        raise self._unseated(
                            seated_bot, ending.result(), "ended before it sat down"
                        )
        except TimeoutError:
            raise self._no_show(seated_bot) from None
        finally:
            if ending is not None:
                ending.cancel()

    def _patience(self, seated_bot: SeatedBot) -> float:
        """How long a bot is waited for, in seconds."""
        return self._policies.no_show if seated_bot.bot is None else STARTING_SECONDS

    def _unseated(
        self, seated_bot: SeatedBot, why: str, how: str = "was not seated"
    ) -> SeatingError:
        self._log_end(seated_bot, why)
        return SeatingError(f"bot {seated_bot.entry_seat} {how}: {why}")

    def _no_show(self, seated_bot: SeatedBot) -> SeatingError:
        """Somebody was waited for in vain."""
        sitting, places = (
            sum(place.seated.done() for place in seated_bot.places),
            len(seated_bot.places),
        )
        how = f"connected for {sitting} of {places} tables" if sitting else "did not connect"
        why = f"{how} within {self._patience(seated_bot):g} s"
        self._log.write("no_show", bot=str(seated_bot.entry_seat), why=why)
        if seated_bot.bot is None:
            self._missing[seated_bot.entry_seat] = seated_bot
        return SeatingError(f"bot {seated_bot.entry_seat} {why}")

    # After the play, or when it cannot go on.

    async def dismiss(self, reason: str) -> None:
        """End the sessions in good order, except of bots that are too deep in thought; those who
        watch read to the end, if they do it soon."""
        seated_bots = self._all_seated()
        self._seated_bots.clear()
        await asyncio.gather(
            self._say_goodbye(seated_bots, reason), self._gallery.see_out(ENDING_SECONDS)
        )
        await self._started.let_end()
        for seated_bot in seated_bots:
            if seated_bot.bot is not None:
                self._log.write(
                    "bot_output", bot=str(seated_bot.entry_seat), output=seated_bot.output
                )

    async def release(self, entry_seats: Iterable[EntrySeat], reason: str) -> None:
        """End the sessions and processes of bots that were started for seats which are needed no
        more."""
        seated_bots = []
        for entry_seat in entry_seats:
            self._filling.pop(entry_seat, None)
            if (seated_bot := self._seated_bots.pop(entry_seat, None)) is not None:
                seated_bots.append(seated_bot)
        await self._say_goodbye(seated_bots, reason)
        await asyncio.gather(*(self._see_off(seated_bot, reason) for seated_bot in seated_bots))

    async def _say_goodbye(self, seated_bots: Iterable[SeatedBot], reason: str) -> None:
        for seated_bot in seated_bots:
            seated_bot.leave()
        players = [place for seated_bot in seated_bots for place in seated_bot.places]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await asyncio.gather(*(player.say_goodbye(reason) for player in players))

    async def _see_off(self, seated_bot: SeatedBot, reason: str) -> None:
        """See that a process ends that was said goodbye to."""
        await _end_of(seated_bot.bot)
        seated_bot.send_away(reason)
        if seated_bot.bot is not None:
            await self._started.stop(seated_bot.bot)
        self._log.write("bot_output", bot=str(seated_bot.entry_seat), output=seated_bot.output)

    async def lose(self, record: BoardRecord, seated: Mapping[Seat, SeatedBot]) -> BoardRecord:
        """Empty the seat of the player whose loss ended a board, the last fault of its record;
        the record, with that fault explained by the end of the process."""
        *others, last = record.faults
        seated_bot = seated[last.seat]
        # The loss may have been noticed at another table, and the seat filled again.
        is_news = seated_bot.is_in_seat
        if is_news:
            del self._seated_bots[seated_bot.entry_seat]
            seated_bot.leave()
        if last.kind == FaultKind.DISCONNECT:
            how = await _end_of(seated_bot.bot)
            if how is not None:
                last = Fault(last.seat, FaultKind.CRASH, last.action, how)
        if is_news:
            self._log_end(seated_bot, f"{last.kind}: {last.detail}")
            seated_bot.send_away(f"{last.kind}: {last.detail}")
        return replace(record, faults=(*others, last))

    def _log_end(self, seated_bot: SeatedBot, why: str) -> None:
        self._log.write(
            "bot_lost", bot=str(seated_bot.entry_seat), why=why, output=seated_bot.output
        )


async def _end_of(bot: BotProcess | None) -> str | None:
    """How the process ended, if it does so soon; it explains a lost connection."""
    if bot is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                return await bot.ended()
    return None


async def _first_of(futures: Sequence[asyncio.Future[Any]]) -> None:
    """Wait until one of them is done, whatever came of it."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
