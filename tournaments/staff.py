"""The bots of an event at their places: started, seated, said goodbye to, or lost.

A room has one process for each compass seat, with a connection for each table of the
room, so that no process ever sees two hands of one deal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from bridge.record import BoardRecord, Fault, FaultKind
from bridge.seats import SEATS, Seat
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


@dataclass(slots=True)
class RoomStaff:
    """One room: its bots' processes, and its tables, each with a seat for every player."""

    name: str
    bots: dict[Seat, BotProcess] = field(default_factory=dict)
    tables: list[dict[Seat, Reservation]] = field(default_factory=list)

    def players(self) -> list[dict[Seat, WebsocketPlayer]]:
        """Who sits at each table; once all are seated."""
        return [
            {seat: place.seated.result() for seat, place in table.items()} for table in self.tables
        ]


class Staff:
    """All bots of an event; while its context is entered, they can come and play.

    Entering raises GatewayError. When it is left, no bot's process is left running.
    """

    def __init__(self, event: str, control: TimeControl, log: EventLog, *, port: int = 0) -> None:
        self._event = event
        self._control = control
        self._log = log
        self._tokens = OneTimeTokens()
        self._gateway = Gateway(self._tokens.admit, port=port)
        self._supervisor = Supervisor()
        self._rooms: list[RoomStaff] = []
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

    async def open_room(self, name: str, entries: Mapping[Seat, Entry], tables: int) -> RoomStaff:
        """Start the four bots of a room; they come to their tables by themselves.

        Raises StartError.
        """
        room = RoomStaff(name, tables=[{} for _ in range(tables)])
        self._rooms.append(room)
        for seat in SEATS:
            entry = entries[seat]
            tokens = [
                self._reserve(table, f"{name}-{number}", Viewer(seat, entry.cheat))
                for number, table in enumerate(room.tables, start=1)
            ]
            environment = {
                "ARENA_URL": self._gateway.url,
                "ARENA_SEAT": seat.letter,
                "ARENA_TOKEN": ",".join(tokens),
            }
            title = f"{entry.name} ({seat}, {name} room)"
            bot = await self._supervisor.start(title, entry.command, environment)
            self._log.write("bot_started", bot=title, pid=bot.pid, command=entry.command)
            room.bots[seat] = bot
        return room

    def _reserve(self, table: dict[Seat, Reservation], name: str, viewer: Viewer) -> str:
        """Keep a seat free; the token that claims it."""
        welcome = Welcome(
            table=name,
            seat=viewer.seat,
            event=self._event,
            action_seconds=self._control.action,
        )
        place = table[viewer.seat] = Reservation(viewer, welcome)
        # Once one bot is known not to come, nobody looks at the others' reasons.
        place.seated.add_done_callback(_take_note)
        return self._tokens.issue(place)

    async def wait_until_seated(self) -> None:
        """Raises SeatingError as soon as it is clear that somebody will not come."""
        endings = {asyncio.create_task(bot.ended()): bot for bot in self._bots()}
        seats = {
            table[seat].seated: room.bots[seat]
            for room in self._rooms
            for table in room.tables
            for seat in SEATS
        }
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
        for room in self._rooms:
            for players in room.players():
                said = {str(seat): player.hello for seat, player in players.items()}
                table = players[Seat.NORTH].table
                self._log.write("seated", table=table, room=room.name, bots=said)

    # After the play, or when it cannot go on.

    async def dismiss(self, reason: str) -> None:
        """End the sessions in good order, except of bots that are too deep in thought."""
        players = [
            player for room in self._rooms for table in room.players() for player in table.values()
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await asyncio.gather(*(player.say_goodbye(reason) for player in players))
        await self._supervisor.let_end()
        for bot in self._bots():
            self._log.write("bot_output", bot=bot.name, output=bot.output_tail)

    async def explain_end(self, record: BoardRecord, room: RoomStaff) -> BoardRecord:
        """The record with its last fault, the lost player, explained by the process's end."""
        *others, last = record.faults
        bot = room.bots[last.seat]
        if last.kind == FaultKind.DISCONNECT:
            how = await _end_of(bot)
            if how is not None:
                last = Fault(last.seat, FaultKind.CRASH, last.action, how)
        self._log_end(bot, f"{last.kind}: {last.detail}")
        return replace(record, faults=(*others, last))

    def _bots(self) -> list[BotProcess]:
        return [bot for room in self._rooms for bot in room.bots.values()]

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
