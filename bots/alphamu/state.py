"""A state of the play as all worlds share it: the cards played, not who holds the rest."""

from __future__ import annotations

from typing import NamedTuple

from bridge_arena.bots.library.equals import lowest_of_equals
from bridge_arena.bridge.cards import CARDS, SUIT_MASK, Card, Hand, Suit
from bridge_arena.bridge.play import Play, winning_index
from bridge_arena.bridge.seats import SEATS, Seat, Side


class State(NamedTuple):
    """Where the search is: the trick in progress, and what declarer's side still needs.

    `gone`: the mask of all cards that are in no hand any more, the trick's included;
    `need`: tricks from here on, the one in progress included; 0 or less: reached.
    """

    gone: int
    leader: Seat
    trick: tuple[Card, ...]
    need: int

    @classmethod
    def of(cls, play: Play) -> State:
        """The state that a play has reached; needed is what makes the contract."""
        gone = Hand.of(play.cards).mask
        need = play.contract.tricks_needed - play.declarer_tricks
        return cls(gone, play.leader, tuple(play.trick), need)

    @property
    def turn(self) -> Seat:
        return SEATS[(self.leader + len(self.trick)) & 3]

    def after(self, card: Card, trump: Suit | None, side: Side) -> State:
        """With one more card played; a trick that `side` takes is needed no more."""
        gone = self.gone | 1 << card
        trick = (*self.trick, card)
        if len(trick) < 4:
            return State(gone, self.leader, trick, self.need)
        winner = SEATS[(self.leader + winning_index(trick, trump)) & 3]
        return State(gone, winner, (), self.need - (winner.side == side))

    @property
    def alive(self) -> int:
        """The mask of the cards that still count: in a hand, or in the trick in progress."""
        mask = ~self.gone
        for card in self.trick:
            mask |= 1 << card
        return mask

    def playable(self, hand: int) -> int:
        """The cards of a hand (a mask, as dealt or as held) that may be played now."""
        held = hand & ~self.gone
        if not self.trick:
            return held
        return held & SUIT_MASK << 13 * (self.trick[0] // 13) or held

    def choices(self, hand: int) -> list[Card]:
        """What may be played from a hand, lowest first; of cards that are worth the same,
        because no card that still counts lies between them, the lowest only."""
        held = self.playable(hand)
        return [CARDS[card] for card in lowest_of_equals(held, self.alive & ~held)]
