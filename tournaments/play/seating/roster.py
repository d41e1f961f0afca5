"""The bots of an event at their posts: called, waited for, said goodbye to, or lost.

A post is an entry in a compass seat. What is started there is one process, with a
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
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.feed import Feed, Gallery
from bridge_arena.server.gateway import Admission, Gateway, Page
from bridge_arena.server.sandbox.sandbox import Sandbox
from bridge_arena.server.supervisor import BotProcess, StartError
from bridge_arena.server.websocket_player import Noted
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import PLAIN, Policies
from bridge_arena.tournaments.play.endpoints import KIBITZER, LOCAL_ONLY, Endpoints, PublicEndpoint
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.metrics import Metrics
from bridge_arena.tournaments.play.seating.bluechip_bots import BlueChipBots
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat, SeatingError
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
        policies: Policies = PLAIN,
        doors: Endpoints = LOCAL_ONLY,
        feeds: Sequence[Feed] = (),
        sandbox: Sandbox | None = None,
    ) -> None:
        self.metrics = Metrics()
        self._log = log
        self._policies = policies
        self._gallery = Gallery(feeds)
        # None where the bots that are started here are trusted.
        self._sandbox = sandbox
        # Bots that are started here come in at the back, and nobody else.
        pages = self.metrics.pages()
        self._back = Gateway(self._admit_ours, port=doors.port, pages=pages)
        # Or from their sandboxes, where there are no pages to tell them of each other.
        self._cellar = None if sandbox is None else Gateway(self._admit_ours, path=sandbox.socket)
        ours = self._cellar or self._back
        self._front = None if doors.front is None else self._front_gateway(doors.front, pages)
        open_ = self._front or ours
        self.metrics.watch(open_, self._connected)

        def places(gateway: Gateway) -> WebsocketSeats:
            return WebsocketSeats(
                event,
                commitment,
                control,
                tables,
                policies.grace,
                gateway.doorkeeper,
                self._connection_noted,
            )

        self._processes = StartedBots(
            places(ours), ours, log, again=policies.grace > 0, sandbox=sandbox
        )
        self._remotes = RemoteBots(places(open_))
        self._programs = BlueChipBots(open_.doorkeeper, self._connection_noted)
        self._sources: Mapping[Access, Source] = {
            Access.STARTED: self._processes,
            Access.REMOTE: self._remotes,
            Access.BLUECHIP: self._programs,
        }
        # Where programs come that speak Blue Chip; None where none are expected.
        self._bluechip: BlueChipGateway | None = None
        if doors.front is not None and doors.front.bluechip_port is not None:
            self._bluechip = BlueChipGateway(
                self._programs.seats,
                host=doors.front.host,
                port=doors.front.bluechip_port,
                doorkeeper=open_.doorkeeper,
            )
        # Who is at a post; and who was waited for in vain, and may still come.
        self._workers: dict[EntrySeat, SeatedBot] = {}
        self._missing: dict[EntrySeat, SeatedBot] = {}
        # Each is held while its post is filled.
        self._filling: dict[EntrySeat, asyncio.Lock] = {}
        self._contexts = AsyncExitStack()

    def _admit_ours(self, token: str) -> Admission | None:
        return self._processes.seating(token)

    def _front_gateway(self, door: PublicEndpoint, pages: Mapping[str, Page]) -> Gateway:
        def admit(token: str) -> Admission | None:
            owner = door.owner(token)
            if owner is None:
                return None
            return self._gallery if owner == KIBITZER else self._remotes.seating(owner)

        return Gateway(admit, host=door.host, port=door.port, tls=door.tls, pages=pages)

    async def __aenter__(self) -> Roster:
        if self._sandbox is not None:
            self._contexts.enter_context(self._sandbox)
        # Left last: with the bots stopped, no connection waits for an answer to its end.
        for gateway in (self._back, self._cellar, self._front, self._bluechip):
            if gateway is not None:
                await self._contexts.enter_async_context(gateway)
        if self._sandbox is not None:
            await self._sandbox.check()
        await self._contexts.enter_async_context(self._processes)
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
        return "" if self._front is None else self._front.url

    @property
    def bluechip_address(self) -> str:
        """The host and port for Blue Chip programs; "" where none are expected."""
        return "" if self._bluechip is None else f"{self._bluechip.host} {self._bluechip.port}"

    def limit_others(self, most: int) -> None:
        """So many connections, and no more, may be open beside those that the play needs: a
        third of them to watch, the others that have not sat down, with a token or without."""
        self._gallery.room = min(self._gallery.room, most // 3)
        for gateway in (self._back, self._cellar, self._front):
            if gateway is not None:
                gateway.doorkeeper.room = min(gateway.doorkeeper.room, most // 6)

    def _connected(self) -> int:
        """How many places have a connection."""
        workers = self._all_workers()
        return sum(place.is_connected for worker in workers for place in worker.places)

    def _all_workers(self) -> list[SeatedBot]:
        """Who is at a post, and who may still come there, or came when it was not needed."""
        late = [*self._missing.values(), *self._programs.workers]
        return list(dict.fromkeys([*self._workers.values(), *late]))

    def _connection_noted(self, post: EntrySeat, **where: str) -> Noted:
        """What takes note that a post's connection was lost or is back. `where`: what else to
        say of it in the log."""

        def note(news: str, *, back: bool) -> None:
            self.metrics.connection(back=back)
            self._log.write("connection", bot=str(post), **where, news=news)

        return note

    # Before the play: the posts are filled.

    async def fill(self, posts: Iterable[EntrySeat]) -> None:
        """See to it that somebody sits at every table for each post.

        Raises StartError and SeatingError, as soon as it is clear that somebody will not come.
        """
        with first_error(StartError, SeatingError):
            async with asyncio.TaskGroup() as group:
                for post in dict.fromkeys(posts):
                    group.create_task(self._fill(post))

    async def _fill(self, post: EntrySeat) -> None:
        # One at a time, so that a lost bot is started again once.
        async with self._filling.setdefault(post, asyncio.Lock()):
            if self._at(post) is not None:
                return
            if (away := self._workers.pop(post, None)) is not None:
                away.leave()
            worker = self._missing.get(post) or await self._sources[post.entry.access].call(post)
            try:
                await self._wait_until_seated(worker)
            except BaseException:
                if worker.bot is not None:
                    worker.send_away("it did not sit down")
                raise
            self._log.write("seated", bot=str(post), says=worker.places[0].hello)
            # Not sooner: who is at a post can be asked to play.
            self._workers[post] = worker
            self._missing.pop(post, None)
            worker.settle()

    def workers(self, posts: Mapping[Seat, EntrySeat]) -> dict[Seat, SeatedBot]:
        """Who is at posts; those that are empty are left out."""
        return {
            seat: worker for seat, post in posts.items() if (worker := self._at(post)) is not None
        }

    def at_one_table(self, posts: Iterable[EntrySeat]) -> AbstractAsyncContextManager[None]:
        """What a board is played in: who cannot play at two tables at once plays at no other."""
        return self._programs.at_one_table(posts)

    def _at(self, post: EntrySeat) -> SeatedBot | None:
        worker = self._workers.get(post)
        return worker if worker is not None and worker.is_there else None

    async def _wait_until_seated(self, worker: SeatedBot) -> None:
        """Raises SeatingError as soon as it is clear that the bot will not come."""
        bot = worker.bot
        ending = None if bot is None else asyncio.create_task(bot.ended())
        try:
            async with asyncio.timeout(self._patience(worker)):
                while waiting := [place for place in worker.places if not place.seated.done()]:
                    futures = [place.seated for place in waiting]
                    await _first_of(futures if ending is None else [*futures, ending])
                    for place in waiting:
                        fault = place.seated.exception() if place.seated.done() else None
                        if isinstance(fault, SeatFault):
                            raise self._unseated(worker, await _end_of(bot) or fault.detail)
                    if ending is not None and ending.done():
                        raise self._unseated(worker, ending.result(), "ended before it sat down")
        except TimeoutError:
            raise self._no_show(worker) from None
        finally:
            if ending is not None:
                ending.cancel()

    def _patience(self, worker: SeatedBot) -> float:
        """How long a bot is waited for, in seconds."""
        return self._policies.no_show if worker.bot is None else STARTING_SECONDS

    def _unseated(self, worker: SeatedBot, why: str, how: str = "was not seated") -> SeatingError:
        self._log_end(worker, why)
        return SeatingError(f"bot {worker.post} {how}: {why}")

    def _no_show(self, worker: SeatedBot) -> SeatingError:
        """Somebody was waited for in vain."""
        sitting, places = sum(place.seated.done() for place in worker.places), len(worker.places)
        how = f"connected for {sitting} of {places} tables" if sitting else "did not connect"
        why = f"{how} within {self._patience(worker):g} s"
        self._log.write("no_show", bot=str(worker.post), why=why)
        if worker.bot is None:
            self._missing[worker.post] = worker
        return SeatingError(f"bot {worker.post} {why}")

    # After the play, or when it cannot go on.

    async def dismiss(self, reason: str) -> None:
        """End the sessions in good order, except of bots that are too deep in thought."""
        workers = self._all_workers()
        self._workers.clear()
        await self._say_goodbye(workers, reason)
        await self._processes.let_end()
        for worker in workers:
            if worker.bot is not None:
                self._log.write("bot_output", bot=str(worker.post), output=worker.output)

    async def release(self, posts: Iterable[EntrySeat], reason: str) -> None:
        """End the sessions and processes of bots that were started for posts which are needed
        no more."""
        workers = []
        for post in posts:
            self._filling.pop(post, None)
            if (worker := self._workers.pop(post, None)) is not None:
                workers.append(worker)
        await self._say_goodbye(workers, reason)
        await asyncio.gather(*(self._see_off(worker, reason) for worker in workers))

    async def _say_goodbye(self, workers: Iterable[SeatedBot], reason: str) -> None:
        for worker in workers:
            worker.leave()
        players = [place for worker in workers for place in worker.places]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await asyncio.gather(*(player.say_goodbye(reason) for player in players))

    async def _see_off(self, worker: SeatedBot, reason: str) -> None:
        """See that a process ends that was said goodbye to."""
        await _end_of(worker.bot)
        worker.send_away(reason)
        if worker.bot is not None:
            await self._processes.stop(worker.bot)
        self._log.write("bot_output", bot=str(worker.post), output=worker.output)

    async def lose(self, record: BoardRecord, seated: Mapping[Seat, SeatedBot]) -> BoardRecord:
        """Empty the post of the player whose loss ended a board, the last fault of its record;
        the record, with that fault explained by the end of the process."""
        *others, last = record.faults
        worker = seated[last.seat]
        # The loss may have been noticed at another table, and the post filled again.
        is_news = worker.is_at_post
        if is_news:
            del self._workers[worker.post]
            worker.leave()
        if last.kind == FaultKind.DISCONNECT:
            how = await _end_of(worker.bot)
            if how is not None:
                last = Fault(last.seat, FaultKind.CRASH, last.action, how)
        if is_news:
            self._log_end(worker, f"{last.kind}: {last.detail}")
            worker.send_away(f"{last.kind}: {last.detail}")
        return replace(record, faults=(*others, last))

    def _log_end(self, worker: SeatedBot, why: str) -> None:
        self._log.write("bot_lost", bot=str(worker.post), why=why, output=worker.output)


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
