"""Measure the bidding system `natural`: its honesty, information and safety.

    python -m research.natural [--bidder disciplined] [--deals 10000] [--seed 1] [--show 5]

Four players bid random deals, with dealer and vulnerability by board number. They choose the calls
as `natural` or another bidder of its system. The report has these figures for passes and for other
calls, and for a player's first and later calls:

- kept: the share of calls whose explanation holds for the hand that made them;
- narrowed: the share by which an explanation lowers the variance of high-card points, and of a
  suit's length (mean of the four suits), from that of all hands to that of the hands it
  admits, each weighted by its probability. These variances are exact, not sampled;
- found: the share of the variance that an explanation really removes: one less the mean square
  of the hand's distance from the mean of the hands admitted, over the variance of all hands.
  Broken promises lower it, and it can be negative;
- off the card: a player's first bids and doubles for which the system has no rule;
- accidents per deal: a forcing call passed (partner's last call was explained as forcing,
  the next player did not bid, and this one passed), a bid over partner's sign-off, a suit contract
  at the four level or higher with six trumps or fewer in the two hands. A rule may say of a pass
  that it lets a forcing call stand, and passing an answer about key cards may be a stop in the
  trump suit (a suit with seven cards promised): these are counted separately.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.running import progress
from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bots.natural.reading import Meaning, State
from bridge_arena.bots.natural.system import Menu, Natural, book
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import SUIT_MASK, SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp, suit_hcp
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Seat

Array = NDArray[np.float64]


_NATURAL = Natural()


class Bid(NamedTuple):
    """A call at the table, with its player and its explanation."""

    seat: Seat
    call: Call
    meaning: Meaning
    told: Explanation
    first: bool
    """Whether it is this player's first call."""
    on_card: bool
    """Whether there is a rule for it, or none is needed: it is a pass, or a later bid or double."""


def self_play(board: Board, bidder: System = _NATURAL) -> tuple[Auction, list[Bid]]:
    """Return the auction of four players, and its calls with their explanations."""
    auction = Auction(board.dealer)
    side = board.dealer.side
    vulnerable = board.vulnerability.includes(side), board.vulnerability.includes(side.other)
    state = State(vulnerable)
    bids: list[Bid] = []
    while not auction.is_over:
        menu = Menu(state, book())
        call = bidder.call(board.deal[auction.turn], auction, board.vulnerability)
        meaning = menu.meaning(call)
        has_acted = any(made != PASS for made in state.calls[state.turn :: 4])
        on_card = call == PASS or has_acted or call in menu.ruled()
        bids.append(Bid(auction.turn, call, meaning, meaning.explanation, len(bids) < 4, on_card))
        state = state.after(call, meaning)
        auction.push(call)
    return auction, bids


# How far explanations narrow a hand.


class Hands:
    """All hands by high-card points and suit lengths, with their probabilities."""

    def __init__(self) -> None:
        suits = np.zeros((14, 11))
        for holding in range(SUIT_MASK + 1):
            suits[holding.bit_count(), suit_hcp(Hand(holding), Suit.CLUBS)] += 1
        shapes = [each for each in product(range(14), repeat=4) if sum(each) == 13]
        self._lengths = np.array(shapes)
        self._weights = np.zeros((len(shapes), 38))
        for index, lengths in enumerate(shapes):
            points = np.ones(1)
            for length in lengths:
                points = np.convolve(points, suits[length])
            self._weights[index] = points[:38]
        total = self._weights.sum()
        if total != comb(52, 13):
            raise AssertionError(f"{total:.0f} hands counted")
        self._points = np.arange(38)
        everything = self.admitted((0, 37), ((0, 13),) * 4)
        assert everything is not None
        self.variance = everything.variance

    @cache  # noqa: B019 (one object, for the whole run)
    def admitted(
        self, points: tuple[int, int], lengths: tuple[tuple[int, int], ...]
    ) -> Admitted | None:
        """Return the hands within the ranges; None where there are none."""
        low, high = points
        fitting = np.ones(len(self._lengths), dtype=bool)
        for suit, (least, most) in enumerate(lengths):
            fitting &= (self._lengths[:, suit] >= least) & (self._lengths[:, suit] <= most)
        weights = self._weights[fitting, low : high + 1]
        total = weights.sum()
        if not total:
            return None
        by_points = weights.sum(axis=0) / total
        by_shape = weights.sum(axis=1) / total
        mean_points, variance_points = _moments(by_points, self._points[low : high + 1])
        measures = [_moments(by_shape, column) for column in self._lengths[fitting].T]
        return Admitted(
            np.array([mean_points, *(mean for mean, _ in measures)]),
            np.array([variance_points, *(variance for _, variance in measures)]),
        )

    def of(self, told: Explanation) -> Admitted | None:
        """Return the hands that an explanation admits."""
        lengths = tuple(told.lengths.get(suit, (0, 13)) for suit in SUITS)
        return self.admitted(told.hcp or (0, 37), lengths)


@dataclass(frozen=True, slots=True)
class Admitted:
    """The figures of a set of hands: high-card points, then the length of each suit."""

    mean: Array
    variance: Array


def _moments(weights: Array, values: NDArray[np.int_]) -> tuple[float, float]:
    mean = float(weights @ values)
    return mean, float(weights @ (values - mean) ** 2)


@dataclass
class Told:
    """The sums over the calls of one kind; arrays hold points, then the four suits."""

    calls: int = 0
    kept: int = 0
    impossible: int = 0
    """Explanations that no hand can keep; they narrow nothing."""
    narrowed: Array = field(default_factory=lambda: np.zeros(5))
    missed: Array = field(default_factory=lambda: np.zeros(5))
    """Squares by which the hand misses what was to be expected, over all hands' variance."""

    def add(self, told: Explanation, hand: Hand, hands: Hands) -> None:
        self.calls += 1
        self.kept += told.holds_for(hand)
        admitted = hands.of(told)
        if admitted is None:
            self.impossible += 1
            self.missed += 1
            return
        held = np.array([hcp(hand), *hand.lengths])
        self.narrowed += 1 - admitted.variance / hands.variance
        self.missed += (held - admitted.mean) ** 2 / hands.variance

    def __add__(self, other: Told) -> Told:
        return Told(
            self.calls + other.calls,
            self.kept + other.kept,
            self.impossible + other.impossible,
            self.narrowed + other.narrowed,
            self.missed + other.missed,
        )

    def line(self, kind: str) -> str:
        calls = max(1, self.calls)
        narrowed, found = self.narrowed / calls, 1 - self.missed / calls
        return (
            f"| {kind} | {self.calls:,} | {self.kept / calls:.2%} | {self.impossible} | "
            f"{narrowed[0]:.3f} | {narrowed[1:].mean():.3f} | "
            f"{found[0]:.3f} | {found[1:].mean():.3f} |"
        )


# Accidents.

FORCING_PASSED = "forcing call passed"
OVER_SIGNOFF = "bid over partner's sign-off"
SHORT_FIT = "four-level suit contract, six trumps or fewer"
CONVERTED = "takeout double converted"
STOPPED = "answer about key cards passed"
ACCIDENTS = (FORCING_PASSED, OVER_SIGNOFF, SHORT_FIT)


def accidents(board: Board, auction: Auction, bids: Sequence[Bid]) -> Iterator[str]:
    """Yield the accidents on a board that the explanations show, and the passes that are none."""
    for index in range(2, len(bids)):
        partner, between, own = bids[index - 2 : index + 1]
        if between.call.is_bid:
            continue
        if own.call == PASS and partner.told.forcing:
            yield _passed(bids[: index + 1])
        over_signoff = partner.call.is_bid and partner.meaning.signoff
        if between.call == PASS and own.call.is_bid and over_signoff:
            yield OVER_SIGNOFF
    contract = auction.contract
    if contract is not None and contract.level >= 4 and contract.denomination.trump is not None:
        pair = (contract.declarer, contract.declarer.partner)
        trump = contract.denomination.trump
        if sum(board.deal[seat].length(trump) for seat in pair) <= 6:
            yield SHORT_FIT


def _passed(bids: Sequence[Bid]) -> str:
    """Return what kind of pass it was of partner's forcing call, the last of the bids."""
    partner = bids[-3]
    if bids[-1].meaning.stands:
        return CONVERTED
    trump = partner.call.denomination.trump if partner.call.is_bid else None
    if partner.meaning.keys and trump is not None:
        # Partner's and this player's least, by the last calls of both.
        shown = [bid.told.lengths.get(trump, (0, 13))[0] for bid in (*bids[-5:-4], partner)]
        if sum(shown) >= 7:
            return STOPPED
    return FORCING_PASSED


@dataclass
class Audit:
    """The figures of a number of auctions, and the accidents in them."""

    bidder: System = _NATURAL
    hands: Hands = field(default_factory=Hands)
    deals: int = 0
    off_card: int = 0
    told: dict[tuple[bool, bool], Told] = field(default_factory=lambda: defaultdict(Told))
    """By whether the call is a pass, and the player's first."""
    happened: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    """Broken promises, by call and text."""
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, board: Board) -> None:
        auction, bids = self_play(board, self.bidder)
        self.deals += 1
        self.off_card += sum(not bid.on_card for bid in bids)
        for index, bid in enumerate(bids):
            hand = board.deal[bid.seat]
            self.told[bid.call == PASS, bid.first].add(bid.told, hand, self.hands)
            if not bid.told.holds_for(hand):
                self.broken[f"{bid.call} {bid.told.text}"] += 1
                self.examples["promise broken"].append(
                    f"{bid.seat} {hand}: {words(bids[:index])}, then {bid.call} {bid.told}"
                )
        for accident in accidents(board, auction, bids):
            self.happened[accident] += 1
            self.examples[accident].append(f"{board.deal} {board.dealer}: {words(bids)}")

    @property
    def accidents(self) -> int:
        return sum(self.happened[kind] for kind in ACCIDENTS)

    def report(self, show: int) -> Iterator[str]:
        yield (
            "| calls | number | kept | impossible | narrowed: points | lengths "
            "| found: points | lengths |"
        )
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
        for is_pass, name in ((True, "Pass"), (False, "other")):
            first, later = self.told[is_pass, True], self.told[is_pass, False]
            yield first.line(f"{name}, first")
            yield later.line(f"{name}, later")
            yield (first + later).line(name)
        yield sum(self.told.values(), Told()).line("all")
        yield ""
        yield f"first bids and doubles off the card: {self.off_card}"
        yield f"accidents per 1,000 deals: {1000 * self.accidents / self.deals:.2f}"
        for kind in (*ACCIDENTS, CONVERTED, STOPPED):
            apart = "" if kind in ACCIDENTS else " (no accident)"
            yield f"  {1000 * self.happened[kind] / self.deals:.2f} {kind}{apart}"
        yield ""
        yield "promises most often broken:"
        for text, count in self.broken.most_common(10):
            yield f"  {count} {text}"
        for kind in ("promise broken", *ACCIDENTS):
            for example in self.examples[kind][:show]:
                yield f"{kind}: {example}"


def words(bids: Iterable[Bid]) -> str:
    return " ".join(f"{bid.call}({bid.told.text})" if bid.call != PASS else "Pass" for bid in bids)


def audit(bidder: SystemName, deals: int, seed: int, show: int) -> None:
    started = time.monotonic()
    found = Audit(system(bidder))
    for number in range(1, deals + 1):
        found.add(Board.dealt(seed, number))
        if number % 500 == 0:
            progress(f"{number} of {deals} deals, {time.monotonic() - started:.0f} s")
    print(*found.report(show), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--bidder", choices=("natural", "disciplined"), default="natural", help="who bids"
    )
    parser.add_argument(
        "--deals", type=int, default=10_000, help="number of random deals; default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the deals; default: %(default)s"
    )
    parser.add_argument("--show", type=int, default=0, help="examples to print of each kind")
    options = parser.parse_args()
    if options.deals < 1:
        parser.error(f"{options.deals} deals are nothing to audit")
    audit(options.bidder, options.deals, options.seed, options.show)


if __name__ == "__main__":
    main()
