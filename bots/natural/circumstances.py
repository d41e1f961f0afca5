"""Terms about the auction, not the hand: they hold for all hands or for none."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.bots.natural.binding import (
    ALWAYS,
    NEVER,
    Binding,
    Bound,
    RuleContext,
    for_suit,
    numbers,
)
from bridge_arena.bots.natural.reading import State
from bridge_arena.bridge.calls import FIRST_BID
from bridge_arena.bridge.cards import Suit


def is_new(letter: str) -> Binding:
    """Return the term for a suit that neither partner has shown."""

    def bind(place: RuleContext, suit: Suit) -> Bound:
        shown = max(place.state.own.least(suit), place.state.partner.least(suit))
        return NEVER if shown >= 4 else ALWAYS

    return for_suit(letter, bind)


def is_unbid(letter: str) -> Binding:
    """Return the term for a suit that the other side has not shown."""

    def bind(place: RuleContext, suit: Suit) -> Bound:
        return NEVER if suit in place.state.shown_by_others else ALWAYS

    return for_suit(letter, bind)


def at_level(text: str) -> Binding:
    """Return the term for the level of the call."""
    low, high = numbers(text, 7)
    return lambda place: ALWAYS if low <= place.call.level <= high else NEVER


def ranks_above(first: str, second: str) -> Binding:
    """Return the term for one suit that ranks above another."""

    def bind(place: RuleContext) -> Bound | None:
        one, other = place.suit(first), place.suit(second)
        if one is None or other is None:
            return None
        return ALWAYS if one > other else NEVER

    return bind


def was_last(letter: str) -> Binding:
    """Return the term for the denomination of the last bid."""

    def bind(place: RuleContext) -> Bound:
        bid = place.state.bid
        if bid < FIRST_BID:
            return NEVER
        named = bid.denomination.trump
        wanted = None if letter == "NT" else place.suit(letter)
        return ALWAYS if named == wanted and (letter == "NT" or wanted is not None) else NEVER

    return bind


def circumstance(true: Callable[[State], bool]) -> Callable[[], Binding]:
    """Return a function that makes the term for a condition on the state of the auction."""
    return lambda: lambda place: ALWAYS if true(place.state) else NEVER


def in_seat(text: str) -> Binding:
    """Return the term for the player who is the first, second, third or fourth to call."""
    return circumstance(lambda state: len(state.calls) == int(text) - 1)()
