"""Runs a two-room team match: bots as processes, tables at once, results to the store.

The home team sits North-South in the open room and East-West in the closed room.
Each entry has one process for each compass seat that it takes, with a connection for
each table of that room, so that no process ever sees two hands of one deal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from bridge.board import seat_seed
from bridge.record import BoardRecord, Mode, Room
from bridge.seats import SEATS, Seat
from oracle.pool import Oracle
from pbn.compose import game_of
from pbn.writer import format_game
from server.clock import TimeControl
from server.driver import award, play_board
from server.players import Player, WebsocketPlayer
from server.recorded import RecordedPlayer
from server.table import Table
from tournaments.entries import Entry
from tournaments.log import EventLog
from tournaments.schedule import Unit, match_schedule, team_at
from tournaments.staff import RoomStaff, Staff
from tournaments.store import Result, Store

EVENTS = {
    Mode.FULL: "match",
    Mode.BIDDING: "match of bidding only",
    Mode.PLAY: "match of card play only",
}
"""What the event is called: players and files are told."""


class _ForfeitError(Exception):
    """A player is gone, so the match cannot go on."""


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
        self._mode = setup.mode
        self._auctions = setup.auctions
        self._event = f"Bridge Arena {EVENTS[setup.mode]}, seed {setup.seed}"
        self._control = TimeControl.parse(setup.clock)
        # Awards the tricks of contracts that are only bid; however long it takes, as a board
        # without a result would be no board.
        self._oracle = Oracle(deadline=None)
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

        Raises SeatingError, GatewayError, StartError, StoreError and OracleError.
        """
        if not self._units or self._forfeited:
            return
        async with Staff(self._event, self._control, self._log, port=self._port) as staff:
            share = -(-self._concurrency // len(self._units))
            rooms = {
                room: await staff.open_room(
                    room.lower(),
                    {seat: self._teams[team_at(seat.side, room)] for seat in SEATS},
                    min(share, len(units)),
                )
                for room, units in self._units.items()
            }
            await staff.wait_until_seated()
            with self._oracle:
                await self._play(staff, rooms)
            await staff.dismiss("the match is over")

    # The play.

    async def _play(self, staff: Staff, rooms: Mapping[Room, RoomStaff]) -> None:
        """All units of all rooms, at most `concurrency` at once."""
        slots = asyncio.Semaphore(self._concurrency)
        try:
            async with asyncio.TaskGroup() as group:
                for room, room_staff in rooms.items():
                    units = iter(self._units[room])
                    for players in room_staff.players():
                        group.create_task(
                            self._play_table(units, players, staff, room_staff, slots)
                        )
        except* _ForfeitError:
            pass  # it is in the record that was saved
        except* Exception as errors:
            raise errors.exceptions[0] from None

    async def _play_table(
        self,
        units: Iterator[Unit],
        players: Mapping[Seat, WebsocketPlayer],
        staff: Staff,
        room_staff: RoomStaff,
        slots: asyncio.Semaphore,
    ) -> None:
        """Play unit after unit at one table, until the room has no more."""
        for unit in units:
            async with slots:
                if self._forfeited:
                    return
                await self._play_unit(unit, players, staff, room_staff)

    async def _play_unit(
        self,
        unit: Unit,
        players: Mapping[Seat, WebsocketPlayer],
        staff: Staff,
        room_staff: RoomStaff,
    ) -> None:
        board, room = unit.board, unit.room
        north, east, south, west = (seat_seed(self._seed, board.number, seat) for seat in SEATS)
        name = players[board.dealer].table
        table = Table(
            name,
            board,
            (north, east, south, west),
            self._control,
            bidding_only=self._mode is Mode.BIDDING,
        )
        await play_board(table, self._seated(unit, players))
        if table.unplayed is not None:
            tricks = await self._oracle.play_values(board.deal, table.unplayed, ())
            await award(table, players, tricks[0])
        names = [self._teams[team_at(seat.side, room)].name for seat in SEATS]
        record = replace(
            table.record((names[0], names[1], names[2], names[3])),
            event=self._event,
            date=date.today().strftime("%Y.%m.%d"),
            room=room,
            home=self._teams[0].name,
            visitors=self._teams[1].name,
            mode=self._mode,
        )
        if not record.is_finished:
            if self._forfeited:
                return  # the match is lost already: who is gone was missed at another table
            self._forfeited = True
            record = await staff.explain_end(record, room_staff)
        # Calls that were given to the players took nobody any time.
        given = len(table.calls) if self._mode is Mode.PLAY else 0
        timings = [
            (str(timing.seat), round(timing.milliseconds, 3)) for timing in table.timings[given:]
        ]
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

    def _seated(self, unit: Unit, players: Mapping[Seat, WebsocketPlayer]) -> Mapping[Seat, Player]:
        """Who plays a unit: the players, who in play mode are given the auction."""
        if self._mode is not Mode.PLAY:
            return players
        auction = self._auctions[unit.position - 1]
        return {seat: RecordedPlayer(player, auction) for seat, player in players.items()}
