"""Plays recorded boards with a bot in one seat, and again with the oracle in its place.

Two rooms: in one sits the bot, in the other the double-dummy oracle, a cheat, which is
given the auction that the bot had; the other seats have the same opponents with the same
seeds. Each entry has a process for each seat and room.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO

from bridge.board import seat_seed
from bridge.record import BoardRecord, MadeCall
from bridge.seats import SEATS, Seat
from pbn.compose import game_of
from pbn.records import read_records
from pbn.writer import HEADER, format_game
from server.clock import TimeControl
from server.driver import play_board
from server.players import Player, WebsocketPlayer
from server.recorded import RecordedPlayer
from server.table import Table
from tournaments.entries import Entry, parse_entry
from tournaments.log import EventLog
from tournaments.replay.checkpoint import Checkpoint
from tournaments.replay.games import RecordedGame, Start
from tournaments.staff import RoomStaff, Staff

BOT, ORACLE = "bot", "oracle"
"""Who sat in the seat in question: the last part of a unit's id."""


class LostBotError(Exception):
    """A bot is gone, so the replay cannot go on; one line says which and why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What defines a replay beside its games."""

    bot: Entry
    seat: Seat
    against: Entry
    start: Start
    seed: int
    control: TimeControl

    def entries(self, room: str) -> dict[Seat, Entry]:
        """Who sits where."""
        own = self.bot if room == BOT else replace(parse_entry("oracle"), name="oracle")
        return {seat: own if seat == self.seat else self.against for seat in SEATS}

    def event(self, room: str) -> str:
        """The Event of a board as it is written to PBN."""
        name = self.entries(room)[self.seat].name
        return f"Replay, {room} in {self.seat}: {name}"


def unit_id(game: RecordedGame, part: str) -> str:
    return f"replay/{game.number}/{part}"


def saved_record(checkpoint: Checkpoint, game: RecordedGame, room: str) -> BoardRecord | None:
    """The board as it was played in a room; None where it was not."""
    facts = checkpoint.get(unit_id(game, room))
    if facts is None:
        return None
    return next(read_records(BytesIO((HEADER + facts["pbn"]).encode("latin-1"))))


class ReplayRunner:
    """Plays what is left of a replay. `on_board` is told each game when it is done."""

    def __init__(
        self,
        setup: Setup,
        games: Sequence[RecordedGame],
        checkpoint: Checkpoint,
        log: EventLog,
        on_board: Callable[[], None],
        *,
        concurrency: int,
    ) -> None:
        self._setup = setup
        self._checkpoint = checkpoint
        self._log = log
        self._on_board = on_board
        self._concurrency = concurrency
        self._left = [game for game in games if not is_done(checkpoint, setup, game)]

    async def run(self) -> None:
        """Play until everything is played.

        Raises LostBotError, SeatingError, GatewayError, StartError and CheckpointError.
        """
        if not self._left:
            return
        setup = self._setup
        async with Staff("Bridge Arena replay", setup.control, self._log) as staff:
            tables = min(self._concurrency, len(self._left))
            rooms = [
                await staff.open_room(room, setup.entries(room), tables) for room in (BOT, ORACLE)
            ]
            await staff.wait_until_seated()
            await self._play(staff, rooms)
            await staff.dismiss("the replay is over")

    async def _play(self, staff: Staff, rooms: Sequence[RoomStaff]) -> None:
        games = iter(self._left)
        try:
            async with asyncio.TaskGroup() as group:
                for players in zip(*(room.players() for room in rooms), strict=True):
                    group.create_task(self._play_games(games, players, staff, rooms))
        except* Exception as errors:
            raise errors.exceptions[0] from None

    async def _play_games(
        self,
        games: Iterator[RecordedGame],
        players: Sequence[Mapping[Seat, WebsocketPlayer]],
        staff: Staff,
        rooms: Sequence[RoomStaff],
    ) -> None:
        """Play game after game at one table of both rooms, until there are no more."""
        for game in games:
            for room, seated in zip(rooms, players, strict=True):
                if is_due(self._checkpoint, self._setup, game, room.name):
                    await self._play_game(game, room, seated, staff)
            self._on_board()

    async def _play_game(
        self,
        game: RecordedGame,
        room: RoomStaff,
        seated: Mapping[Seat, WebsocketPlayer],
        staff: Staff,
    ) -> None:
        setup = self._setup
        assert game.record is not None
        board = game.record.board
        north, east, south, west = (seat_seed(setup.seed, board.number, seat) for seat in SEATS)
        name = seated[board.dealer].table
        table = Table(name, board, (north, east, south, west), setup.control)
        await play_board(table, self._recorded(game, room.name, seated))
        entries = setup.entries(room.name)
        names = [entries[seat].name for seat in SEATS]
        record = replace(
            table.record((names[0], names[1], names[2], names[3])),
            event=setup.event(room.name),
            date=date.today().strftime("%Y.%m.%d"),
        )
        unit = unit_id(game, room.name)
        if not record.is_finished:
            fault = (await staff.explain_end(record, room)).faults[-1]
            raise LostBotError(
                f"bot {room.bots[fault.seat].name} was lost on game {game.number}: "
                f"{fault.kind}: {fault.detail}"
            )
        self._checkpoint.save(unit, pbn=format_game(game_of(record)))
        self._log.write("board_ended", unit=unit, tricks=record.tricks, score=record.score)

    def _recorded(
        self, game: RecordedGame, room: str, seated: Mapping[Seat, WebsocketPlayer]
    ) -> dict[Seat, Player]:
        """The players, those that have calls to repeat as recorded seats."""
        setup = self._setup
        auction: Sequence[MadeCall] = game.auction
        if room == ORACLE:
            record = saved_record(self._checkpoint, game, BOT)
            assert record is not None
            auction = record.calls
        bids = room == BOT and setup.start is Start.AUCTION
        return {
            seat: player if bids and seat == setup.seat else RecordedPlayer(player, auction)
            for seat, player in seated.items()
        }


def is_due(checkpoint: Checkpoint, setup: Setup, game: RecordedGame, room: str) -> bool:
    """Whether a board is to be played in a room; the oracle's only after the bot's, and
    only where there is something to compare."""
    if checkpoint.get(unit_id(game, room)) is not None:
        return False
    if room == BOT:
        return True
    record = saved_record(checkpoint, game, BOT)
    return record is not None and counts(record, setup.seat)


def is_done(checkpoint: Checkpoint, setup: Setup, game: RecordedGame) -> bool:
    """Whether nothing is left to play of a game."""
    return checkpoint.get(unit_id(game, BOT)) is not None and not is_due(
        checkpoint, setup, game, ORACLE
    )


def counts(record: BoardRecord, seat: Seat) -> bool:
    """Whether a board that the bot played says something about its play."""
    return record.contract is not None and record.contract.declarer.partner != seat
