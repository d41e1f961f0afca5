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
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import KEY_BYTES, DealKey, SeatSeeds
from bridge_arena.protocol.messages import BoardEnd, BoardStart
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from bridge_arena.tournaments.schedule.scores import swing
from bridge_arena.tournaments.schedule.units import team_at

T = TypeVar("T")

MakeBot = Callable[[], Bot]
"""A maker of the bot of a seat: a subclass of `Bot`, or any function without parameters."""

_PATIENT = TimeControl(24 * 3600.0)


class FaultyBotError(Exception):
    """The error of a bot that the table refused a call of; the text says where and why."""


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
    teams = named_pair(first, second)
    key = DealKey(token_bytes(KEY_BYTES)) if seed is None else DealKey.of_seed(seed)
    if isinstance(boards, int):
        boards = [key.board(number) for number in range(1, boards + 1)]
    played = _in_a_loop(
        _at_tables(
            teams,
            list(boards),
            key,
            lambda table, room: record_of(table, room, teams),
            bidding_only=False,
        )
    )
    return InProcessMatch(tuple(record for records in played for record in records))


def bid_at_tables(
    boards: Sequence[Board], home: MakeBot, visitors: MakeBot, key: DealKey
) -> list[tuple[list[Call], list[Call]]]:
    """Have two bots bid boards, and return the calls of each in the open and in the closed room.

    Raises FaultyBotError; an exception in a bot is passed on.
    """
    teams = named_pair(home, visitors)

    def calls(table: Table, room: Room) -> list[Call]:
        for fault in table.faults:
            bot = teams[team_at(fault.seat.side, room)].name
            place = f"board {table.board.number}, {fault.seat.name.capitalize()}, {room} room"
            raise FaultyBotError(f"{bot} at {place}: {fault.detail}")
        return table.auction.calls

    return _in_a_loop(_at_tables(teams, boards, key, calls))


def explained_at_tables(
    boards: Sequence[Board], home: NamedBot, visitors: NamedBot, key: DealKey
) -> list[tuple[BoardRecord, BoardRecord]]:
    """Have two bots bid boards as `bid_at_tables` does, and return all that they say.

    The records, of the open and the closed room, have neither tricks nor score.
    """
    teams = home, visitors
    return _in_a_loop(
        _at_tables(teams, boards, key, lambda table, room: record_of(table, room, teams))
    )


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A team of one bot."""

    name: str  # the name in the records
    make: MakeBot  # makes the bot of a seat
    is_cheat: bool = False  # whether it is shown the whole deal


def named_pair(first: str | MakeBot, second: str | MakeBot) -> tuple[NamedBot, NamedBot]:
    """Return two bots, the second with "-2" added to an equal name. Raises UnknownBotError."""
    home, visitors = _named(first), _named(second)
    if home.name == visitors.name:
        visitors = replace(visitors, name=f"{visitors.name}-2")
    return home, visitors


def _named(bot: str | MakeBot) -> NamedBot:
    if isinstance(bot, str):
        shipped, make = parse(bot)
        return NamedBot(bot, make, shipped.cheat)
    return NamedBot(getattr(bot, "name", "") or getattr(bot, "__name__", "bot"), bot)


class InProcessBot(LocalPlayer):
    """A bot that is seeded for each board and told its beginning and end, as over a connection."""

    def __init__(self, viewer: Viewer, bot: Bot) -> None:
        super().__init__(viewer, bot)
        self.bot = bot

    def tell(self, outgoing: Outgoing) -> None:
        """Update the bot's view, and tell it when a board begins and ends."""
        super().tell(outgoing)
        if self.view is not None:
            if outgoing.kind is BoardStart:
                start_board(self.bot, self.view)
            elif outgoing.kind is BoardEnd:
                self.bot.board_ended(self.view)


def table_for(
    room: Room,
    board: Board,
    source: SeatSeeds,
    given: Sequence[MadeCall] = (),
    *,
    bidding_only: bool = False,
) -> Table:
    """Return the table of a room for a board, without a limit of time."""
    north, east, south, west = (source.seat_seed(board.number, seat) for seat in SEATS)
    seeds = (north, east, south, west)
    return Table(f"{room}", board, seeds, _PATIENT, given=given, bidding_only=bidding_only)


def record_of(table: Table, room: Room, teams: tuple[NamedBot, NamedBot]) -> BoardRecord:
    """Return the record of a board of two teams."""
    north, east, south, west = (teams[team_at(seat.side, room)].name for seat in SEATS)
    home, visitors = (team.name for team in teams)
    played = table.record((north, east, south, west))
    return replace(played, room=room, home=home, visitors=visitors)


def _in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Do it in an event loop: in this thread, or in another if this thread already has a loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def _seated(teams: tuple[NamedBot, NamedBot], room: Room) -> dict[Seat, InProcessBot]:
    by_seat = {seat: teams[team_at(seat.side, room)] for seat in SEATS}
    return {
        seat: InProcessBot(Viewer(seat, team.is_cheat), team.make())
        for seat, team in by_seat.items()
    }


async def _at_tables(
    teams: tuple[NamedBot, NamedBot],
    boards: Sequence[Board],
    key: DealKey,
    result_of: Callable[[Table, Room], T],
    *,
    bidding_only: bool = True,
) -> list[tuple[T, T]]:
    """Have boards bid, or bid and played, and return what the tables of both rooms result in."""
    rooms = [(room, _seated(teams, room)) for room in Room]
    results_of_boards: list[tuple[T, T]] = []
    for board in boards:
        results: list[T] = []
        for room, players in rooms:
            table = table_for(room, board, key, bidding_only=bidding_only)
            await play_board(table, players)
            results.append(result_of(table, room))
        one, other = results
        results_of_boards.append((one, other))
    return results_of_boards
