"""Have bots in this process play a board whose auction is given, at the server's own table."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table

_CONTROL = TimeControl(action=1e6)
"""No limit: a decision depends on nothing but what the seat knows."""


class Seated(NamedTuple):
    """A bot in a seat, and whether it must be shown the whole deal."""

    bot: Bot
    cheat: bool


class Finished(NamedTuple):
    """A board that was played.

    Attributes:
        record: Its record.
        seconds: The time that each seat took for all its cards, in seconds.
    """

    record: BoardRecord
    seconds: Mapping[Seat, float]


def play_out(
    name: str,
    board: Board,
    auction: Sequence[MadeCall],
    seated: Mapping[Seat, Seated],
    seed: int,
) -> Finished:
    """Make the calls of an auction, then let the bots play the cards.

    Args:
        name: The name of the board, for the error.
        board: The board.
        auction: The whole auction, which has a contract.
        seated: The bots of the four seats.
        seed: The seed of their random choices.

    Raises:
        ValueError: The board was not played to its end without faults.
    """
    north, east, south, west = (seat_seed(seed, board.number, seat) for seat in SEATS)
    seeds = (north, east, south, west)
    table = Table(name, board, seeds, _CONTROL, given=auction)
    players: dict[Seat, Player] = {}
    for seat, (bot, cheat) in seated.items():
        bot.rng = Random(seeds[seat])
        players[seat] = LocalPlayer(Viewer(seat, cheat=cheat), bot)
    asyncio.run(play_board(table, players))
    record = table.record(("", "", "", ""))
    contract = Auction(board.dealer, [made.call for made in auction]).contract
    if record.faults or record.contract != contract or record.tricks is None:
        raise ValueError(f"{name} was not played as it should be: {record.faults}")
    seconds = dict.fromkeys(SEATS, 0.0)
    for timing in table.timings:
        seconds[timing.seat] += timing.milliseconds / 1000
    return Finished(record, seconds)
