"""Terms about the strength of a hand: points, quick tricks, key cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.natural.binding import (
    NEVER,
    Binding,
    Bound,
    HandTerm,
    RuleContext,
    keys,
    numbers,
)
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bridge.cards import Suit


def high_cards(text: str) -> Binding:
    """Return the term for a range of high-card points."""
    low, high = numbers(text, 37)
    return HandTerm.of(Bound(lambda facts: low <= facts.hcp <= high, HandRanges(hcp=(low, high))))


def points(text: str) -> Binding:
    """Return the term for a range of points with length."""
    low, high = numbers(text, 50)
    return HandTerm.of(_counted(low, high, 2))


def _points_ranges(low: int, high: int, shape: int) -> HandRanges:
    """Return the ranges of points that count at most `shape` more than high cards do."""
    return HandRanges(hcp=(min(37, max(0, low - shape)), max(0, min(37, high))))


@lru_cache(maxsize=1000)
def _counted(low: int, high: int, shape: int) -> Bound:
    """Return the requirement of points with length; most hands have `shape` at most for it."""
    return Bound(lambda facts: low <= facts.points <= high, _points_ranges(low, high, shape))


@lru_cache(maxsize=1000)
def _supporting(trump: Suit, low: int, high: int, shape: int) -> Bound:
    """Return the requirement of points in support; most hands have `shape` at most for shape."""
    return Bound(
        lambda facts: low <= facts.support(trump) <= high, _points_ranges(low, high, shape)
    )


def support(text: str) -> Binding:
    """Return the term for points in support of the call's suit or of partner's longest."""
    low, high = numbers(text, 50)

    def bind(place: RuleContext) -> Bound | None:
        trump = place.strain
        shown = place.state.shown(place.state.partner)
        if shown and (trump is None or place.state.partner.least(trump) < 3):
            trump = shown[0]
        if trump is None:
            return None
        return _supporting(trump, low, high, 2)

    return bind


_PARTNERS: dict[str, Callable[[int, int], int]] = {
    "all": lambda lowest, _: lowest,
    "exp": lambda lowest, highest: lowest + min(3, (highest - lowest) // 3),
    "max": lambda _, highest: highest,
}


def together(word: str, agreed: str, text: str) -> Binding:
    """Return the term for the points of both partners.

    Args:
        word: The count of partner's points: `all` for the fewest shown, `exp` for those expected,
            `max` for the most.
        agreed: `T` to count the hand for the agreed trump suit; empty for the call's suit.
        text: The range of points.

    Returns:
        The term.
    """
    low, high = numbers(text, 99)
    counted = _PARTNERS[word]

    def bind(place: RuleContext) -> Bound:
        theirs = counted(*place.state.partner.hcp)
        trump = place.state.trump if agreed else place.strain
        least, most = low - theirs, high - theirs
        if most < 0:
            return NEVER
        if trump is not None and place.state.partner.least(trump) >= 3:
            return _supporting(trump, least, most, 3)
        return _counted(least, most, 1 if trump is None else 2)

    return bind


def quick_tricks(text: str) -> Binding:
    """Return the term for a range of quick tricks."""
    low, high = numbers(text, 9)
    return HandTerm.of(Bound(lambda facts: low <= facts.quick_tricks <= high))


def aces(text: str) -> Binding:
    """Return the term for a range of aces."""
    low, high = numbers(text, 4)
    return HandTerm.of(Bound(lambda facts: low <= facts.aces <= high))


def key_cards(text: str) -> Binding:
    """Return the term for numbers of key cards of the trump suit."""
    counts = keys(text)

    @cache
    def bound(trump: Suit) -> Bound:
        return Bound(lambda facts: facts.keycards(trump) in counts)

    def bind(place: RuleContext) -> Bound | None:
        trump = place.state.trump
        return None if trump is None else bound(trump)

    return bind


def missing_keys(text: str) -> Binding:
    """Return the term for the key cards missing after partner's answer."""
    low, high = numbers(text, 5)

    @cache
    def bound(told: tuple[int, ...], trump: Suit, strong: bool) -> Bound:  # noqa: FBT001
        def test(facts: Facts) -> bool:
            own = facts.keycards(trump)
            possible = [count for count in told if own + count <= 5]
            if not possible:
                return False
            theirs = max(possible) if strong else min(possible)
            return low <= 5 - own - theirs <= high

        return Bound(test)

    def bind(place: RuleContext) -> Bound | None:
        answer, trump = place.state.last_by_partner, place.state.trump
        if answer is None or trump is None or not answer.keys:
            return None
        # An answer may mean two numbers; it means the higher one if partner has shown the
        # strength of an opening.
        return bound(answer.keys, trump, place.state.partner.hcp[0] >= 11)

    return bind
