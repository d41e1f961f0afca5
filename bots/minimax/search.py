"""Depth-limited minimax over one layout of the cards (Give Me a Hand, section 5.1).

The depth is counted in tricks. At a leaf, between two tricks, the value is the double-dummy
solver's plus the tricks won on the way. This value is exact, so on a fixed layout the search finds
what the solver finds at the root. A greater depth costs more and chooses the same card.

The search is alpha-beta with a null window, as in the solver: each question is whether the side to
move takes at least so many tricks. Cards of one hand that no other card in play divides count as
one action. Answers are kept for positions between tricks.
"""

from __future__ import annotations

from typing import NamedTuple

from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bridge.cards import CARDS, SUIT_MASK, Card, Hand
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks


def best_cards(position: Position, depth: int) -> Hand:
    """Return the cards that take the most tricks, the lowest of each group of equal cards.

    `depth`, at least 1, counts the tricks to search, the one in progress included.
    """
    search = Search(position, depth)
    cards = search.actions()
    if len(cards) > 1:
        most = best_tricks(position)
        cards = [card for card in cards if search.takes(card, most)]
    return Hand.of(cards)


_Hands = tuple[int, ...]  # the masks of the four hands, N E S W


class _Trick(NamedTuple):
    """What matters of a trick in progress."""

    cards: int = 0  # the number of its cards
    led: int = -1  # the suit led, or -1
    winning: int = -1  # the card that is winning, or -1
    winner: int = -1  # the seat of that card, or -1


class Search:
    """The search from one position; what one question finds is used by later ones."""

    def __init__(self, position: Position, depth: int) -> None:
        self._position = position
        self._depth = depth
        self._trump = -1 if position.trump is None else int(position.trump)
        # The side whose tricks are counted, 0 or 1: its seats have this parity.
        self._side = position.turn & 1
        self._hands = tuple(hand.mask for hand in position.hands)
        self._trick = _Trick()
        for offset, played in enumerate(position.trick):
            self._trick = self._added(self._trick, (position.leader + offset) & 3, int(played))
        # The tricks that the side takes from a position between tricks, by hands and leader:
        # the solver's value of leaves, the least and the most found so far of the others.
        self._leaves: dict[tuple[_Hands, int], int] = {}
        self._bounds: dict[tuple[_Hands, int], tuple[int, int]] = {}
        # The card that last decided a question, by its place in the trick and its seat.
        self._deciding = [[-1] * 4 for _ in range(4)]

    def actions(self) -> list[Card]:
        """Return the lowest card of each group of equal cards that may be played."""
        groups = _groups(self._hands, self._position.turn, self._trick)
        return [CARDS[card] for card in groups]

    def takes(self, card: Card, tricks: int) -> bool:
        """Return whether the side to move takes so many tricks, this one included, with a card."""
        turn = int(self._position.turn)
        return self._after(self._hands, turn, self._trick, int(card), tricks, self._depth)

    # Each node of the tree asks whether the side takes `need` more tricks. `depth` is the
    # number of tricks to search, the one in progress included.

    def _after(
        self, hands: _Hands, turn: int, trick: _Trick, card: int, need: int, depth: int
    ) -> bool:
        hands = (*hands[:turn], hands[turn] ^ 1 << card, *hands[turn + 1 :])
        trick = self._added(trick, turn, card)
        if trick.cards < 4:
            return self._choose(hands, (turn + 1) & 3, trick, need, depth)
        won = trick.winner & 1 == self._side
        return self._between(hands, trick.winner, need - won, depth - 1)

    def _between(self, hands: _Hands, leader: int, need: int, depth: int) -> bool:
        left = hands[leader].bit_count()
        if need <= 0 or need > left:
            return need <= 0
        if depth == 0:
            return self._leaf(hands, leader) >= need
        low, high = self._bounds.get((hands, leader), (0, left))
        if low < need <= high:
            if self._choose(hands, leader, _Trick(), need, depth):
                low = need
            else:
                high = need - 1
            self._bounds[hands, leader] = low, high
        return low >= need

    def _choose(self, hands: _Hands, turn: int, trick: _Trick, need: int, depth: int) -> bool:
        # One card with the answer that the player's side wants is enough. The card that
        # last decided such a question is tried first.
        liked = turn & 1 == self._side
        deciding = self._deciding[trick.cards]
        cards = _groups(hands, turn, trick)
        if deciding[turn] in cards:
            cards.remove(deciding[turn])
            cards.insert(0, deciding[turn])
        for card in cards:
            if self._after(hands, turn, trick, card, need, depth) == liked:
                deciding[turn] = card
                return liked
        return not liked

    def _leaf(self, hands: _Hands, leader: int) -> int:
        """Return the tricks that the side takes, by the solver."""
        value = self._leaves.get((hands, leader))
        if value is None:
            north, east, south, west = (Hand(mask) for mask in hands)
            position = Position((north, east, south, west), self._position.trump, SEATS[leader])
            value = best_tricks(position)
            if leader & 1 != self._side:
                value = hands[leader].bit_count() - value
            self._leaves[hands, leader] = value
        return value

    def _added(self, trick: _Trick, turn: int, card: int) -> _Trick:
        suit = card // 13
        if trick.cards == 0:
            return _Trick(1, suit, card, turn)
        cards, led, winning, winner = trick
        if (card > winning) if suit == winning // 13 else (suit == self._trump):
            winning, winner = card, turn
        return _Trick(cards + 1, led, winning, winner)


def _groups(hands: _Hands, turn: int, trick: _Trick) -> list[int]:
    """Return the lowest of each group of equal cards that `turn` may play."""
    # Cards of a suit are equal if no card between them is in another hand or is winning
    # the trick. Beaten cards are out of play.
    hand = hands[turn]
    others = (hands[0] | hands[1] | hands[2] | hands[3]) ^ hand
    if trick.cards:
        others |= 1 << trick.winning
        hand = hand & SUIT_MASK << 13 * trick.led or hand
    return lowest_of_equals(hand, others)
