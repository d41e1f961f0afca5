"""Many decisions of a bidding system, boiled down to one number.

    python -m tests.bots.natural.decisions [--boards 120] [--system natural]

prints the number of decisions and their digests. Two versions of a system with the same digests
make, alert and explain the same calls in all these auctions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import get_args

from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import MadeCall

BOARDS = 120
SEED = 31

STRANGERS: dict[str, Callable[[int, Random], bool]] = {
    "four players of the system": lambda _turn, _rng: False,
    "opponents who make any legal call": lambda turn, _rng: turn % 2 == 1,
    "four players who make any legal call now and then": lambda _turn, rng: rng.random() < 0.4,
}
"""Who makes the next call: a stranger, who takes any legal call, or the system."""


def decisions(bidder: System, kind: str, boards: int = BOARDS) -> Iterator[str]:
    """Yield what a system chooses in each position of some auctions, and how it reads them.

    Args:
        bidder: The system.
        kind: Who bids, a key of `STRANGERS`.
        boards: The number of boards.

    Yields:
        A line for each hand at each call, also for hands that contradict the auction, and a line
        for each auction.
    """
    rng = Random(f"{SEED} {kind}")
    for number in range(1, boards + 1):
        board = Board.dealt(SEED, number)
        auction = Auction(board.dealer)
        while not auction.is_over:
            known = auction, board.vulnerability
            for hand in board.deal.hands:
                options = bidder.options(hand, *known)
                yield " / ".join(map(told, [bidder.choose(hand, *known), *options]))
            if STRANGERS[kind](auction.turn, rng):
                legal = auction.legal_calls()
                auction.push(legal[int(rng.random() ** 3 * len(legal))])
            else:
                auction.push(bidder.choose(board.deal[auction.turn], *known).call)
        yield f"{auction} / {'; '.join(map(str, bidder.explain(auction, board.vulnerability)))}"


def told(made: MadeCall) -> str:
    """All of a call in one line."""
    return f"{made.call}{'!' * made.alert} {made.explanation}"


def digest(bidder: System, kind: str, boards: int = BOARDS) -> tuple[int, str]:
    """The number of decisions and their digest."""
    number, seen = 0, sha256()
    for line in decisions(bidder, kind, boards):
        number += 1
        seen.update(f"{line}\n".encode())
    return number, seen.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", type=int, default=BOARDS, help="default: %(default)s")
    parser.add_argument(
        "--system", choices=get_args(SystemName), default="natural", help="default: %(default)s"
    )
    options = parser.parse_args()
    for kind in STRANGERS:
        number, seen = digest(system(options.system), kind, options.boards)
        print(f"{number:9,} {seen}  {kind}")


if __name__ == "__main__":
    main()
