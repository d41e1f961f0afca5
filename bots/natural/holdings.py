"""Terms about suits: lengths, fits, honours, stoppers, shapes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges, with_length
from bridge_arena.bots.natural.binding import (
    NEVER,
    Binding,
    Bound,
    HandTerm,
    RuleContext,
    Test,
    for_suit,
    numbers,
)
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.situation import MAJORS
from bridge_arena.bridge.calls import FIRST_BID
from bridge_arena.bridge.cards import SUITS, Suit


def cards(letter: str, text: str) -> Binding:
    """Return the term for the number of cards in a suit."""
    low, high = numbers(text, 13)
    return HandTerm((letter,), lambda suit: _length(suit, low, high))


@lru_cache(maxsize=1000)
def _length(suit: Suit, low: int, high: int) -> Bound:
    """Return the requirement of a number of cards in a suit."""
    return Bound(lambda facts: low <= facts.lengths[suit] <= high, with_length(suit, low, high))


def longer(first: str, sign: str, second: str) -> Binding:
    """Return the term for a suit that is longer than another, or at least as long."""
    margin = 0 if sign == ">=" else 1

    @cache
    def bound(one: Suit, other: Suit) -> Bound:
        return Bound(lambda facts: facts.lengths[one] >= facts.lengths[other] + margin)

    return HandTerm((first, second), bound)


def fit(letter: str, text: str) -> Binding:
    """Return the term for the cards in a suit together with those that partner has shown."""
    low, high = numbers(text, 26)

    def bind(place: RuleContext, suit: Suit) -> Bound:
        theirs = place.state.partner.least(suit)
        least, most = max(0, low - theirs), min(13, high - theirs)
        if not theirs or most < 0 or least > 13:
            return NEVER
        return _length(suit, least, most)

    return for_suit(letter, bind)


def more_than_shown(letter: str) -> Binding:
    """Return the term for more cards in a suit than the player has shown."""

    def bind(place: RuleContext, suit: Suit) -> Bound:
        return _length(suit, min(13, place.state.own.least(suit) + 1), 13)

    return for_suit(letter, bind)


def law(short: str) -> Binding:
    """Return the term of the law of total tricks (Cohen): a side is safe as high as its trumps."""
    below = int(short or 0)

    def bind(place: RuleContext) -> Bound | None:
        suit = place.strain
        if suit is None or place.call < FIRST_BID:
            return None
        theirs = place.state.partner.least(suit)
        if not theirs:
            return NEVER
        return _length(suit, min(13, max(0, place.call.level + 6 - below - theirs)), 13)

    return bind


def of_suit(
    test: Callable[[Facts, Suit], bool], ranges: Callable[[Suit], HandRanges]
) -> Callable[[str], Binding]:
    """Return a function that makes the term for a test of a suit and its ranges."""
    bound = cache(lambda suit: Bound(lambda facts: test(facts, suit), ranges(suit)))
    return lambda letter: HandTerm((letter,), bound)


def anything(_suit: Suit) -> HandRanges:
    """Return the ranges of all hands, whatever the suit."""
    return ANY


def is_longest(facts: Facts, suit: Suit) -> bool:
    """Return whether a suit is the longest, and the highest-ranking of equally long ones."""
    return all((facts.lengths[suit], suit) >= (facts.lengths[each], each) for each in SUITS)


def top_honours(letter: str, text: str) -> Binding:
    """Return the term for the number of top honours (ace, king and queen) in a suit."""
    low, high = numbers(text, 3)
    return of_suit(lambda facts, suit: low <= facts.tops(suit) <= high, anything)(letter)


def stopped() -> Binding:
    """Return the term for a stopper in every suit that the other side has shown."""

    @cache
    def bound(suits: tuple[Suit, ...]) -> Bound:
        return Bound(lambda facts: all(facts.stops(suit) for suit in suits))

    return lambda place: bound(place.state.shown_by_others)


def stoppers(text: str) -> Binding:
    """Return the term for the number of suits stopped by the hand or by what partner has shown."""
    low, high = numbers(text, 4)

    @cache
    def bound(strong: tuple[Suit, ...]) -> Bound:
        others = [suit for suit in SUITS if suit not in strong]
        return Bound(lambda facts: low <= len(strong) + sum(map(facts.stops, others)) <= high)

    def bind(place: RuleContext) -> Bound:
        partner = place.state.partner
        return bound(
            tuple(suit for suit in SUITS if partner.least(suit) >= 4 or partner.hcp[0] >= 15)
        )

    return bind


BALANCED = ((2, 5), (2, 5), (2, 5), (2, 5))
NO_SINGLETON = ((2, 7), (2, 7), (2, 7), (2, 7))


def plain(test: Test, ranges: HandRanges = ANY) -> Callable[[], Binding]:
    """Return a function that makes the term for a test that does not depend on the auction."""
    term = HandTerm.of(Bound(test, ranges))
    return lambda: term


def takeout() -> Binding:
    """Return the term for support of all suits that the other side has not shown."""

    @cache
    def bound(theirs: tuple[Suit, ...]) -> Bound:
        unbid = [suit for suit in SUITS if suit not in theirs]
        minors = [suit for suit in unbid if suit not in MAJORS]
        majors = [suit for suit in unbid if suit in MAJORS]

        def test(facts: Facts) -> bool:
            lengths = facts.lengths
            if all(lengths[suit] >= 3 for suit in unbid):
                return True
            return (
                all(lengths[suit] >= 3 for suit in majors)
                and any(lengths[suit] == 4 for suit in majors)
                and sum(lengths[suit] >= 3 for suit in minors) >= len(minors) - 1
                and all(lengths[suit] >= 2 for suit in minors)
            )

        ranges = [(2, 6) if suit in unbid else (0, 13) for suit in SUITS]
        return Bound(test, HandRanges(lengths=(ranges[0], ranges[1], ranges[2], ranges[3])))

    return lambda place: bound(place.state.shown_by_others)
