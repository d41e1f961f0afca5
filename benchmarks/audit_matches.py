"""Play matches in this process to try the audit on, and audit them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.peeking import PeekingBot
from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import write_games
from bridge_arena.protocol.messages import BoardStart
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.engine import judge_all, judged, questions
from bridge_arena.recorded.audit.figures import Judged
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from bridge_arena.tournaments.schedule.event_results import Played

_PATIENT = TimeControl(3600.0)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two bots on boards dealt from a seed, in both rooms.

    Bots are written as `arena match` takes them; `peeking` is the cheat of `benchmarks.peeking`.
    """

    first: str
    second: str
    boards: int
    seed: int

    @property
    def names(self) -> tuple[str, str]:
        return self.first, self.second

    def __str__(self) -> str:
        bots = "-".join(self.names).translate({ord(sign): "_" for sign in ":,="})
        return f"{bots}-{self.boards}-{self.seed}"


def audited(
    match: Match,
    layouts: int,
    folder: Path,
    oracle: Oracle,
    kinds: Sequence[Kind] = tuple(Kind),
) -> tuple[list[SeatedTable], list[Judged]]:
    """Return the tables of a match, and what the audit finds in them.

    Boards and judgements that are in the folder are not done again. Raises OSError,
    CheckpointError, OracleError.
    """
    own = folder / str(match)
    own.mkdir(parents=True, exist_ok=True)
    path = own / "match.pbn"
    if not path.exists():
        new = path.with_suffix(".new")
        with new.open("wb") as stream:
            write_games(stream, map(game_of, _play(match)))
        new.replace(path)
    tables = [SeatedTable(Played(record), record.players) for record in read_records(path)]
    asked = questions(tables, kinds)
    with Checkpoint(own / "audit.jsonl", {"layouts": str(layouts)}) as checkpoint:
        judge_all(asked, layouts, oracle, checkpoint, lambda: None)
        return tables, list(judged(asked, checkpoint))


class _Seat(LocalPlayer):
    """A bot that gets the seed of its board, as from a server."""

    def __init__(self, spec: str, seat: Seat) -> None:
        make, cheat = _made(spec)
        self._bot = make()
        super().__init__(Viewer(seat, cheat), self._bot)

    def tell(self, outgoing: Outgoing) -> None:
        super().tell(outgoing)
        if isinstance(outgoing.message, BoardStart):
            self._bot.rng = Random(outgoing.message.seed)


def _made(spec: str) -> tuple[Callable[[], Bot], bool]:
    if spec == PeekingBot.name:
        return PeekingBot, True
    shipped, make = parse(spec)
    return make, shipped.cheat


def _play(match: Match) -> list[BoardRecord]:
    return [
        asyncio.run(_play_board(match, number, room))
        for number in range(1, match.boards + 1)
        for room in Room
    ]


async def _play_board(match: Match, number: int, room: Room) -> BoardRecord:
    pairs = match.names if room is Room.OPEN else match.names[::-1]
    north, east, south, west = (pairs[seat.side is Side.EW] for seat in SEATS)
    players = (north, east, south, west)
    one, two, three, four = (seat_seed(match.seed, number, seat) for seat in SEATS)
    board = Board.dealt(match.seed, number)
    table = Table("audit", board, (one, two, three, four), _PATIENT)
    await play_board(table, {seat: _Seat(players[seat], seat) for seat in SEATS})
    home, visitors = match.names
    return replace(table.record(players), room=room, home=home, visitors=visitors)
