"""Whether a claim of declarer's holds, to those who see all four hands: its defenders."""

from __future__ import annotations

from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View


def surely_takes(view: View, tricks: int) -> bool:
    """Whether the hand that is to lead, of declarer's side, takes so many tricks by leading
    winner after winner, whatever the defenders do. Other ways to take them are not seen, so
    a claim may be good where this is False.

    At trumps, trumps are led first; nothing else counts unless that draws the defenders'.
    Partner would have to ruff only with nothing but trumps left, which then win the rest.
    """
    play, deal = view.playing, view.deal
    if tricks == 0:
        return True
    if deal is None or play.trick or play.player != play.declarer:
        return False
    held = [deal[seat] - view.played[seat] for seat in SEATS]
    leader = play.turn
    hand, partner = held[leader], held[leader.partner]
    defenders = [held[leader.next], held[leader.previous]]
    trump = play.trump
    if trump is not None:
        drawn = _winners(hand, partner, defenders, trump)
        if drawn < max(defender.length(trump) for defender in defenders):
            return drawn >= tricks
    return sum(_winners(hand, partner, defenders, suit) for suit in SUITS) >= tricks


def _winners(hand: Hand, partner: Hand, defenders: list[Hand], suit: Suit) -> int:
    """How many tricks in a row `hand` takes and keeps the lead, leading the suit from the
    top: no defender who can still follow has a higher card, and partner has a lower one."""
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
