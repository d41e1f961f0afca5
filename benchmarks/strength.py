"""Measure the bots against outside references: WBridge5, par, and double-dummy play.

    python -m benchmarks.strength [GAMES.pbn] [--first 1] [--boards 2000] [--deals SOLVED.txt]
        [--only BOT...] [--out runs/strength]

The deals, with dealer and vulnerability, the contracts and the play of the reference are those of
recorded games: WBridge5's self-play. There are three parts:

- four players of each bidding system bid the deals. The double-dummy scores of their contracts and
  of the recorded ones are compared with par, in IMPs without sign;
- North and South of other, solved deals bid while the opponents pass, North first and nobody
  vulnerable. The cost of their contract is in IMPs below the best one that they could have bid;
- after the recorded auctions, four players of each bot play the cards, and the ledger
  (`oracle.ledger`) charges each double-dummy trick that is lost, as it does those of the record.
  Slow players play fewer boards (`benchmarks.strength_players.BOARDS`).

Solved tables, auctions and played boards are kept in the folder `--out`, so that the same command
goes on after an interruption. The files identify bots by their names: use a new folder when a bot
has changed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from benchmarks import strength_bidders, strength_players
from benchmarks.solved_tables import tables
from benchmarks.stopped import interrupted
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import solved_deals
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.read.records import read_records
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")
GAMES = DATA / "wbridge5/games-1-8000.pbn"
DEALS = DATA / "dd/deals-0056.txt"
"""Solved deals that no bot has learned from."""

BOTS = tuple(dict.fromkeys((*strength_bidders.SYSTEMS, *strength_players.BOARDS)))


def report(
    bots: Sequence[str], records: Sequence[BoardRecord], solved: SolvedDeals, out: Path
) -> None:
    """Measure what is left to measure, and print the tables of each part when it is complete."""
    bidders = [bot for bot in bots if bot in strength_bidders.SYSTEMS]
    players = [bot for bot in bots if bot in strength_players.BOARDS]
    if bidders:
        found = tables([record.board.deal for record in records], out / "tables.txt")
        print(f"{len(records):,} boards, four players of a kind:\n")
        with Checkpoint(out / "bid.jsonl", {"benchmark": "bidders"}) as kept:
            print(strength_bidders.near_par(bidders, records, found, kept), flush=True)
        print(f"\n{len(solved):,} pairs of hands, the opponents pass:\n")
        print(strength_bidders.uncontested(bidders, solved), flush=True)
    if players:
        games = [record for record in records if record.tricks is not None]
        with Checkpoint(out / "played.jsonl", {"benchmark": "players"}) as kept:
            lost = strength_players.tricks_lost(players, games, kept)
        print(f"\nDouble-dummy tricks lost a board, the auction given:\n\n{lost}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "games",
        nargs="?",
        type=Path,
        default=GAMES,
        metavar="GAMES.pbn",
        help="recorded games, PBN; default: %(default)s",
    )
    parser.add_argument(
        "--first", type=int, default=1, help="first game to use, from 1; default: %(default)s"
    )
    parser.add_argument(
        "--boards", type=int, default=2000, help="most boards to use; default: %(default)s"
    )
    parser.add_argument(
        "--deals", type=Path, default=DEALS, help="file of solved deals; default: %(default)s"
    )
    parser.add_argument(
        "--only", nargs="+", choices=BOTS, default=BOTS, metavar="BOT", help="bots to measure"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/strength"),
        help="folder that keeps what was solved, bid and played; default: %(default)s",
    )
    options = parser.parse_args()
    if options.first < 1:
        parser.error("the first game is number 1")
    if options.boards < 2:
        parser.error("a standard error needs 2 boards")
    try:
        start = options.first - 1
        records = list(islice(read_records(options.games), start, start + options.boards))
        if len(records) < 2:
            parser.error(f"{options.games} has no two games from number {options.first} on")
        deals = solved_deals([options.deals])
        solved = SolvedDeals(deals.seats[: options.boards], deals.tricks[: options.boards])
        options.out.mkdir(parents=True, exist_ok=True)
        report(options.only, records, solved, options.out)
    except (PbnError, UnusableError, CheckpointError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return interrupted()
    return 0


if __name__ == "__main__":
    sys.exit(main())
