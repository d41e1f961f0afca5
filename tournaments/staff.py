"""The bots of an event at their posts: started, seated, said goodbye to, or lost.

A post is an entry in a compass seat: one process, with a connection for each table, so
that no process ever sees two hands of one deal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from signal import SIGKILL
from types import TracebackType
from typing import Any

from bridge.record import BoardRecord, Fault, FaultKind
from bridge.seats import Seat
from protocol.messages import Welcome
from protocol.visibility import Viewer
from server.clock import TimeControl
from server.faults import SeatFault
from server.gateway import Gateway, OneTimeTokens, Reservation
from server.players import WebsocketPlayer
from server.supervisor import BotProcess, Supervisor
from tournaments.entries import Entry
from tournaments.log import EventLog

SEATING_SECONDS = 60.0
"""How long bots may take from their start until all sit at their tables."""

ENDING_SECONDS = 2.0
"""How soon after its connection is lost a bot's process must end for its end to count
as the reason; and how long bots may take over their goodbyes."""


class SeatingError(Exception):
    """A bot did not come to its tables: one line says which and why."""


@dataclass(frozen=True, slots=True)
class Post:
    """A bot and the seat that it takes, at any table. `room`: set where an entry has
    processes apart for two rooms."""

    entry: Entry
    seat: Seat
    room: str = ""

    def __str__(self) -> str:
        room = f", {self.room} room" if self.room else ""
        return f"{self.entry.name} ({self.seat}{room})"


@dataclass(frozen=True, eq=False, slots=True)
class Worker:
    """A bot's process at its post, and its places at the tables, in their order."""

    post: Post
    bot: BotProcess
    places: Sequence[Reservation]

    def player(self, table: int) -> WebsocketPlayer:
        """Who sits at a table (from 0); once the bot is seated."""
        return self.places[table].seated.result()


class Staff:
    """All bots of an event; while its context is entered, they can come and play.

    Entering raises GatewayError. When it is left, no bot's process is left running.
    """

    def __init__(
        self, event: str, control: TimeControl, log: EventLog, tables: int, *, port: int = 0
    ) -> None:
        self._event = event
        self._control = control
        self._log = log
        self._tables = tables
        self._tokens = OneTimeTokens()
        self._gateway = Gateway(self._tokens.admit, port=port)
        self._supervisor = Supervisor()
        self._workers: dict[Post, Worker] = {}
        # Held while processes are started, so that a lost bot is started again once.
        self._starting = asyncio.Lock()
        self._contexts = AsyncExitStack()

    async def __aenter__(self) -> Staff:
        # Left last: with the bots stopped, no connection waits for an answer to its end.
        await self._contexts.enter_async_context(self._gateway)
        await self._contexts.enter_async_context(self._supervisor)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._contexts.__aexit__(kind, error, trace)

    # Before the play: processes and seats.

    async def fill(self, posts: Iterable[Post]) -> None:
        """See to it that somebody sits at every table for each post.

        Raises StartError and SeatingError, and then none of those that were started stays.
        """
        async with self._starting:
            missing = [post for post in dict.fromkeys(posts) if post not in self._workers]
            workers: list[Worker] = []
            try:
                for post in missing:
                    workers.append(await self._start(post))  # noqa: PERF401 (to be stopped)
                await self._wait_until_seated(workers)
            except BaseException:
                for worker in workers:
                    worker.bot.signal(SIGKILL)
                raise
            # Not sooner: who is at a post can be asked to play.
            self._workers |= {worker.post: worker for worker in workers}

    def workers(self, posts: Mapping[Seat, Post]) -> dict[Seat, Worker]:
        """Who is at posts; those that are empty are left out."""
        return {
            seat: worker
            for seat, post in posts.items()
            if (worker := self._workers.get(post)) is not None
        }

    async def _start(self, post: Post) -> Worker:
        viewer = Viewer(post.seat, post.entry.cheat)
        places = [self._reserve(f"table {number}", viewer) for number in self._numbers()]
        environment = {
            "ARENA_URL": self._gateway.url,
            "ARENA_SEAT": post.seat.letter,
            "ARENA_TOKEN": ",".join(map(self._tokens.issue, places)),
        }
        bot = await self._supervisor.start(str(post), post.entry.command, environment)
        self._log.write("bot_started", bot=bot.name, pid=bot.pid, command=post.entry.command)
        return Worker(post, bot, places)

    def _numbers(self) -> range:
        return range(1, self._tables + 1)

    def _reserve(self, table: str, viewer: Viewer) -> Reservation:
        """Keep a seat free."""
        welcome = Welcome(
            table=table,
            seat=viewer.seat,
            event=self._event,
            **self._control.told(),
        )
        place = Reservation(viewer, welcome)
        # Once one bot is known not to come, nobody looks at the others' reasons.
        place.seated.add_done_callback(_take_note)
        return place

    async def _wait_until_seated(self, workers: Collection[Worker]) -> None:
        """Raises SeatingError as soon as it is clear that somebody will not come."""
        endings = {asyncio.create_task(worker.bot.ended()): worker.bot for worker in workers}
        seats = {place.seated: worker.bot for worker in workers for place in worker.places}
        try:
            async with asyncio.timeout(SEATING_SECONDS):
                while waiting := [seated for seated in seats if not seated.done()]:
                    await _first_of([*waiting, *endings])
                    for seated, bot in seats.items():
                        fault = seated.exception() if seated.done() else None
                        if isinstance(fault, SeatFault):
                            why = await _end_of(bot) or fault.detail
                            self._log_end(bot, why)
                            raise SeatingError(f"bot {bot.name} was not seated: {why}")
                    for ending, bot in endings.items():
                        if ending.done():
                            self._log_end(bot, ending.result())
                            raise SeatingError(
                                f"bot {bot.name} ended before it sat down: {ending.result()}"
                            )
        except TimeoutError:
            late = next(bot for seated, bot in seats.items() if not seated.done())
            raise SeatingError(
                f"bot {late.name} did not connect within {SEATING_SECONDS:.0f} s"
            ) from None
        finally:
            for ending in endings:
                ending.cancel()
        for worker in workers:
            player = worker.places[0].seated.result()
            self._log.write("seated", bot=worker.bot.name, says=player.hello)

    # After the play, or when it cannot go on.

    async def dismiss(self, reason: str) -> None:
        """End the sessions in good order, except of bots that are too deep in thought."""
        players = [
            place.seated.result() for worker in self._workers.values() for place in worker.places
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await asyncio.gather(*(player.say_goodbye(reason) for player in players))
        await self._supervisor.let_end()
        for worker in self._workers.values():
            self._log.write("bot_output", bot=worker.bot.name, output=worker.bot.output_tail)

    def is_at_post(self, worker: Worker) -> bool:
        """Whether nobody has noticed yet that it is lost."""
        return self._workers.get(worker.post) is worker

    async def lose(self, record: BoardRecord, seated: Mapping[Seat, Worker]) -> BoardRecord:
        """Empty the post of the player whose loss ended a board, the last fault of its record;
        the record, with that fault explained by the end of the process."""
        *others, last = record.faults
        worker = seated[last.seat]
        # The loss may have been noticed at another table, and the post filled again.
        is_news = self.is_at_post(worker)
        if is_news:
            del self._workers[worker.post]
        if last.kind == FaultKind.DISCONNECT:
            how = await _end_of(worker.bot)
            if how is not None:
                last = Fault(last.seat, FaultKind.CRASH, last.action, how)
        if is_news:
            self._log_end(worker.bot, f"{last.kind}: {last.detail}")
            worker.bot.signal(SIGKILL)
        return replace(record, faults=(*others, last))

    def _log_end(self, bot: BotProcess, why: str) -> None:
        self._log.write("bot_lost", bot=bot.name, why=why, output=bot.output_tail)


async def _end_of(bot: BotProcess) -> str | None:
    """How the process ended, if it does so soon; it explains a lost connection."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ENDING_SECONDS):
            return await bot.ended()
    return None


def _take_note(seated: asyncio.Future[WebsocketPlayer]) -> None:
    """Look at how it ended, so that asyncio does not complain that nobody did."""
    if not seated.cancelled():
        seated.exception()


async def _first_of(futures: Sequence[asyncio.Future[Any]]) -> None:
    """Wait until one of them is done, whatever came of it."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
