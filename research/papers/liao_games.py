"""Read and play the 113 games of Liao's table (Give Me a Hand, section 7).

The folder is `liao` of the data (ARENA_DATA). It has four championship files, and a CSV file with
the tricks of North and South in each game: double dummy, at the table, and by each of the paper's
agents.
"""

from __future__ import annotations

import asyncio
import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.recorded.replay import Start
from bridge_arena.recorded.replay.games import read_recorded
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
    """A board that was played."""

    record: BoardRecord
    seconds: Mapping[Seat, float]  # the time that each seat took for all its cards, in seconds


def play_out(
    name: str,
    board: Board,
    auction: Sequence[MadeCall],
    seated: Mapping[Seat, Seated],
    seed: int,
) -> Finished:
    """Make the calls of an auction, then let the bots play the cards.

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


DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data") / "liao"


@dataclass(frozen=True)
class Game:
    """A game of the table."""

    name: str  # the file, and the number of the record in it
    record: BoardRecord
    auction: tuple[MadeCall, ...]
    paper: dict[str, int]  # the tricks of North and South, by column of the CSV file

    @property
    def deal(self) -> Deal:
        """The deal, which is the cluster, as other tables played the same cards."""
        return self.record.board.deal

    @property
    def declarer(self) -> Seat:
        assert self.record.contract is not None
        return self.record.contract.declarer


@dataclass(frozen=True)
class Job:
    """A game to be played with `agent` in South's seat and `against` in the other seats.

    Declarer plays dummy's cards.
    """

    game: Game
    agent: str
    against: str
    seed: int


@dataclass(frozen=True)
class Played:
    """A game that was played."""

    tricks: int  # the tricks of North and South
    seconds: float  # the time that South took for all its cards
    cards: str  # the cards in playing order


def read_table(folder: Path) -> list[Game]:
    """Read the games in the order of the CSV file.

    Raises OSError and BoardFileError, and ValueError where the games are not those of the CSV file.
    """
    with (folder / "liao_113_games.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    recorded = {
        (name, game.number): game
        for name in dict.fromkeys(row["file"] for row in rows)
        for game in read_recorded(folder / f"{name}.PBN", Seat.SOUTH, Start.PLAY, _refuse)
        if game.left_out is None
    }
    games: list[Game] = []
    for row in rows:
        game = recorded.pop((row["file"], int(row["record"])), None)
        name = f"{row['file']}/{row['record']}"
        if game is None or game.record is None or game.record.contract is None:
            raise ValueError(f"{name} is not in its PBN file")
        contract = game.record.contract
        found = (str(game.record.board.deal), str(contract), str(contract.declarer))
        if found != (row["deal"], row["contract"], row["declarer"]):
            raise ValueError(f"{name} is another game in its PBN file")
        paper = {column: int(tricks) for column, tricks in row.items() if column in PAPER}
        games.append(Game(name, game.record, game.auction, paper))
    if recorded:
        raise ValueError(f"{len(recorded)} more games are in the PBN files")
    return games


PAPER = frozenset(
    {
        *("dd_ns_tricks", "human_ns_tricks", "oracle", "baseline"),
        *("minimax_d1", "minimax_d1_bayes", "minimax_d1_opt"),
        *("minimax_d2", "minimax_d2_bayes", "minimax_d2_opt"),
    }
)
"""The columns that hold tricks."""


def play_all(jobs: Sequence[Job]) -> list[Played]:
    """Play games of one deal and seed, in order.

    An opponent in the same position as in an earlier game repeats what it did there, without
    thinking again.
    """
    memory: Memory = {}
    return [_play(job, memory) for job in jobs]


Memory = dict[tuple[Seat, str], tuple[Card, Any]]
"""By seat and the cards played so far: the card that an opponent chose, and the state of
its random generator afterwards."""


class Remembering(Bot):
    """A bot that repeats the actions in the memory, and else acts as another bot."""

    def __init__(self, bot: Bot, seat: Seat, memory: Memory) -> None:
        super().__init__()
        self._bot = bot
        self._seat = seat
        self._memory = memory

    def play(self, view: View) -> Card:
        assert view.play is not None
        key = self._seat, " ".join(map(str, view.play.cards))
        known = self._memory.get(key)
        if known is None:
            self._bot.rng = self.rng
            card = self._bot.play(view)
            assert isinstance(card, Card)
            known = card, self.rng.getstate()
            self._memory[key] = known
        card, state = known
        self.rng.setstate(state)
        return card


def _play(job: Job, memory: Memory) -> Played:
    """Make the record's calls, then let the bots play the cards."""
    seated: dict[Seat, Seated] = {}
    for seat in SEATS:
        shipped, make = parse(job.agent if seat == Seat.SOUTH else job.against)
        bot = make() if seat == Seat.SOUTH else Remembering(make(), seat, memory)
        seated[seat] = Seated(bot, shipped.cheat)
    game = job.game
    record, seconds = play_out(game.name, game.record.board, game.auction, seated, job.seed)
    assert record.tricks is not None
    declared = game.declarer.side == Side.NS
    return Played(
        record.tricks if declared else 13 - record.tricks,
        seconds[Seat.SOUTH],
        " ".join(map(str, record.cards)),
    )


def _refuse(problem: Problem) -> None:
    raise ValueError(str(problem))
