"""All four hands from what a seat sees: one layout of the unseen cards.

The hands that `View.held` does not know are hidden: two, or three before dummy is shown.
"""

from __future__ import annotations

from random import Random

from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bots.minimax.bid_frequencies import HONOURS, BidTable
from bridge_arena.bots.minimax.bids import natural_suits
from bridge_arena.bots.minimax.counts import HiddenHand, most_probable
from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View


def place_at_random(view: View, rng: Random) -> list[Hand]:
    """Return the four hands, indexed by Seat, with the unseen cards dealt at random.

    Of the voids shown, only that of the trick in progress is respected: if it were broken, the
    trick would be impossible and nothing could be searched. (`baseline`, which searches nothing,
    respects none: `bots.baseline.play.place_unseen`.)

    Args:
        view: What the seat sees.
        rng: The generator that deals the cards.

    Returns:
        The hands, as still held.
    """
    discarding = _discarding(view)
    hands = _seen(view)
    unseen = shuffled(rng, view.unseen)
    # A hand that has shown out takes its cards first: the others may have any card.
    for seat in sorted(_hidden(view), key=lambda seat: seat not in discarding):
        led = view.play.led if view.play is not None and seat in discarding else None
        possible = [card for card in unseen if card.suit != led]
        hands[seat] = Hand.of(possible[: 13 - len(view.played[seat])])
        unseen = [card for card in unseen if card not in hands[seat]]
    return hands


def place_most_probable(view: View, table: BidTable, rng: Random) -> list[Hand]:
    """Return the four hands, indexed by Seat, with the most probable numbers of cards.

    The numbers of cards and honours in each suit are the most probable ones; which cards they are
    is random. All voids shown are respected.

    Args:
        view: What the seat sees.
        table: How likely suits are bid.
        rng: The generator that chooses the cards.

    Returns:
        The hands, as still held.
    """
    bid = natural_suits(view.dealer, view.calls)
    seats = shuffled(rng, _hidden(view))
    known = [
        HiddenHand(
            13 - len(view.played[seat]), view.played[seat], frozenset(view.voids(seat)), bid[seat]
        )
        for seat in seats
    ]
    shares = most_probable(view.unseen, known, table, rng)
    hands = _seen(view)
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


def _seen(view: View) -> list[Hand]:
    return [view.held(seat) or Hand() for seat in SEATS]


def _discarding(view: View) -> set[Seat]:
    """Return the seats that did not follow suit to the trick in progress."""
    play = view.play
    if play is None:
        return set()
    return {
        SEATS[(play.leader + place) % 4]
        for place, card in enumerate(play.trick)
        if card.suit != play.led
    }
