"""What bots share that think double dummy: which cards are equal, and whether a claim is right."""

from __future__ import annotations

from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View

_SUIT_STARTS = sum(1 << 13 * suit for suit in SUITS)


def lowest_of_equals(cards: int, dividing: int) -> list[int]:
    """Return the lowest card of each group of equal cards of one hand, masks as `Hand` has them.

    Cards of one suit are equal if none of `dividing` lies between them: the cards that still count
    and are in another hand, or in the trick in progress.
    """
    bounds = dividing | _SUIT_STARTS
    lowest: list[int] = []
    while cards:
        low = cards & -cards
        lowest.append(low.bit_length() - 1)
        # The next group begins above the next dividing card.
        above = bounds & -(low << 1)
        cards = cards & -(above & -above) if above else 0
    return lowest


def distinct_cards(play: Play, legal: Hand) -> list[int]:
    """Return the lowest of each group of legal cards that have the same value, in order.

    They have it whatever the others hold: any card between two of them is in a completed trick.
    """
    completed = Hand.of(card for trick in play.tricks for card in trick.cards)
    return lowest_of_equals(legal.mask, ~(legal.mask | completed.mask))


def solver_agrees(view: View) -> bool:
    """Return whether declarer can take the tricks of `view.claim`, double dummy.

    Raises SolverError, or ValueError without a claim or without all four hands.
    """
    if view.claim is None or view.deal is None:
        raise ValueError("there is no claim, or not all hands are seen")
    values = card_values(Position.of(view.playing, view.deal.hands))
    return max(values.values()) >= view.claim.tricks
