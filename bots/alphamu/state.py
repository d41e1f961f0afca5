"""The state of the play that all worlds share: the cards played, but not who holds the rest."""

from __future__ import annotations

from typing import NamedTuple

from bridge_arena.bots.library.equals import lowest_of_equals
from bridge_arena.bridge.cards import CARDS, SUIT_MASK, Card, Hand, Suit
from bridge_arena.bridge.play import Play, winning_index
from bridge_arena.bridge.seats import SEATS, Seat, Side


class State(NamedTuple):
    """A node of the search: the trick in progress, and what declarer's side still needs.

    Attributes:
        gone: The mask of all cards that have been played, those of the trick in progress included.
        leader: The seat that led to the trick in progress.
        trick: The cards of the trick in progress, in order.
        need: The tricks that declarer's side needs from here on, the one in progress included; 0 or
            less once the target is reached.
    """

    gone: int
    leader: Seat
    trick: tuple[Card, ...]
    need: int

    @classmethod
    def of(cls, play: Play) -> State:
        """Return the state that a play has reached; the target is to make the contract."""
        gone = Hand.of(play.cards).mask
        need = play.contract.tricks_needed - play.declarer_tricks
        return cls(gone, play.leader, tuple(play.trick), need)

    @property
    def turn(self) -> Seat:
        """The seat whose turn it is."""
        return SEATS[(self.leader + len(self.trick)) & 3]

    def after(self, card: Card, trump: Suit | None, side: Side) -> State:
        """Return the state after one more card.

        Args:
            card: The card that is played.
            trump: The trump suit, or None at notrump.
            side: Declarer's side; a trick that it takes lowers `need` by one.

        Returns:
            The new state.
        """
        gone = self.gone | 1 << card
        trick = (*self.trick, card)
        if len(trick) < 4:
            return State(gone, self.leader, trick, self.need)
        winner = SEATS[(self.leader + winning_index(trick, trump)) & 3]
        return State(gone, winner, (), self.need - (winner.side == side))

    @property
    def alive(self) -> int:
        """The mask of the cards that still count: those in a hand or in the trick in progress."""
        mask = ~self.gone
        for card in self.trick:
            mask |= 1 << card
        return mask

    def playable(self, hand: int) -> int:
        """Return the cards of a hand that may be played now, all as masks."""
        held = hand & ~self.gone
        if not self.trick:
            return held
        return held & SUIT_MASK << 13 * (self.trick[0] // 13) or held

    def choices(self, hand: int) -> list[Card]:
        """Return the cards that may be played from a hand, one for each set of equals.

        Cards are equal if no card that still counts lies between them; the lowest stands for all.

        Args:
            hand: The hand as a mask, as dealt or as held.

        Returns:
            The cards in ascending order.
        """
        held = self.playable(hand)
        return [CARDS[card] for card in lowest_of_equals(held, self.alive & ~held)]
