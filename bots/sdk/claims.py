"""Declarer's claims, judged by those who see all four hands: the defenders."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View


def surely_takes(view: View, tricks: int) -> bool:
    """Return whether the hand on lead takes enough tricks by leading winner after winner.

    Args:
        view: A view with all four hands, between two tricks, with declarer's side on lead.
        tricks: How many tricks to take.

    Returns:
        True if it takes them; False too if the view is not of this kind, unless `tricks` is 0.
    """
    if tricks == 0:
        return True
    deal = view.deal
    if deal is None:
        return False
    return sure_tricks(view.playing, [deal[seat] - view.played[seat] for seat in SEATS]) >= tricks


def sure_tricks(play: Play, held: Sequence[Hand]) -> int:
    """Return how many tricks the hand on lead takes by leading winner after winner.

    The defenders cannot prevent these tricks. Other ways to take tricks are not tried, so there may
    be more. In a trump contract trumps are led first; the other suits count only if that draws the
    defenders' trumps. Partner would have to ruff only with nothing but trumps left, which then win
    the rest.

    Args:
        play: The play.
        held: The cards that each seat still holds; for a defender, all that it may hold.

    Returns:
        The number of tricks; 0 in the middle of a trick, and if the defenders are on lead.
    """
    if play.trick or play.player != play.declarer:
        return 0
    leader = play.turn
    hand, partner = held[leader], held[leader.partner]
    defenders = [held[leader.next], held[leader.previous]]
    trump = play.trump
    if trump is not None:
        drawn = _winners(hand, partner, defenders, trump)
        if drawn < max(defender.length(trump) for defender in defenders):
            return drawn
    return sum(_winners(hand, partner, defenders, suit) for suit in SUITS)


def _winners(hand: Hand, partner: Hand, defenders: list[Hand], suit: Suit) -> int:
    """Return how many tricks in a row `hand` takes in a suit from the top, keeping the lead."""
    # No defender who can still follow may have a higher card, and partner needs a lower one.
    under = sorted(partner.suit(suit))
    for number, card in enumerate(sorted(hand.suit(suit), reverse=True)):
        blocked = number < len(under) and under[number] > card
        beaten = any(
            defender.length(suit) > number and max(defender.suit(suit)) > card
            for defender in defenders
        )
        if blocked or beaten:
            return number
    return hand.length(suit)
