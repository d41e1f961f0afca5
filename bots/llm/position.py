"""A position as text, in the notation of the field: all that the seat knows, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.bots.llm.quoting import quoted
from bridge_arena.bridge.cards import SUITS_DOWN, Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.view import View

_VULNERABLE = {
    Vulnerability.NONE: "nobody",
    Vulnerability.NS: "North-South",
    Vulnerability.EW: "East-West",
    Vulnerability.ALL: "both sides",
}


def position_text(view: View) -> str:
    """Return the position as its seat sees it.

    Args:
        view: The view of the seat, at its turn.

    Returns:
        Lines of text; explanations of calls are quoted.
    """
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    yield f"You are {_name(view.seat)}; your partner is {_name(view.seat.partner)}."
    yield f"Dealer: {_name(view.dealer)}. Vulnerable: {_VULNERABLE[view.vulnerability]}."
    own = view.held(view.seat) or Hand()
    yield f"Your hand: {_holdings(own)}"
    yield "The auction so far:" if view.calls else "There is no call yet."
    for place, made in enumerate(view.calls):
        yield f"  {_name(SEATS[(view.dealer + place) % 4])}: {_call(made)}"
    if view.play is not None:
        yield from _play_lines(view, view.play)


def _call(made: MadeCall) -> str:
    alert = " (alerted)" if made.alert else ""
    meaning = "" if made.explanation is None else f", says: {quoted(str(made.explanation))}"
    return f"{made.call}{alert}{meaning}"


def _play_lines(view: View, play: Play) -> Iterator[str]:
    contract = play.contract
    yield f"The contract: {contract} by {_name(play.declarer)}."
    if view.dummy_hand is not None:
        held = view.held(play.dummy) or Hand()
        yield f"Dummy, {_name(play.dummy)}, holds: {_holdings(held)}"
    if play.tricks:
        yield "The tricks so far, the leader's card first:"
    for number, trick in enumerate(play.tricks, 1):
        yield f"  {number}. {_cards(trick.leader, trick.cards)}; won by {_name(trick.winner)}"
    won = [sum(trick.winner.side == side for trick in play.tricks) for side in (0, 1)]
    yield f"Tricks won: North-South {won[0]}, East-West {won[1]}."
    if play.trick:
        yield f"This trick: {_cards(play.leader, play.trick)}"
    else:
        yield "You lead to the next trick."
    whose = "your own hand" if play.turn == view.seat else "dummy's hand"
    yield f"You play from {whose}."


def _cards(leader: Seat, cards: tuple[Card, ...] | list[Card]) -> str:
    return ", ".join(f"{SEATS[(leader + place) % 4]} {card}" for place, card in enumerate(cards))


def _holdings(hand: Hand) -> str:
    return "  ".join(f"{suit}: {_ranks(hand.suit(suit))}" for suit in SUITS_DOWN)


def _ranks(cards: Hand) -> str:
    return "".join(card.rank.letter for card in sorted(cards, reverse=True)) or "-"


def _name(seat: Seat) -> str:
    return seat.name.capitalize()
