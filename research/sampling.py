"""Measure the speed of sampling hidden hands against rejection sampling.

    python -m research.sampling [--bidding simple] [--positions 30] [--deals 50]

One system bids the deals of seed 1 in all four seats, and `baseline` plays them. At fixed moments
of each deal, the seat to act draws layouts of the hidden cards; the time to read the auction and to
set up the sampler is counted. The reference deals the unseen cards at random, and keeps a layout
with a probability equal to its weight, so that both draw from the same distribution. It is stopped
after `--patience` processor seconds in a position. Rates are layouts per second of processor time
over all positions of a moment, and the figure to quote is their ratio. `worst` is the rate in the
slowest position; `loosened` counts the positions in which no layout was near the beliefs.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf
from random import Random

from bridge_arena.bots.baseline.play import choose_card
from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Degree, Sampler
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import SUIT_MASK, Hand
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Message,
)
from bridge_arena.protocol.view import View

BY_SIDES = ("auction, no bid", "auction, one side has bid", "auction, both have bid")
"""The moments of the auction, by how many sides have bid."""
BY_CARDS = {0: "opening lead", 1: "dummy's first card", 4: "trick 2", 16: "trick 5", 32: "trick 9"}
"""The moments of the play, by the number of cards played."""


def moments(board: Board, bidding: System) -> Iterator[tuple[str, View]]:
    """Yield the moments of one board, each with the view of the player to act.

    The board goes on when the next moment is asked for.
    """
    views = [new_view(board, seat) for seat in SEATS]
    number = board.number
    auction = Auction(board.dealer)

    def tell(event: Message) -> None:
        for view in views:
            view.apply(event)

    came = set[str]()
    while not auction.is_over:
        seat = auction.turn
        sides = {(auction.dealer + i) % 2 for i, call in enumerate(auction.calls) if call.is_bid}
        moment = BY_SIDES[len(sides)]
        if moment not in came:
            came.add(moment)
            yield moment, views[seat]
        made = bidding.choose(board.deal[seat], auction, board.vulnerability)
        auction.push(made.call)
        told = made.explanation
        tell(CallMade(table="t", board=number, seq=1, seat=seat, call=made.call, explanation=told))
    contract = auction.contract
    if contract is None:
        return
    declarer = contract.declarer
    tell(AuctionEnd(table="t", board=number, seq=1, contract=str(contract), declarer=declarer))
    play = Play(contract)
    rng = Random(number)
    while not play.is_over:
        seat, view = play.turn, views[play.player]
        if len(play.cards) in BY_CARDS:
            yield BY_CARDS[len(play.cards)], view
        card = choose_card(view, rng)
        play.push(card)
        tell(CardPlayed(table="t", board=number, seq=1, seat=seat, card=card))
        if len(play.cards) == 1:
            shown = board.deal[play.dummy]
            tell(DummyShown(table="t", board=number, seq=1, seat=play.dummy, hand=shown))


def new_view(board: Board, seat: Seat) -> View:
    start = BoardStart(
        table="t",
        board=board.number,
        seq=1,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        hand=board.deal[seat],
        seed=1,
    )
    return View(seat, start)


class Refusing:
    """The reference, which deals at random and keeps layouts by their weights."""

    def __init__(self, view: View, believed: Sequence[HandRanges], degree: Degree) -> None:
        self.unseen = list(view.unseen)
        self.hidden: list[Hidden] = []
        for seat in SEATS:
            if view.held(seat) is None:
                belief = believed[seat]
                voids = view.voids(seat) if view.play else set()
                self.hidden.append(
                    Hidden(
                        13 - len(view.played[seat]),
                        view.played[seat].mask,
                        sum(SUIT_MASK << 13 * suit for suit in voids),
                        degree.points(belief),
                        degree.lengths(belief),
                    )
                )

    def attempt(self, rng: Random) -> bool:
        """Deal once, and return whether the deal was kept."""
        cards = shuffled(rng, self.unseen)
        weight = 1.0
        start = 0
        for hidden in self.hidden:
            held = 0
            for card in cards[start : start + hidden.size]:
                held |= 1 << card
            start += hidden.size
            if held & hidden.voids:
                return False
            dealt = Hand(held | hidden.played)
            weight *= hidden.points[hcp(dealt)]
            for factors, length in zip(hidden.lengths, dealt.lengths, strict=True):
                weight *= factors[length]
            if not weight:
                return False
        return rng.random() < weight


@dataclass(frozen=True)
class Hidden:
    """A hidden hand; `voids` are the cards that it has shown not to hold."""

    size: int
    played: int
    voids: int
    points: list[float]
    lengths: list[list[float]]


@dataclass
class Measured:
    """The layouts and processor seconds of all positions of one moment."""

    positions: int = 0
    deals: int = 0
    seconds: float = 0.0
    worst: float = inf
    refused_deals: int = 0
    refused_seconds: float = 0.0
    refused_worst: float = inf
    loosened: int = 0

    def line(self, moment: str) -> str:
        rate = self.deals / self.seconds
        reference = self.refused_deals / self.refused_seconds
        ratio = f"{rate / reference:,.1f}" if reference else "-"
        return (
            f"| {moment} | {self.positions} | {rate:,.0f} | {self.worst:,.0f} | "
            f"{reference:,.0f} | {self.refused_worst:,.0f} | {ratio} | {self.loosened} |"
        )


def measure(view: View, bidding: System, deals: int, patience: float, into: Measured) -> None:
    rng = Random(view.number)
    gc.collect()  # what the bidding left
    start = time.process_time()
    believed = beliefs(view, bidding)
    sampler = Sampler(view, believed)
    sampler.draw(deals, rng)
    seconds = time.process_time() - start
    into.positions += 1
    into.deals += deals
    into.seconds += seconds
    into.worst = min(into.worst, deals / seconds)
    into.loosened += sampler.degree > Degree.BELIEVED

    start = time.process_time()
    refusing = Refusing(view, believed, sampler.degree)
    kept = 0
    while kept < deals and time.process_time() - start < patience:
        kept += refusing.attempt(rng)
    seconds = time.process_time() - start
    into.refused_deals += kept
    into.refused_seconds += seconds
    into.refused_worst = min(into.refused_worst, kept / seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--bidding",
        default="natural",
        help="bidding system of all four seats; default: %(default)s",
    )
    parser.add_argument(
        "--positions",
        type=int,
        default=30,
        help="positions at each stage of a board; default: %(default)s",
    )
    parser.add_argument(
        "--deals", type=int, default=50, help="layouts drawn in each position; default: %(default)s"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=0.3,
        help="seconds that rejection sampling may take for a position; default: %(default)s",
    )
    options = parser.parse_args()
    bidding = system(options.bidding)
    figures = {moment: Measured() for moment in (*BY_SIDES, *BY_CARDS.values())}
    for number in count(1):
        for moment, view in moments(Board.dealt(1, number), bidding):
            figure = figures[moment]
            if figure.positions < options.positions:
                measure(view, bidding, options.deals, options.patience, figure)
        if all(figure.positions == options.positions for figure in figures.values()):
            break
    print("| moment | positions | layouts/s | worst | refusing | worst | ratio | loosened |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for moment, figure in figures.items():
        print(figure.line(moment))


if __name__ == "__main__":
    main()
