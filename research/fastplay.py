"""Measure the tricks and the speed of the net of `fastplay` against the double-dummy solver.

    python -m research.fastplay $ARENA_DATA/wbridge5/games-1-8000.pbn [--games 2000]
        [--weights FILE.npz]

Recorded games are played on after the recorded opening lead. Declarer's tricks, when four players
play as the net does and see what a player sees, are compared with the double-dummy tricks and with
those taken at the table. The speed is in boards per second of processor time, in one thread: the
net plays all boards at once, and the solver one after the other.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, table, timed
from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bots.fastplay.lessons import promises_of
from bridge_arena.bots.fastplay.net import DUMMY, NOTRUMP, PlayNet, Positions, numbers_of, shipped
from bridge_arena.bots.fastplay.playing import play_out
from bridge_arena.bots.library.learning.arrays import ArraysError, joined
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks, limit_threads
from bridge_arena.pbn.read.records import read_records

AT_ONCE = 100


def played(path: Path) -> Iterator[BoardRecord]:
    """Yield the games of a file that were played to the end. Raises RecordedTextError."""
    for record in read_records(path):
        if record.tricks is not None and len(record.cards) == 52:
            yield record


def after_the_lead(record: BoardRecord) -> Positions:
    """Return the position as the net sees it; the auction is read as `natural` reads it."""
    board, auction = record.board, Auction(record.board.dealer, [m.call for m in record.calls])
    play = record.play()
    promises = promises_of(Natural(), auction, board.vulnerability)
    owner = np.zeros((1, 52), np.int64)
    promised = np.zeros((1, 4, 5, 2), np.int64)
    for player in range(4):
        seat = (play.declarer + player) % 4
        owner[0, list(board.deal.hands[seat])] = player
        promised[0, player] = numbers_of(promises[seat])
    trump = np.array([NOTRUMP if play.trump is None else int(play.trump)])
    return Positions(
        owner, trump, promised, np.array([record.cards]), np.array([1]), np.array([DUMMY])
    )


def double_dummy(record: BoardRecord) -> int:
    """Return declarer's double-dummy tricks after the opening lead."""
    play = Play(record.play().contract)
    play.push(record.cards[0])
    return best_tricks(Position.of(play, record.board.deal.hands))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path, help="recorded games, PBN")
    parser.add_argument(
        "--games", type=int, default=2000, help="games to use; default: %(default)s"
    )
    parser.add_argument("--weights", type=Path, help="net to measure; default: the one that ships")
    options = parser.parse_args()
    if options.games < 2:
        parser.error("two games are needed at least")
    try:
        records = list(islice(played(options.file), options.games))
        net = PlayNet.read(options.weights) if options.weights else shipped()
    except (RecordedTextError, ArraysError, OSError) as error:
        parser.error(str(error))
    if len(records) < 2:
        parser.error(f"{options.file}: there are not two games that were played to the end")
    limit_threads(1)
    taken = np.array([record.tricks for record in records])
    positions = [after_the_lead(record) for record in records]
    by_net: list[NDArray[np.int64]] = []
    seconds = 0.0
    for start in range(0, len(records), AT_ONCE):
        some = joined(positions[start : start + AT_ONCE])
        tricks, spent = timed(partial(play_out, net, some))
        by_net.append(tricks)
        seconds += spent
    solved, solving = timed(lambda: np.array([double_dummy(record) for record in records]))
    rows = []
    for name, tricks, spent in (
        ("played out by the net", np.concatenate(by_net), seconds),
        ("double dummy", solved, solving),
    ):
        off = tricks - taken
        exact = f"{np.mean(off == 0):.1%}"
        rows.append(
            [
                name,
                figure(off, 2, "+"),
                figure(np.abs(off), 2),
                exact,
                f"{len(records) / spent:,.0f}",
            ]
        )
    heads = ["declarer's tricks", "less those taken", "distance", "as taken", "boards a CPU-second"]
    print(f"{len(records):,} games\n")
    print(table(heads, rows))


if __name__ == "__main__":
    main()
