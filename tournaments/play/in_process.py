"""Matches of bots that are objects in this process: for notebooks and a bot author's tests.

The server's own table is the judge. There are no processes, connections, clocks or files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from secrets import token_bytes
from typing import Any, TypeVar

from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import Bot, start_board
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import KEY_BYTES, DealKey
from bridge_arena.protocol.messages import BoardEnd, BoardStart
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from bridge_arena.tournaments.schedule.match_outcomes import swing
from bridge_arena.tournaments.schedule.units import team_at

T = TypeVar("T")

MakeBot = Callable[[], Bot]
"""A maker of the bot of a seat: a subclass of `Bot`, or any function without parameters."""

_PATIENT = TimeControl(24 * 3600.0)


@dataclass(frozen=True, slots=True)
class InProcessMatch:
    """The result of a match.

    Attributes:
        records: The open and the closed room's record of each board, in the order of the boards.
    """

    records: tuple[BoardRecord, ...]

    @property
    def imps(self) -> list[int]:
        """The IMPs of the first bot on each board; negative where it lost."""
        boards = zip(self.records[::2], self.records[1::2], strict=True)
        return [worth.imps for tables in boards if (worth := swing(tables)) is not None]


def play_match(
    first: str | MakeBot,
    second: str | MakeBot,
    boards: int | Iterable[Board] = 32,
    *,
    seed: int | None = None,
) -> InProcessMatch:
    """Play a match of two bots, each board in both rooms.

    The first bot sits North-South in the open room. Claims are not offered, as in a match that does
    not ask for them. If both bots have the same name, "-2" is added to the second's. An exception
    in a bot is passed on to the caller.

    Args:
        first: A subclass of `Bot`, a function that makes a bot, or a shipped bot as the command
            line has it (`"natural"`, `"minimax:depth=1"`).
        second: The other bot, in the same form.
        boards: The number of boards to deal, or the boards themselves.
        seed: The seed of the boards and of the bots' random choices, which are then those of `arena
            match --seed`; None for random ones.

    Returns:
        The records of the match.

    Raises:
        UnknownBotError: No bot of that name ships.
    """
    home, visitors = _named(first), _named(second)
    if home.name == visitors.name:
        visitors = replace(visitors, name=f"{visitors.name}-2")
    key = DealKey(token_bytes(KEY_BYTES)) if seed is None else DealKey.of_seed(seed)
    if isinstance(boards, int):
        boards = [key.board(number) for number in range(1, boards + 1)]
    return InProcessMatch(_in_a_loop(_play((home, visitors), list(boards), key)))


def bid_at_tables(
    boards: Sequence[Board], home: MakeBot, visitors: MakeBot, key: DealKey
) -> list[tuple[list[Call], list[Call]]]:
    """Have two bots bid boards in both rooms, one board after the other, without play.

    Args:
        boards: The boards.
        home: Makes the bot that sits North-South in the open room.
        visitors: Makes the other bot.
        key: The key that the seeds of the bots' own choices come from.

    Returns:
        The calls of each board in the open and in the closed room. An exception in a bot is passed
        on.
    """
    return _in_a_loop(_bid(home, visitors, boards, key, lambda table: table.auction.calls))


def explained_at_tables(
    boards: Sequence[Board], home: MakeBot, visitors: MakeBot, key: DealKey
) -> list[tuple[BoardRecord, BoardRecord]]:
    """Have two bots bid boards as `bid_at_tables` does, and return all that they say.

    Args:
        boards: The boards.
        home: Makes the bot that sits North-South in the open room.
        visitors: Makes the other bot.
        key: The key that the seeds of the bots' own choices come from.

    Returns:
        The records of each board in the open and in the closed room, with explanations and
        thoughts, without names, tricks and score. An exception in a bot is passed on.
    """
    nobody = "", "", "", ""
    return _in_a_loop(_bid(home, visitors, boards, key, lambda table: table.record(nobody)))


@dataclass(frozen=True, slots=True)
class _Named:
    """A bot with its name in the records."""

    name: str
    make: MakeBot
    is_cheat: bool


def _named(bot: str | MakeBot) -> _Named:
    if isinstance(bot, str):
        shipped, make = parse(bot)
        return _Named(bot, make, shipped.cheat)
    name = getattr(bot, "name", "") or getattr(bot, "__name__", "bot")
    return _Named(name, bot, is_cheat=False)


class _InProcessBot(LocalPlayer):
    """A bot that is seeded for each board and told its beginning and end, as over a connection."""

    def __init__(self, named: _Named, seat: Seat) -> None:
        self._bot = named.make()
        super().__init__(Viewer(seat, named.is_cheat), self._bot)

    def tell(self, outgoing: Outgoing) -> None:
        super().tell(outgoing)
        if self.view is not None:
            if isinstance(outgoing.message, BoardStart):
                start_board(self._bot, self.view)
            elif isinstance(outgoing.message, BoardEnd):
                self._bot.board_ended(self.view)


def _in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Do it in an event loop: in this thread, or in another if this thread already has a loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _play(
    teams: tuple[_Named, _Named], boards: Sequence[Board], key: DealKey
) -> tuple[BoardRecord, ...]:
    rooms = [(room, _seated(teams, room)) for room in Room]
    return tuple(
        [
            await _record(board, room, players, teams, key)
            for board in boards
            for room, players in rooms
        ]
    )


def _seated(teams: tuple[_Named, _Named], room: Room) -> dict[Seat, _InProcessBot]:
    return {seat: _InProcessBot(teams[team_at(seat.side, room)], seat) for seat in SEATS}


async def _bid(
    home: MakeBot,
    visitors: MakeBot,
    boards: Sequence[Board],
    key: DealKey,
    told: Callable[[Table], T],
) -> list[tuple[T, T]]:
    """Have boards bid in both rooms, and return what `told` returns of the two tables of each."""
    teams = _Named("", home, is_cheat=False), _Named("", visitors, is_cheat=False)
    seated = [_seated(teams, room) for room in Room]
    found: list[tuple[T, T]] = []
    for board in boards:
        tables = [_table("", board, key, bidding_only=True) for _ in seated]
        for table, players in zip(tables, seated, strict=True):
            await play_board(table, players)
        one, other = (told(table) for table in tables)
        found.append((one, other))
    return found


def _table(name: str, board: Board, key: DealKey, *, bidding_only: bool = False) -> Table:
    one, two, three, four = (key.seat_seed(board.number, seat) for seat in SEATS)
    return Table(name, board, (one, two, three, four), _PATIENT, bidding_only=bidding_only)


async def _record(
    board: Board,
    room: Room,
    players: dict[Seat, _InProcessBot],
    teams: tuple[_Named, _Named],
    key: DealKey,
) -> BoardRecord:
    table = _table(f"{room}", board, key)
    await play_board(table, players)
    north, east, south, west = (teams[team_at(seat.side, room)].name for seat in SEATS)
    home, visitors = (team.name for team in teams)
    played = table.record((north, east, south, west))
    return replace(played, room=room, home=home, visitors=visitors)
