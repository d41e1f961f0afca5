"""Measure the card play of the laboratory against matches and tables in one process.

    python -m research.lab_play [--boards 256] [--slow-boards 6] [--seed 7] [BOT...]

Four bots of a kind play the same boards, both rooms of each, in three ways: in the laboratory; at
the server's tables, one after the other in one process, as `play_match` plays; and in `arena match
--mode play`, where each bot is a process. The first two ways have two worker processes. The cards
must be the same. Rates are in boards per second of the clock, in a match from the first board that
ended to the last. The ratio to the tables is that of the processor time of a board.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.figures import table
from benchmarks.running import PROCESSES, prepare
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.montecarlo import card_choice
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.play import TABLES, GivenTable, in_both_rooms, play
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.pbn.read.records import read_records
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.tournaments.events.boards import BIDDER, dealt_boards
from bridge_arena.tournaments.play.in_process import (
    InProcessBot,
    NamedBot,
    named_pair,
    record_of,
    table_for,
)
from bridge_arena.tournaments.schedule.units import team_at

SLOW = ("montecarlo", "alphamu", "minimax")
"""Bots that play fewer boards."""

Way = Callable[[tuple[NamedBot, NamedBot], Sequence[GivenTable], DealKey], list[BoardRecord]]


class Work(NamedTuple):
    """What a worker did."""

    records: list[BoardRecord]  # the boards at their tables
    seconds: float  # the processor time that it took
    solving: float  # the part of it that the solver took


def in_the_laboratory(
    teams: tuple[NamedBot, NamedBot], tables: Sequence[GivenTable], key: DealKey
) -> list[BoardRecord]:
    return list(play(teams, tables, key))


def at_server_tables(
    teams: tuple[NamedBot, NamedBot], tables: Sequence[GivenTable], key: DealKey
) -> list[BoardRecord]:
    async def played() -> list[BoardRecord]:
        players = {
            (team, seat): InProcessBot(Viewer(seat, teams[team].is_cheat), teams[team].make())
            for team in range(2)
            for seat in SEATS
        }
        records: list[BoardRecord] = []
        for room, given in tables:
            at = table_for(room, given.board, key, given.auction)
            seated = {seat: players[team_at(seat.side, room), seat] for seat in SEATS}
            await play_board(at, seated)
            records.append(record_of(at, room, teams))
        return records

    return asyncio.run(played())


def work(way: Way, bot: str, tables: Sequence[GivenTable], key: DealKey) -> Work:
    """Play some boards in a worker process."""
    solving: list[float] = []

    def timed_solve(position: Position) -> dict[Card, int]:
        started = time.thread_time()
        found = card_values(position)
        solving.append(time.thread_time() - started)
        return found

    teams = named_pair(bot, bot)
    started = time.process_time()
    with patch.object(card_choice, "card_values", timed_solve):
        records = way(teams, tables, key)
    return Work(records, time.process_time() - started, sum(solving))


def in_workers(
    pool: ProcessPoolExecutor, way: Way, bot: str, tables: Sequence[GivenTable], key: DealKey
) -> tuple[list[Work], float]:
    """Return the work of all workers, and the seconds of the clock that it took."""
    # Each worker gets two pieces or more, each of a whole wave if there are so many.
    size = max(2, min(TABLES, len(tables) // (2 * PROCESSES) // 2 * 2))
    pieces = [tables[start : start + size] for start in range(0, len(tables), size)]
    # Read what the bots need first.
    list(pool.map(partial(work, way, bot, key=key), [tables[:1]] * PROCESSES))
    started = time.monotonic()
    done = list(pool.map(partial(work, way, bot, key=key), pieces))
    return done, time.monotonic() - started


def match(bot: str, boards: int, seed: int) -> tuple[list[BoardRecord], float]:
    """Return the records of a match of card play, and its boards a second. Exits where it fails."""
    with TemporaryDirectory() as folder:
        out = Path(folder, "out")
        arena = [sys.executable, "-m", "bridge_arena.commands.main", "match", bot, bot]
        what = ["--mode", "play", "--boards", str(boards), "--seed", str(seed), "--out", str(out)]
        ended = subprocess.run([*arena, *what], stdout=subprocess.DEVNULL, check=False)
        if ended.returncode:
            sys.exit(f"{bot}: arena match ended with status {ended.returncode}")
        log = map(json.loads, (out / "log.jsonl").read_text().splitlines())
        times = [
            datetime.fromisoformat(line["time"]) for line in log if line["event"] == "board_ended"
        ]
        seconds = (times[-1] - times[0]).total_seconds()
        return list(read_records(out / "match.pbn")), (len(times) - 1) / len(Room) / seconds


def cards_of(records: Sequence[BoardRecord]) -> list[tuple[Card, ...]]:
    return [record.cards for record in records]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "bots",
        nargs="*",
        default=["baseline", "fastplay", "montecarlo:worlds=10"],
        metavar="BOT",
        help="bots to measure; default: %(default)s",
    )
    parser.add_argument("--boards", type=int, default=256, help="boards; default: %(default)s")
    parser.add_argument(
        "--slow-boards",
        type=int,
        default=6,
        help=f"boards of {', '.join(SLOW)}; default: %(default)s",
    )
    parser.add_argument(
        "--seed", type=int, default=7, help="seed of the boards; default: %(default)s"
    )
    options = parser.parse_args()
    if min(options.boards, options.slow_boards) < 2:
        parser.error("2 boards are needed at least")
    try:
        for bot in options.bots:
            parse(bot)
    except UnknownBotError as error:
        parser.error(str(error))
    key = DealKey.of_seed(options.seed)
    given = list(islice(dealt_boards(key, system(BIDDER)), options.boards))
    # Two workers with two threads each would be in each other's way.
    os.environ["OMP_NUM_THREADS"] = "1"
    rows: list[list[str]] = []
    context = get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, context, prepare, (options.bots,)) as pool:
        for bot in options.bots:
            is_slow = bot.partition(":")[0] in SLOW
            some = given[: options.slow_boards if is_slow else options.boards]
            tables = list(in_both_rooms(some))
            lab, lab_seconds = in_workers(pool, in_the_laboratory, bot, tables, key)
            plain, plain_seconds = in_workers(pool, at_server_tables, bot, tables, key)
            records, match_rate = match(bot, len(some), options.seed)
            card_choice = cards_of(records)
            for way in (lab, plain):
                if cards_of(list(chain.from_iterable(each.records for each in way))) != card_choice:
                    sys.exit(f"{bot}: not the cards of the match")
            spent, plainly = (sum(each.seconds for each in way) for way in (lab, plain))
            rows.append(
                [
                    f"`{bot}`",
                    f"{len(some)}",
                    f"{len(some) / lab_seconds:.3g}",
                    f"{1000 * spent / len(some):.3g}",
                    f"{sum(each.solving for each in lab) / spent:.0%}",
                    f"{len(some) / plain_seconds:.3g}",
                    f"{1000 * plainly / len(some):.3g}",
                    f"{match_rate:.3g}",
                    f"{plainly / spent:.2f}",
                    f"{len(some) / lab_seconds / match_rate:.2f}",
                ]
            )
    heads = ["bot", "boards", "laboratory: boards/s", "CPU ms a board", "in the solver"]
    heads += ["tables: boards/s", "CPU ms a board", "match: boards/s"]
    heads += ["laboratory / tables (CPU)", "laboratory / match"]
    print(table(heads, rows))


if __name__ == "__main__":
    main()
