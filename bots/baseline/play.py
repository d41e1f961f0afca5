"""Liao's rule-based card play (Give Me a Hand, section 4).

It takes the trick when it can; else it plays low, without giving up an honour that
may still win. It knows partner's cards only by chance: before each card, the unseen
cards are dealt at random between the hidden hands, and it plays as if that were so.
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
    """The card to play from the hand whose turn it is. Raises ValueError before the play."""
    legal = view.legal_cards()
    if len(legal) == 1:
        return next(iter(legal))
    return card_on_layout(view.playing, place_unseen(view, rng), legal)


def card_on_layout(play: Play, hands: Sequence[Hand], cards: Hand) -> Card:
    """The card that the rules play, of some that may be played, if the hands are these."""
    if len(cards) == 1:
        return next(iter(cards))
    if play.trick:
        return _follow(play, hands, cards)
    return _lead(play, hands, cards)


def place_unseen(view: View, rng: Random) -> list[Hand]:
    """All four hands, indexed by Seat: those seen, and the unseen cards at random."""
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
    """A card that nobody can beat; else a low one to partner's such card; else a low one."""
    seat = play.turn
    winners = [card for card in legal if _is_master(play, hands, seat, card)]
    if winners:
        return max(winners, key=lambda card: (hands[seat].length(card.suit), card.rank))
    partner = seat.partner
    masters = [card for card in hands[partner] if _is_master(play, hands, partner, card)]
    helpers = [card for card in legal if any(card.suit == master.suit for master in masters)]
    plain = [card for card in helpers if card.rank <= Rank.TEN]
    if plain:
        return _lowest(plain)
    return _play_low(play, hands, legal)


def _follow(play: Play, hands: Sequence[Hand], legal: Hand) -> Card:
    """The cheapest card that takes the trick, unless partner does; else a low one."""
    led = play.trick[0].suit
    seat = play.turn
    later = [SEATS[(seat + offset) % 4] for offset in range(1, 4 - len(play.trick))]
    if play.trick[1:]:
        winning = winning_index(play.trick, play.trump)
        by_partner = winning == len(play.trick) - 2
        if by_partner and not any(
            _can_beat(play, play.trick, hands[opponent], led)
            for opponent in later
            if opponent != seat.partner
        ):
            return _play_low(play, hands, legal)
    takers = [
        card
        for card in legal
        if winning_index([*play.trick, card], play.trump) == len(play.trick)
        and not any(
            _can_beat(play, [*play.trick, card], hands[opponent], led)
            for opponent in later
            if opponent != seat.partner
        )
    ]
    if takers:
        return min(takers, key=lambda card: (card.suit == play.trump, card.rank))
    return _play_low(play, hands, legal)


def _is_master(play: Play, hands: Sequence[Hand], seat: Seat, card: Card) -> bool:
    """Whether the opponents of `seat` cannot beat this card when it is led."""
    opponents = (seat.next, seat.previous)
    others = hands[seat.partner].suit(card.suit)
    if any(other > card for other in others):
        return False
    return not any(_can_beat(play, [card], hands[seat], card.suit) for seat in opponents)


def _can_beat(play: Play, trick: Sequence[Card], hand: Hand, led: Suit) -> bool:
    """Whether some legal card of `hand`, played next, would be winning the trick."""
    return any(
        winning_index([*trick, card], play.trump) == len(trick) for card in followers(hand, led)
    )


def _play_low(play: Play, hands: Sequence[Hand], legal: Hand) -> Card:
    """The lowest plain card, no trump if it can be helped; honours only if there is no other."""
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
