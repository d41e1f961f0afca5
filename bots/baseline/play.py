"""Liao's rule-based card play (Give Me a Hand, section 4).

The player takes the trick when it can; otherwise it plays low and keeps an honour that may still
win. It does not infer where the hidden cards are: before each card it deals the unseen cards at
random to the hidden hands, and plays as if they lay so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bridge.cards import Card, Hand, Rank, Suit
from bridge_arena.bridge.play import Play, followers, winning_index
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View


def choose_card(view: View, rng: Random) -> Card:
    """Return the card to play from the hand whose turn it is; `rng` deals the unseen cards."""
    legal = view.legal_cards()
    if len(legal) == 1:
        return next(iter(legal))
    return card_on_layout(view.playing, place_unseen(view, rng), legal)


def card_on_layout(play: Play, hands: Sequence[Hand], cards: Hand) -> Card:
    """Return the card that the rules choose among `cards`, if the hands are these."""
    if len(cards) == 1:
        return next(iter(cards))
    if play.trick:
        return _follow(play, hands, cards)
    return _lead(play, hands, cards)


def place_unseen(view: View, rng: Random) -> list[Hand]:
    """Return all four hands, indexed by Seat: those seen, and the unseen cards dealt at random."""
    hands: list[Hand] = []
    unseen = shuffled(rng, view.unseen)
    for seat in SEATS:
        held = view.held(seat)
        if held is None:
            size = 13 - len(view.played[seat])
            held, unseen = Hand.of(unseen[:size]), unseen[size:]
        hands.append(held)
    return hands


def _lead(play: Play, hands: Sequence[Hand], legal: Hand) -> Card:
    """Return a card that nobody can beat, else a low one to such a card of partner's."""
    seat = play.turn
    winners = [card for card in legal if _is_master(play, hands, seat, card)]
    if winners:
        return max(winners, key=lambda card: (hands[seat].length(card.suit), card.rank))
    partner = seat.partner
    suits = {card.suit for card in hands[partner] if _is_master(play, hands, partner, card)}
    helpers = [card for card in legal if card.suit in suits and card.rank <= Rank.TEN]
    if helpers:
        return _lowest(helpers)
    return _play_low(play, hands, legal)


def _follow(play: Play, hands: Sequence[Hand], legal: Hand) -> Card:
    """Return the cheapest card that takes the trick unless partner does, else a low one."""
    led = play.trick[0].suit
    seat = play.turn
    later = [SEATS[(seat + offset) % 4] for offset in range(1, 4 - len(play.trick))]
    opponents = [hands[player] for player in later if player != seat.partner]

    def wins(place: int, trick: Sequence[Card]) -> bool:
        """Return whether the card at a place of the trick wins it, whatever opponents play."""
        return winning_index(trick, play.trump) == place and not any(
            _can_beat(play, trick, hand, led) for hand in opponents
        )

    if play.trick[1:] and wins(len(play.trick) - 2, play.trick):
        return _play_low(play, hands, legal)
    takers = [card for card in legal if wins(len(play.trick), [*play.trick, card])]
    if takers:
        return min(takers, key=lambda card: (card.suit == play.trump, card.rank))
    return _play_low(play, hands, legal)


def _is_master(play: Play, hands: Sequence[Hand], seat: Seat, card: Card) -> bool:
    """Return whether the opponents of `seat` cannot beat this card when it is led."""
    if any(other > card for other in hands[seat.partner].suit(card.suit)):
        return False
    opponents = hands[seat.next], hands[seat.previous]
    return not any(_can_beat(play, [card], hand, card.suit) for hand in opponents)


def _can_beat(play: Play, trick: Sequence[Card], hand: Hand, led: Suit) -> bool:
    """Return whether some legal card of `hand`, played next, would be winning the trick."""
    return any(
        winning_index([*trick, card], play.trump) == len(trick) for card in followers(hand, led)
    )


def _play_low(play: Play, hands: Sequence[Hand], legal: Hand) -> Card:
    """Return the lowest plain card, not a trump if possible; an honour if there is none."""
    plain = [card for card in legal if card.rank <= Rank.TEN]
    side = [card for card in plain if card.suit != play.trump]
    for cards in (side, plain):
        if cards:
            return min(
                cards, key=lambda card: (card.rank, -hands[play.turn].length(card.suit), card)
            )
    return _lowest(legal)


def _lowest(cards: Iterable[Card]) -> Card:
    return min(cards, key=lambda card: (card.rank, card.suit))
