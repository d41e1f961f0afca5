"""All four hands from what a seat sees: one layout of the unseen cards.

The hands that `View.held` does not know are hidden: two, or three before dummy is shown. Their
cards are placed at random, or by their most probable division (Give Me a Hand, sections 5.3 to
5.5): how many of the unseen cards each hidden hand holds in each suit, and how many of them are
honours. By the paper's equations, a division is probable if many deals have it in common (1, 2:
hypergeometric, here for all suits and hands at once) and if it fits the suits that were bid (3).
That a suit was not bid is not used as evidence: when it was, the cards of other games were placed
no better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb, prod
from operator import gt
from random import Random

from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bots.minimax.bid_frequencies import HONOURS, BidTable, natural_suits
from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View

_Parts = tuple[int, ...]  # a number for each hidden hand
_BETTER = 1 + 1e-9  # the ratio by which a weight must exceed another; less is a tie up to rounding


def place_at_random(view: View, rng: Random) -> list[Hand]:
    """Return the four hands, indexed by Seat, with the unseen cards dealt at random."""
    # Of the voids shown, only that of the trick in progress is respected: if it were broken, the
    # trick would be impossible and nothing could be searched. (`baseline`, which searches nothing,
    # respects none: `bots.baseline.play.place_unseen`.)
    # The suit led, by the seats that did not follow it in the trick in progress.
    discarding = (
        {}
        if view.play is None
        else {
            SEATS[(view.play.leader + place) % 4]: view.play.led
            for place, card in enumerate(view.play.trick)
            if card.suit != view.play.led
        }
    )
    hands = _known(view)
    unseen = shuffled(rng, view.unseen)
    # A hand that has shown out takes its cards first: the others may have any card.
    for seat in sorted(_hidden(view), key=lambda seat: seat not in discarding):
        possible = [card for card in unseen if card.suit != discarding.get(seat)]
        hands[seat] = Hand.of(possible[: 13 - len(view.played[seat])])
        unseen = [card for card in unseen if card not in hands[seat]]
    return hands


def place_most_probable(view: View, table: BidTable, rng: Random) -> list[Hand]:
    """Return the four hands, by Seat, with the most probable numbers of cards; voids are kept."""
    bid = natural_suits(view.dealer, view.calls)
    seats = shuffled(rng, _hidden(view))
    known = [
        HiddenHand(
            13 - len(view.played[seat]), view.played[seat], frozenset(view.voids(seat)), bid[seat]
        )
        for seat in seats
    ]
    shares = most_probable(view.unseen, known, table, rng)
    hands = _known(view)
    for suit in SUITS:
        honour_bits = HONOURS << 13 * suit
        unseen = view.unseen.suit(suit)
        honours = shuffled(rng, Hand(unseen.mask & honour_bits))
        spots = shuffled(rng, Hand(unseen.mask & ~honour_bits))
        for seat, by_suit in zip(seats, shares, strict=True):
            share = by_suit[suit]
            plain = share.cards - share.honours
            hands[seat] |= Hand.of(honours[: share.honours] + spots[:plain])
            honours, spots = honours[share.honours :], spots[plain:]
    return hands


def _hidden(view: View) -> list[Seat]:
    return [seat for seat in SEATS if view.held(seat) is None]


def _known(view: View) -> list[Hand]:
    return [view.held(seat) or Hand() for seat in SEATS]


@dataclass(frozen=True, slots=True)
class HiddenHand:
    size: int  # the number of cards that it still holds
    played: Hand  # the cards played from it
    voids: frozenset[Suit]  # the suits in which it has shown out
    bid: frozenset[Suit]  # the suits that it bid naturally


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a suit's unseen cards that one hidden hand holds."""

    cards: int
    honours: int  # the number of honours (A K Q J) among them


def most_probable(
    unseen: Hand, hands: Sequence[HiddenHand], table: BidTable, rng: Random
) -> list[tuple[Share, ...]]:
    """Return the most probable shares, by Suit, of each hidden hand; of equals, `rng` chooses."""
    sizes = tuple(hand.size for hand in hands)
    # The best way and its weight, by the numbers of cards given out so far.
    ways: dict[_Parts, tuple[float, tuple[_Division, ...]]] = {(0,) * len(hands): (1.0, ())}
    for suit in SUITS:
        divisions = _best_divisions(unseen.holding(suit), suit, hands, table, rng)
        longer: dict[_Parts, tuple[float, tuple[_Division, ...]]] = {}
        for given, (weight, way) in ways.items():
            for division in divisions:
                filled = tuple(map(int.__add__, given, division.cards))
                if any(map(gt, filled, sizes)):
                    continue
                together = weight * division.weight
                if filled not in longer or together > longer[filled][0] * _BETTER:
                    longer[filled] = together, (*way, division)
        ways = longer
    complete = ways.get(sizes)
    if complete is None:
        raise ValueError(f"{len(unseen)} unseen cards cannot be divided as the play has shown")
    return [
        tuple(Share(division.cards[hand], division.honours[hand]) for division in complete[1])
        for hand in range(len(hands))
    ]


@dataclass(frozen=True, slots=True)
class _Division:
    """One suit's unseen cards divided, with a weight proportional to the probability."""

    cards: _Parts
    honours: _Parts
    weight: float


def _best_divisions(
    holding: int, suit: Suit, hands: Sequence[HiddenHand], table: BidTable, rng: Random
) -> list[_Division]:
    """Return the most probable division of the honours for each division of the cards."""
    best: dict[_Parts, _Division] = {}
    for division in shuffled(rng, _divisions(holding, suit, hands, table)):
        known = best.get(division.cards)
        if known is None or division.weight > known.weight * _BETTER:
            best[division.cards] = division
    return list(best.values())


def _divisions(
    holding: int, suit: Suit, hands: Sequence[HiddenHand], table: BidTable
) -> Iterator[_Division]:
    """Yield all divisions of one suit that respect sizes and voids."""
    total = holding.bit_count()
    all_honours = (holding & HONOURS).bit_count()
    limits = [0 if suit in hand.voids else hand.size for hand in hands]
    for cards in _compositions(total, limits):
        for honours in _compositions(all_honours, cards):
            spots = tuple(map(int.__sub__, cards, honours))
            weight = float(_arrangements(honours) * _arrangements(spots))
            for hand, more, high in zip(hands, cards, honours, strict=True):
                if suit in hand.bid:
                    played = hand.played.holding(suit)
                    weight *= table.chance(
                        played.bit_count() + more, (played & HONOURS).bit_count() + high
                    )
            yield _Division(cards, honours, weight)


def _compositions(total: int, limits: Sequence[int]) -> Iterator[_Parts]:
    """Yield all ways to write `total` as a sum of numbers, each from 0 to its limit."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in _compositions(total - first, limits[1:]):
            yield first, *rest


def _arrangements(parts: _Parts) -> int:
    """Return the number of ways to divide particular cards into parts of these sizes."""
    return prod(map(comb, accumulate(parts), parts))
