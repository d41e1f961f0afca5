"""The bots of an event at their seats: called, waited for, dismissed, or lost.

An entry sits in compass seats. For each seat one process is started, with a connection for each
table, so that no process ever sees two hands of one deal.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bridge_arena.base.concurrency import first_error, processors
from bridge_arena.base.masking import Masking
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.server.bluechip_gateway import BlueChipGateway
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.feed import Feed
from bridge_arena.server.gateway import Admission, Gateway
from bridge_arena.server.kibitzers import Kibitzers
from bridge_arena.server.sandbox.sandbox import Sandbox
from bridge_arena.server.supervisor import BotProcess, StartError
from bridge_arena.server.websocket_player import Noted
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.play.announcements import WrongTokens
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.metrics import Metrics
from bridge_arena.tournaments.play.seating.connecting_players import (
    BlueChipBots,
    People,
    RemoteBots,
)
from bridge_arena.tournaments.play.seating.seats import (
    Conditions,
    EntrySeat,
    SeatedBot,
    SeatingError,
    WebsocketSeats,
)
from bridge_arena.tournaments.play.seating.started_bots import StartedBots
from bridge_arena.tournaments.play.venue import KIBITZER, ONE_TABLE, PublicEndpoint, VenueOptions

ENDING_SECONDS = 2.0
"""Seconds. If a bot's process ends within them after its connection is lost, the end of the process
counts as the reason. Bots also have this time to end their sessions."""

MOST_AT_A_DOOR = 16
"""The number of connections that one bot in a sandbox may have beside those of its seats."""


class Roster:
    """All bots of an event; while its context is entered, they can connect and play.

    Entering raises GatewayError, and SandboxError if bots cannot be isolated. Leaving stops all
    bots' processes. `feeds` are those of the tables for kibitzers.
    """

    def __init__(
        self,
        conditions: Conditions,
        log: EventLog,
        tables: int,
        options: VenueOptions = ONE_TABLE,
        feeds: Sequence[Feed] = (),
        sandbox: Sandbox | None = None,
    ) -> None:
        self.metrics = Metrics()
        self._log = log
        self._conditions = conditions
        self._kibitzers = Kibitzers(feeds)
        names = (*conditions.secrets, *conditions.passed)
        self._masking = Masking(os.environ.get(name, "") for name in names)
        self._tables = tables
        self._room_at_a_door = MOST_AT_A_DOOR
        # None if all bots that are started here are trusted.
        self._sandbox = sandbox
        if sandbox is not None:
            sandbox.listen = self._door
        # The gateway of the bots that are started here, which nobody else may use.
        self._local = Gateway(
            self._admit_ours, port=options.port, pages=self.metrics.pages(), masking=self._masking
        )
        public = options.public
        self._public = None if public is None else self._public_gateway(public)
        open_ = self._public or self._local
        self.metrics.watch(open_, self._connected)

        def places(limits: ConnectionLimits, tables: int = tables) -> WebsocketSeats:
            noted, wire_logs = self._connection_noted, options.wire_logs
            return WebsocketSeats(conditions, tables, limits, noted, wire_logs)

        self._started = StartedBots(
            places(self._local.limits),
            self._local,
            log,
            conditions,
            sandbox,
            self._masking,
            options.warm,
        )
        room = options.waiting_room
        self._remote = RemoteBots(places(open_.limits if room is None else room.limits), room)
        programs = None if room is None else room.programs
        self._bluechip_bots = BlueChipBots(open_.limits, self._connection_noted, programs)
        # What calls a player to an empty seat.
        self._calls: Mapping[Access, Callable[[EntrySeat], Awaitable[SeatedBot]]] = {
            Access.STARTED: self._started.call,
            Access.REMOTE: self._remote.call,
            Access.BLUECHIP: self._bluechip_bots.call,
            # People take none of the gateways' connections.
            Access.HUMAN: People(places(ConnectionLimits(), 1), options.audience).call,
        }
        # The lock of each player who sits at one table only, held by the table that it plays at.
        self._at_table: dict[str, asyncio.Lock] = {}
        # The gateway of Blue Chip programs; None if none are expected.
        self._bluechip: BlueChipGateway | None = None
        if public is not None and public.bluechip_port is not None:
            self._bluechip = BlueChipGateway(
                self._bluechip_bots.seats,
                host=public.host,
                port=public.bluechip_port,
                limits=open_.limits,
            )
        # The bots at their seats, and those that connect by themselves and are still to come, be
        # they waited for at the moment or not.
        self._seated_bots: dict[EntrySeat, SeatedBot] = {}
        self._missing: dict[EntrySeat, SeatedBot] = {}
        # The lock of each seat, held while the seat is filled.
        self._filling: dict[EntrySeat, asyncio.Lock] = {}
        # Held by each bot that is started here until it sits: more at once would only wait for a
        # processor, while the time that they have to start runs.
        self._loading = asyncio.Semaphore(processors())
        self._contexts = AsyncExitStack()

    def _admit_ours(self, token: str) -> Admission | None:
        return self._started.seating(token)

    def _door(self, socket: Path) -> Gateway:
        """Return the gateway of one bot in a sandbox.

        It is the bot's alone, as a bot that fills it would be noticed by the others, and has no
        pages, which would tell it about them.
        """
        gateway = Gateway(self._admit_ours, path=socket, masking=self._masking)
        gateway.limits.expected, gateway.limits.room = self._tables, self._room_at_a_door
        return gateway

    def _public_gateway(self, endpoint: PublicEndpoint) -> Gateway:
        def admit(token: str) -> Admission | None:
            owner = endpoint.owner(token)
            if owner is None:
                return None
            return self._kibitzers if owner == KIBITZER else self._remote.seating(owner)

        return Gateway(
            admit,
            host=endpoint.host,
            port=endpoint.port,
            tls=endpoint.tls,
            pages=self.metrics.pages(),
            on_wrong_token=WrongTokens(endpoint.announce, self._log, self.awaited).note,
            masking=self._masking,
        )

    async def __aenter__(self) -> Roster:
        if self._sandbox is not None:
            self._contexts.enter_context(self._sandbox)
        # Entered first and so left last: once the bots have stopped, closing does not wait.
        for gateway in (self._local, self._public, self._bluechip):
            if gateway is not None:
                await self._contexts.enter_async_context(gateway)
        if self._sandbox is not None:
            await self._sandbox.check()
        await self._contexts.enter_async_context(self._started)
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._remote.send_all_back()
        await self._contexts.__aexit__(*error)

    @property
    def url(self) -> str:
        """The URL for bots that connect by themselves; "" if none are expected."""
        return "" if self._public is None else self._public.url

    @property
    def bluechip_address(self) -> str:
        """The host and port for Blue Chip programs; "" if none are expected."""
        return "" if self._bluechip is None else f"{self._bluechip.host} {self._bluechip.port}"

    def limit_others(self, most: int) -> None:
        """Limit the connections that may be open beside those that the play needs.

        A third of them is for kibitzers, the others for connections that have not taken a seat,
        with a token or without.
        """
        self._kibitzers.room = min(self._kibitzers.room, most // 3)
        self._room_at_a_door = min(self._room_at_a_door, most // 6)
        for gateway in (self._local, self._public):
            if gateway is not None:
                gateway.limits.room = min(gateway.limits.room, most // 6)

    def _connected(self) -> int:
        """Return the number of places with a connection."""
        seated_bots = self._all_seated()
        return sum(place.is_connected for seated_bot in seated_bots for place in seated_bot.places)

    def _all_seated(self) -> list[SeatedBot]:
        """Return the bots at their seats, and those that may come or came when not needed."""
        late = [*self._missing.values(), *self._bluechip_bots.seated_bots]
        return list(dict.fromkeys([*self._seated_bots.values(), *late]))

    def _connection_noted(self, entry_seat: EntrySeat, **where: str) -> Noted:
        """Return the callback that logs lost and restored connections of a seat."""

        def note(news: str, *, back: bool) -> None:
            self.metrics.connection(back=back)
            self._log.write("connection", bot=str(entry_seat), **where, news=news)

        return note

    # Before the play: filling the seats.

    async def open(self, entry_seats: Iterable[EntrySeat]) -> None:
        """Open empty seats to bots that connect by themselves, and may come early."""
        for entry_seat in entry_seats:
            await self._called(entry_seat)

    def awaited(self) -> list[str]:
        """Return the names of the entries whose bots connect by themselves and are waited for."""
        entries = (seat.entry for seat, lock in self._filling.items() if lock.locked())
        return list(dict.fromkeys(entry.name for entry in entries if entry.access is Access.REMOTE))

    async def fill(self, entry_seats: Iterable[EntrySeat]) -> None:
        """Fill seats, so that somebody sits at every table for each of them.

        Raises StartError and SeatingError.
        """
        with first_error(StartError, SeatingError):
            async with asyncio.TaskGroup() as group:
                for entry_seat in dict.fromkeys(entry_seats):
                    group.create_task(self._fill(entry_seat))

    async def _fill(self, entry_seat: EntrySeat) -> None:
        # One task at a time, so that a lost bot is started again only once.
        async with self._filling.setdefault(entry_seat, asyncio.Lock()):
            try:
                await self._fill_alone(entry_seat)
            except (SeatingError, StartError) as error:
                error.player = entry_seat.entry.name
                raise

    async def _fill_alone(self, entry_seat: EntrySeat) -> None:
        if self._at(entry_seat) is not None:
            return
        if (away := self._seated_bots.pop(entry_seat, None)) is not None:
            away.leave()
        is_ours = entry_seat.entry.access is Access.STARTED
        async with self._loading if is_ours else nullcontext():
            seated_bot = await self._called(entry_seat)
            try:
                await self._wait_until_seated(seated_bot)
            except BaseException:
                if seated_bot.bot is not None:
                    seated_bot.send_away("it did not sit down")
                raise
        self._log.write("seated", bot=str(entry_seat), says=seated_bot.places[0].hello)
        # Only now, as a bot at a seat can be asked to play.
        self._seated_bots[entry_seat] = seated_bot
        self._missing.pop(entry_seat, None)
        seated_bot.settle()

    def vacate(self, entry_seats: Iterable[EntrySeat]) -> list[EntrySeat]:
        """Empty seats whose bots have lost their connection before a board has begun; return them.

        They are seats of bots that connect by themselves, which may come back to them.
        """
        gone = [
            seated_bot
            for entry_seat in entry_seats
            if (seated_bot := self._seated_bots.get(entry_seat)) is not None
            and not seated_bot.is_connected
        ]
        for seated_bot in gone:
            seated_bot.leave()
            self._missing[seated_bot.entry_seat] = self._seated_bots.pop(seated_bot.entry_seat)
        return [seated_bot.entry_seat for seated_bot in gone]

    async def _called(self, entry_seat: EntrySeat) -> SeatedBot:
        """Return the bot that is to come to a seat, and call it unless that was done before.

        A bot that connects by itself stays called until it has come, so that its places are opened
        only once. Raises StartError and SeatingError.
        """
        if entry_seat in self._missing:
            return self._missing[entry_seat]
        seated_bot = await self._calls[entry_seat.entry.access](entry_seat)
        if seated_bot.bot is None:
            self._missing[entry_seat] = seated_bot
        return seated_bot

    def seated_bots(self, entry_seats: Mapping[Seat, EntrySeat]) -> dict[Seat, SeatedBot]:
        """Return the bots at seats; empty seats are left out."""
        return {
            seat: seated_bot
            for seat, entry_seat in entry_seats.items()
            if (seated_bot := self._at(entry_seat)) is not None
        }

    @asynccontextmanager
    async def at_one_table(self, entry_seats: Iterable[EntrySeat]) -> AsyncIterator[None]:
        """Keep players who can sit at one table only from all other tables, in this context."""
        ours = {
            entry_seat.person or str(entry_seat)
            for entry_seat in entry_seats
            if entry_seat.entry.access in (Access.BLUECHIP, Access.HUMAN)
        }
        async with AsyncExitStack() as locks:
            # All tables lock in the same order, so that no two wait for each other.
            for player in sorted(ours):
                await locks.enter_async_context(self._at_table.setdefault(player, asyncio.Lock()))
            yield

    def _at(self, entry_seat: EntrySeat) -> SeatedBot | None:
        seated_bot = self._seated_bots.get(entry_seat)
        return seated_bot if seated_bot is not None and seated_bot.is_there else None

    async def _wait_until_seated(self, seated_bot: SeatedBot) -> None:
        """Wait until a bot sits at its places. Raises SeatingError once it is sure not to come."""
        try:
            async with asyncio.timeout(self._patience(seated_bot)):
                if seated_bot.bot is not None:
                    await self._wait_until_started(seated_bot, seated_bot.bot)
                    return
                while not seated_bot.is_connected:
                    for place in seated_bot.places:
                        await place.until_connected()
        except TimeoutError:
            raise self._no_show(seated_bot) from None
        except SeatFault as fault:
            await self._replace(seated_bot, fault.detail)
            raise self._unseated(seated_bot, fault.detail) from None

    async def _wait_until_started(self, seated_bot: SeatedBot, bot: BotProcess) -> None:
        """Wait until a bot that was started here sits at its places. Raises SeatingError."""
        ending = asyncio.create_task(bot.ended())
        try:
            while waiting := [place for place in seated_bot.places if not place.seated.done()]:
                futures = [*(place.seated for place in waiting), ending]
                await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
                for place in waiting:
                    fault = place.seated.exception() if place.seated.done() else None
                    if isinstance(fault, SeatFault):
                        raise self._unseated(seated_bot, await _end_of(bot) or fault.detail)
                if ending.done():
                    raise self._unseated(seated_bot, ending.result(), "ended before it sat down")
        finally:
            ending.cancel()

    def _patience(self, seated_bot: SeatedBot) -> float:
        """Return how long a bot is waited for, in seconds."""
        if seated_bot.bot is None:
            return self._conditions.policies.no_show
        return self._conditions.settings(seated_bot.entry_seat.entry).start

    def _unseated(
        self, seated_bot: SeatedBot, why: str, how: str = "was not seated"
    ) -> SeatingError:
        self._log_bot("bot_lost", seated_bot, why=why)
        return SeatingError(f"bot {seated_bot.entry_seat} {how}: {why}")

    def _no_show(self, seated_bot: SeatedBot) -> SeatingError:
        """Return the error for a bot that did not come in time, and log it."""
        sitting = sum(place.is_connected for place in seated_bot.places)
        tables = f"{sitting} of {len(seated_bot.places)} tables"
        how = f"connected for {tables}" if sitting else "did not connect"
        why = f"{how} within {self._patience(seated_bot):g} s"
        self._log_bot("no_show", seated_bot, why=why)
        return SeatingError(f"bot {seated_bot.entry_seat} {why}")

    # After the play, or when it cannot continue.

    async def dismiss(self, reason: str) -> None:
        """End all sessions in good order, except those of bots that are still thinking.

        Kibitzers have a short time to read to the end.
        """
        seated_bots = self._all_seated()
        self._seated_bots.clear()
        await asyncio.gather(
            self._say_goodbye(seated_bots, reason), self._kibitzers.see_out(ENDING_SECONDS)
        )
        await self._let_end(seated_bots)

    async def dismiss_started(self, reason: str) -> None:
        """End the sessions of the bots that were started here in good order; others come again."""
        seated_bots = [one for one in self._all_seated() if one.bot is not None]
        await self._say_goodbye(seated_bots, reason)
        await self._let_end(seated_bots)

    async def _let_end(self, seated_bots: Iterable[SeatedBot]) -> None:
        """Give processes whose sessions have ended a short time to end, and log their output."""
        await self._started.let_end()
        for seated_bot in seated_bots:
            if seated_bot.bot is not None:
                self._log_bot("bot_output", seated_bot)

    async def release(self, entry_seats: Iterable[EntrySeat], reason: str) -> None:
        """End the sessions and processes of bots whose seats are no longer needed."""
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
        leaving = [seated_bot for seated_bot in seated_bots if not seated_bot.stays]
        players = [place for seated_bot in leaving for place in seated_bot.places]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await asyncio.gather(*(player.say_goodbye(reason) for player in players))

    async def _see_off(self, seated_bot: SeatedBot, reason: str) -> None:
        """Make sure that the process of a bot ends whose session has ended."""
        await _end_of(seated_bot.bot)
        seated_bot.send_away(reason)
        if seated_bot.bot is not None:
            await self._started.stop(seated_bot.bot)
        self._log_bot("bot_output", seated_bot)

    async def lose(self, record: BoardRecord, seated: Mapping[Seat, SeatedBot]) -> BoardRecord:
        """Empty the seat of the player whose loss, the last fault of its record, ended a board.

        If the bot's process ended, that becomes the reason of the fault in the record.
        """
        *others, last = record.faults
        seated_bot = seated[last.seat]
        # The loss may have been noticed at another table, and the seat filled since.
        is_news = seated_bot.is_in_seat
        if is_news:
            del self._seated_bots[seated_bot.entry_seat]
            seated_bot.leave()
        if last.kind == FaultKind.DISCONNECT:
            how = await _end_of(seated_bot.bot)
            if how is not None:
                last = Fault(last.seat, FaultKind.CRASH, last.action, how)
        if is_news:
            why = f"{last.kind}: {last.detail}"
            self._log_bot("bot_lost", seated_bot, why=why)
            await self._replace(seated_bot, why)
        return replace(record, faults=(*others, last))

    async def _replace(self, lost: SeatedBot, why: str) -> None:
        """Send a bot away, and open its seat again at once if it connects by itself.

        It may be needed again only much later, but it comes back now.
        """
        self._missing.pop(lost.entry_seat, None)
        lost.send_away(why)
        if lost.bot is None:
            await self._called(lost.entry_seat)

    def _log_bot(self, what: str, seated_bot: SeatedBot, **facts: object) -> None:
        """Log news of a bot, with the end of the output of its process."""
        output = "" if seated_bot.bot is None else seated_bot.bot.output_tail
        self._log.write(what, bot=str(seated_bot.entry_seat), **facts, output=output)


async def _end_of(bot: BotProcess | None) -> str | None:
    """Return how a process ended; None if it does not end soon."""
    if bot is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                return await bot.ended()
    return None
