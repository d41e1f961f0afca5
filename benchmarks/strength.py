"""Measure every bot that ships against the others, and against outside references.

    python -m benchmarks.strength [GAMES.pbn] [--first 1] [--bid-first 6001] [--boards 2000]
        [--deals SOLVED.txt] [--only BOT...] [--kept] [--out runs/strength]
        [--figures bots/strength.json]

Bidders:

- every bidder meets every other on solved deals, in both rooms, double dummy;
- four players of each kind bid the deals of recorded games, WBridge5's self-play, that were set
  aside: no rule of a bidder was mended with them in view. The double-dummy scores of their
  contracts and of the recorded ones are compared with par, in IMPs without sign;
- North and South of the solved deals bid while the opponents pass, North first and nobody
  vulnerable. The cost of their contract is in IMPs below the best one that they could have bid.

Players:

- every player meets every other in the recorded contracts, the same in both rooms;
- after the recorded auctions, four players of each kind play the cards, and the ledger
  (`oracle.ledger`) charges each double-dummy trick that is lost, as it does those of the record.
  Slow players play fewer boards (`benchmarks.strength_players.BOARDS`).

The figures are written to a file, from which `arena bots` and the documents tell them. With
`--only`, the matches and the references of some bots are measured, and all other figures stay.
Which sides should bid a slam depends on the estimate of tricks: if that has changed, measure all.
Afterwards run `python -m docs.generators.bots_document`, which writes them into the documents.

Solved tables and played boards are kept in the folder `--out`, so that the same command goes on
after an interruption. There a bot is known by its name and its data files, so a bot with new
weights plays afresh; use a new folder when a bot's program has changed. Slow bots take hours: with
`--kept`, the figures of players are told as far as they have come.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from benchmarks import strength_bidders, strength_players
from benchmarks.kept_boards import bot_digest, tables
from benchmarks.running import interrupted
from benchmarks.strength_tables import tables as markdown
from bridge_arena.base.files import replace_file
from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bots.strength import Strength
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import solved_deals
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.pbn.read.records import read_records
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")
GAMES = DATA / "wbridge5/games-1-8000.pbn"
DEALS = DATA / "dd/deals-0056.txt"
"""Solved deals that no bot has learned from."""

SET_ASIDE = 6001
"""The number of the first game that was set aside: no rule of a bidder was mended on its deal or on
later ones, and no network learned from them."""

FIGURES = Path("bots/strength.json")

BOTS = tuple(dict.fromkeys((*strength_bidders.SYSTEMS, *strength_players.BOARDS)))

_T = TypeVar("_T")


def measure(
    bots: Sequence[str],
    bidden: Sequence[BoardRecord],
    records: Sequence[BoardRecord],
    solved: SolvedDeals,
    out: Path,
    before: Strength,
    *,
    only_kept: bool,
) -> Strength:
    """Return the figures with those of some bots measured, and the others as before.

    Bidders bid the deals of `bidden`, and players play `records`.
    """
    now = before
    bidders = [bot for bot in bots if bot in strength_bidders.SYSTEMS and not only_kept]
    players = [bot for bot in bots if bot in strength_players.BOARDS]
    if bidders:
        solved_tables = tables([record.board.deal for record in bidden], out / "tables.txt")
        par = strength_bidders.near_par(bidders, bidden, solved_tables)
        pairs = strength_bidders.uncontested(bidders, solved)
        bidding, doubled = strength_bidders.matches(bidders, solved)
        now = now.model_copy(
            update={
                "par": _in_order(now.par | par, strength_bidders.SYSTEMS),
                "pairs": _in_order(now.pairs | pairs, strength_bidders.SYSTEMS),
                "bidding": _joined(now.bidding, bidding),
                "doubled": _joined(now.doubled, doubled),
            }
        )
    with Checkpoint(out / "played.jsonl", {"benchmark": "players"}) as kept:
        if players:
            games = [record for record in records if record.tricks is not None]
            play = strength_players.matches(players, games, kept, measures=not only_kept)
            lost = strength_players.lost(players, games, kept, measures=not only_kept)
            now = now.model_copy(
                update={
                    "lost": _in_order(now.lost | lost, strength_players.BOARDS),
                    "play": _joined(now.play, play),
                }
            )
    digests = now.digests | {bot: bot_digest(bot) for bot in (*bidders, *players)}
    return now.model_copy(update={"digests": _in_order(digests, BOTS)})


def _joined(
    before: Mapping[str, Mapping[str, _T]], now: Mapping[str, Mapping[str, _T]]
) -> dict[str, dict[str, _T]]:
    joined = {bot: {**before.get(bot, {}), **now.get(bot, {})} for bot in {**before, **now}}
    return {bot: _in_order(row, BOTS) for bot, row in _in_order(joined, BOTS).items()}


def _in_order(
    figures: Mapping[str, _T], order: Sequence[str] | Mapping[str, object]
) -> dict[str, _T]:
    """Return what was found of the bots in their order, after what is of no bot."""
    names = [name for name in figures if name not in order]
    return {name: figures[name] for name in (*names, *order) if name in figures}


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
        "--first", type=int, default=1, help="first game to play, from 1; default: %(default)s"
    )
    parser.add_argument(
        "--bid-first",
        type=int,
        default=SET_ASIDE,
        help="first game whose deal is bid; default: %(default)s",
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
        "--kept", action="store_true", help="tell what is kept of the players, and measure nothing"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/strength"),
        help="folder that keeps what was solved and played; default: %(default)s",
    )
    parser.add_argument(
        "--figures",
        type=Path,
        default=FIGURES,
        help="file of the figures, which is completed; default: %(default)s",
    )
    options = parser.parse_args()
    if min(options.first, options.bid_first) < 1:
        parser.error("the first game is number 1")
    if options.boards < 2:
        parser.error("a standard error needs 2 boards")
    try:
        bidden, records = (
            list(islice(read_records(options.games), first - 1, first - 1 + options.boards))
            for first in (options.bid_first, options.first)
        )
        if min(len(bidden), len(records)) < 2:
            late = max(options.first, options.bid_first)
            parser.error(f"{options.games} has no two games from number {late} on")
        deals = solved_deals([options.deals])
        solved = SolvedDeals(deals.seats[: options.boards], deals.tricks[: options.boards])
        options.out.mkdir(parents=True, exist_ok=True)
        kept = options.figures.read_bytes() if options.figures.exists() else b"{}"
        before = Strength.model_validate_json(kept)
        strength = measure(
            options.only, bidden, records, solved, options.out, before, only_kept=options.kept
        )
        replace_file(options.figures, f"{strength.model_dump_json(indent=1)}\n".encode())
        print(markdown(strength))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "it"
        parser.error(f"{options.figures}: {place}: {first['msg']}")
    except (RecordedTextError, UnusableError, CheckpointError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return interrupted()
    return 0


if __name__ == "__main__":
    sys.exit(main())
