"""Measure how fast bidding systems make calls: with explanations, and the calls alone.

    python -m research.natural_calls [--boards 3000] [SYSTEM...]

Four players of a system bid random boards that none of them has seen, after as many others, so that
what `natural` remembers of auctions is full or as full as it gets. The reference is the time in
which `bridge.auction` makes the same calls and lists the legal ones before each. `natural` is also
measured without its memory, when it reads each auction anew from the first call.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count

from benchmarks.figures import table, timed
from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Vulnerability
from research.natural import self_play

DEFAULT: tuple[SystemName, ...] = ("natural", "qtable", "deepq")

ANEW = 10
"""One board in so many is read anew."""

TIMES = 10
"""The reference is so short that it is measured over so many times the same auctions."""

Chooser = Callable[[Hand, Auction, Vulnerability], Call]


def explained(bidder: System) -> Chooser:
    """Return the choice of a call whose explanation is made and not read."""
    return lambda *known: bidder.choose(*known).call


def bid(choose: Chooser, boards: Sequence[Board]) -> list[Auction]:
    auctions: list[Auction] = []
    for board in boards:
        auction = Auction(board.dealer)
        while not auction.is_over:
            auction.push(choose(board.deal[auction.turn], auction, board.vulnerability))
        auctions.append(auction)
    return auctions


def repeat(auctions: Sequence[Auction]) -> None:
    """Make the same calls, and list the legal ones before each."""
    for auction in auctions:
        again = Auction(auction.dealer)
        for call in auction.calls:
            again.legal_calls()
            again.push(call)


def row(name: str, bidding: Callable[[], list[Auction]]) -> list[str]:
    auctions, seconds = timed(bidding)
    _, reference = timed(lambda: repeat(auctions * TIMES))
    calls = sum(len(auction.calls) for auction in auctions)
    return [
        name,
        f"{calls:,}",
        f"{calls / seconds:,.0f}",
        f"{1000 * seconds / calls:.3f}",
        f"{TIMES * seconds / reference:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "systems",
        nargs="*",
        default=DEFAULT,
        metavar="SYSTEM",
        help=f"the systems to measure; default: {' '.join(DEFAULT)}",
    )
    parser.add_argument(
        "--boards", type=int, default=3000, help="boards for each line; default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the boards; default: %(default)s"
    )
    options = parser.parse_args()
    if options.boards < ANEW:
        parser.error(f"{ANEW} boards are needed at least")
    try:
        bidders = {name: system(name) for name in options.systems}
    except ValueError as error:
        parser.error(str(error))
    numbers = count(1)

    def boards(of: int = options.boards) -> list[Board]:
        return [Board.dealt(options.seed, next(numbers)) for _ in range(of)]

    rows: list[list[str]] = []
    for name, bidder in bidders.items():
        bid(bidder.call, boards())
        rows += [
            row(f"`{name}`, the call alone", partial(bid, bidder.call, boards())),
            row(f"`{name}`, explained", partial(bid, explained(bidder), boards())),
        ]
    if "natural" in bidders:
        few = boards(options.boards // ANEW)
        rows.append(row("`natural`, read anew", lambda: [self_play(board)[0] for board in few]))
    heads = ["calls of", "calls", "calls a CPU-second", "ms a call", "times legality"]
    print(table(heads, rows))


if __name__ == "__main__":
    main()
