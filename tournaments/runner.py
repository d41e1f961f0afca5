"""Runs a two-room team match: bots as processes, tables at once, results to the store.

The home team sits North-South in the open room and East-West in the closed room.
Each entry has one process for each compass seat that it takes, with a connection for
each table of that room, so that no process ever sees two hands of one deal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from bridge.board import seat_seed
from bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge.seats import SEATS, Seat
from pbn.compose import game_of
from pbn.writer import format_game
from protocol.messages import Welcome
from protocol.visibility import Viewer
from server.clock import TimeControl
from server.driver import play_board
from server.faults import SeatFault
from server.gateway import Gateway, OneTimeTokens, Reservation
from server.players import WebsocketPlayer
from server.supervisor import BotProcess, Supervisor
from server.table import Table
from tournaments.entries import Entry
from tournaments.log import EventLog
from tournaments.schedule import Unit, match_schedule, team_at
from tournaments.store import Result, Store

SEATING_SECONDS = 60.0
"""How long bots may take from their start until all sit at their tables."""

ENDING_SECONDS = 2.0
"""How soon after its connection is lost a bot's process must end for its end to count
as the reason; and how long bots may take over their goodbyes."""


class SeatingError(Exception):
    """A bot did not come to its tables: one line says which and why."""


class _ForfeitError(Exception):
    """A player is gone, so the match cannot go on."""


@dataclass(slots=True)
class _RoomStaff:
    """One room: its bots' processes, and its tables, each with a seat for every player."""

    bots: dict[Seat, BotProcess]
    tables: list[dict[Seat, Reservation]]

    def players(self) -> list[dict[Seat, WebsocketPlayer]]:
        return [
            {seat: place.seated.result() for seat, place in table.items()} for table in self.tables
        ]


class MatchRunner:
    """Plays what is left of a match. `on_board` is told each board as it ends."""

    def __init__(
        self,
        store: Store,
        teams: tuple[Entry, Entry],
        log: EventLog,
        on_board: Callable[[BoardRecord], None],
        *,
        concurrency: int,
        port: int = 0,
    ) -> None:
        setup = store.setup()
        self._store = store
        self._teams = teams
        self._log = log
        self._on_board = on_board
        self._concurrency = concurrency
        self._port = port
        self._seed = setup.seed
        self._event = f"Bridge Arena match, seed {setup.seed}"
        self._control = TimeControl.parse(setup.clock)
        # Whether a player is gone, now or before this run: the match is over, and only the
        # first loss is recorded.
        self._forfeited = store.is_forfeited()
        done = store.finished()
        left = [unit for unit in match_schedule(setup.boards) if unit.id not in done]
        self._units = {
            room: units for room in Room if (units := [unit for unit in left if unit.room == room])
        }

    async def run(self) -> None:
        """Play until everything is played or a team forfeits.

        Raises SeatingError, GatewayError, StartError and StoreError.
        """
        if not self._units or self._forfeited:
            return
        tokens = OneTimeTokens()
        async with (
            # Left last: with the bots stopped, no connection waits for an answer to its end.
            Gateway(tokens.admit, port=self._port) as gateway,
            Supervisor() as supervisor,
        ):
            staff = {
                room: await self._open_room(room, tokens, gateway.url, supervisor)
                for room in self._units
            }
            await self._wait_until_seated(staff)
            await self._play(staff)
            await self._say_goodbye(staff)
            await supervisor.let_end()
            for room in staff.values():
                for bot in room.bots.values():
                    self._log.write("bot_output", bot=bot.name, output=bot.output_tail)

    # Before the play: processes and seats.

    async def _open_room(
        self, room: Room, tokens: OneTimeTokens, url: str, supervisor: Supervisor
    ) -> _RoomStaff:
        """Start the four bots of a room; they come to their tables by themselves."""
        share = -(-self._concurrency // len(self._units))
        count = min(share, len(self._units[room]))
        staff = _RoomStaff({}, [{} for _ in range(count)])
        for seat in SEATS:
            entry = self._teams[team_at(seat.side, room)]
            issued: list[str] = []
            for number, table in enumerate(staff.tables, start=1):
                welcome = Welcome(
                    table=f"{room.lower()}-{number}",
                    seat=seat,
                    event=self._event,
                    action_seconds=self._control.action,
                )
                table[seat] = Reservation(Viewer(seat, entry.cheat), welcome)
                # Once one bot is known not to come, nobody looks at the others' reasons.
                table[seat].seated.add_done_callback(_take_note)
                issued.append(tokens.issue(table[seat]))
            environment = {
                "ARENA_URL": url,
                "ARENA_SEAT": seat.letter,
                "ARENA_TOKEN": ",".join(issued),
            }
            name = f"{entry.name} ({seat}, {room.lower()} room)"
            bot = await supervisor.start(name, entry.command, environment)
            self._log.write("bot_started", bot=name, pid=bot.pid, command=entry.command)
            staff.bots[seat] = bot
        return staff

    async def _wait_until_seated(self, staff: Mapping[Room, _RoomStaff]) -> None:
        """Raises SeatingError as soon as it is clear that somebody will not come."""
        endings = {
            asyncio.create_task(bot.ended()): bot
            for room in staff.values()
            for bot in room.bots.values()
        }
        seats = {
            table[seat].seated: room.bots[seat]
            for room in staff.values()
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
                            why = await self._end_of(bot) or fault.detail
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
        for room, its_staff in staff.items():
            for players in its_staff.players():
                said = {str(seat): player.hello for seat, player in players.items()}
                self._log.write("seated", table=players[Seat.NORTH].table, room=room, bots=said)

    # The play.

    async def _play(self, staff: Mapping[Room, _RoomStaff]) -> None:
        """All units of all rooms, at most `concurrency` at once."""
        slots = asyncio.Semaphore(self._concurrency)
        try:
            async with asyncio.TaskGroup() as group:
                for room, its_staff in staff.items():
                    units = iter(self._units[room])
                    for players in its_staff.players():
                        group.create_task(self._play_table(units, players, its_staff.bots, slots))
        except* _ForfeitError:
            pass  # it is in the record that was saved
        except* Exception as errors:
            raise errors.exceptions[0] from None

    async def _play_table(
        self,
        units: Iterator[Unit],
        players: Mapping[Seat, WebsocketPlayer],
        bots: Mapping[Seat, BotProcess],
        slots: asyncio.Semaphore,
    ) -> None:
        """Play unit after unit at one table, until the room has no more."""
        for unit in units:
            async with slots:
                if self._forfeited:
                    return
                await self._play_unit(unit, players, bots)

    async def _play_unit(
        self,
        unit: Unit,
        players: Mapping[Seat, WebsocketPlayer],
        bots: Mapping[Seat, BotProcess],
    ) -> None:
        board, room = unit.board, unit.room
        north, east, south, west = (seat_seed(self._seed, board.number, seat) for seat in SEATS)
        name = players[board.dealer].table
        table = Table(name, board, (north, east, south, west), self._control)
        await play_board(table, players)
        names = [self._teams[team_at(seat.side, room)].name for seat in SEATS]
        record = replace(
            table.record((names[0], names[1], names[2], names[3])),
            event=self._event,
            date=date.today().strftime("%Y.%m.%d"),
            room=room,
            home=self._teams[0].name,
            visitors=self._teams[1].name,
        )
        if not record.is_finished:
            if self._forfeited:
                return  # the match is lost already: who is gone was missed at another table
            self._forfeited = True
            record = await self._explain_end(record, bots)
        timings = [(str(timing.seat), round(timing.milliseconds, 3)) for timing in table.timings]
        pbn = format_game(game_of(record))
        self._store.save(unit, Result(unit.id, pbn, record.is_finished, timings))
        self._log.write(
            "board_ended",
            unit=unit.id,
            contract=None if record.contract is None else f"{record.contract}",
            tricks=record.tricks,
            score=record.score,
            faults=[f"{f.seat}: {f.kind} at action {f.action}: {f.detail}" for f in record.faults],
        )
        self._on_board(record)
        if not record.is_finished:
            raise _ForfeitError

    async def _say_goodbye(self, staff: Mapping[Room, _RoomStaff]) -> None:
        """End the sessions in good order, except of bots that are too deep in thought."""
        players = [
            player
            for room in staff.values()
            for table in room.players()
            for player in table.values()
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                await asyncio.gather(
                    *(player.say_goodbye("the match is over") for player in players)
                )

    async def _explain_end(
        self, record: BoardRecord, bots: Mapping[Seat, BotProcess]
    ) -> BoardRecord:
        """The record with its last fault, the lost player, explained by the process's end."""
        *others, last = record.faults
        bot = bots[last.seat]
        if last.kind == FaultKind.DISCONNECT:
            how = await self._end_of(bot)
            if how is not None:
                last = Fault(last.seat, FaultKind.CRASH, last.action, how)
        self._log_end(bot, f"{last.kind}: {last.detail}")
        return replace(record, faults=(*others, last))

    async def _end_of(self, bot: BotProcess) -> str | None:
        """How the process ended, if it does so soon; it explains a lost connection."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                return await bot.ended()
        return None

    def _log_end(self, bot: BotProcess, why: str) -> None:
        self._log.write("bot_lost", bot=bot.name, why=why, output=bot.output_tail)


def _take_note(seated: asyncio.Future[WebsocketPlayer]) -> None:
    """Look at how it ended, so that asyncio does not complain that nobody did."""
    if not seated.cancelled():
        seated.exception()


async def _first_of(futures: Sequence[asyncio.Future[Any]]) -> None:
    """Wait until one of them is done, whatever came of it."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
