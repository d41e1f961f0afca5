"""Positions in the play, about which the solver is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.play import Play, followers
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.errors import ImpossibleError


@dataclass(frozen=True, slots=True)
class Position:
    """Four hands in the middle of the play; ImpossibleError if no legal play leaves them."""

    # The cards still held, in the order N, E, S, W, without those of the trick in progress; `turn`
    # holds 1 to 13.
    hands: tuple[Hand, Hand, Hand, Hand]
    trump: Suit | None  # the trump suit; None at notrump
    leader: Seat  # the seat that led, or is to lead, the trick in progress
    trick: tuple[Card, ...] = ()  # the cards of the trick in progress, 0 to 3

    def __post_init__(self) -> None:
        if len(self.hands) != 4:
            raise ImpossibleError(f"a position has four hands, not {len(self.hands)}")
        if len(self.trick) > 3:
            raise ImpossibleError(f"a trick in progress has at most 3 cards, not {len(self.trick)}")
        self._check_counts()
        self._check_repeats()
        self._check_revokes()

    @classmethod
    def of(cls, play: Play, hands: Sequence[Hand]) -> Position:
        """Return the position that a play has reached; raise ImpossibleError if it is over.

        The hands of N, E, S and W are as dealt or as still held: the cards played are removed.
        """
        if len(hands) != 4:
            raise ImpossibleError(f"a position has four hands, not {len(hands)}")
        played = Hand.of(play.cards)
        north, east, south, west = (hand - played for hand in hands)
        return cls((north, east, south, west), play.trump, play.leader, tuple(play.trick))

    @property
    def turn(self) -> Seat:
        """The seat whose hand the next card comes from."""
        return SEATS[(self.leader + len(self.trick)) & 3]

    @property
    def legal_cards(self) -> Hand:
        """The cards that `turn` may play."""
        return followers(self.hands[self.turn], self.trick[0].suit if self.trick else None)

    def _check_counts(self) -> None:
        due = len(self.hands[self.turn])
        if not 1 <= due <= 13:
            raise ImpossibleError(f"{self.turn}, whose turn it is, holds {due} cards, not 1 to 13")
        for offset in range(4):
            seat = SEATS[(self.leader + offset) & 3]
            expected = due - 1 if offset < len(self.trick) else due
            held = len(self.hands[seat])
            if held != expected:
                raise ImpossibleError(f"{seat} holds {held} cards where {expected} are left")

    def _check_repeats(self) -> None:
        held = Hand()
        for seat in SEATS:
            hand = self.hands[seat]
            if hand.mask >> 52:
                raise ImpossibleError(f"{seat} holds something that is no card")
            for card in held & hand:
                raise ImpossibleError(f"{card} is in two hands, the second {seat}'s")
            held |= hand
        for card in self.trick:
            if card in held:
                raise ImpossibleError(f"{card} was played to the trick and is there again")
            held |= Hand.of((card,))

    def _check_revokes(self) -> None:
        for offset, card in enumerate(self.trick):
            seat = SEATS[(self.leader + offset) & 3]
            led = self.trick[0].suit
            if card.suit != led and self.hands[seat].holding(led):
                raise ImpossibleError(f"{seat} played {card} but can follow suit in {led}")
