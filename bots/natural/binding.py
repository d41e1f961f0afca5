"""Terms bound to an auction: a test of hands, and the ranges around those that pass it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.situation import Suits
from bridge_arena.bridge.calls import FIRST_BID, Call
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Range

Test = Callable[[Facts], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A requirement in one auction.

    A term that is bound twice with the same suits and the same numbers gives the same object, so
    that what is made of several requirements is made once.

    Attributes:
        test: The test of a hand.
        ranges: The ranges around the hands that pass the test; for a test that counts more than high
            cards, around nearly all of them.
    """

    test: Test
    ranges: HandRanges = ANY


@dataclass(slots=True)
class RuleContext:
    """The place where a term is bound.

    Attributes:
        state: The state of the auction.
        call: The call that is to be made.
        suits: The suits that the letters of the rule stand for, apart from those that the state
            tells.
    """

    state: State
    call: Call
    suits: Suits

    def suit(self, letter: str) -> Suit | None:
        """Return the suit of a letter, or None if there is none and the rule cannot hold."""
        return self.suits.get(letter, self.state.letters.get(letter))

    @property
    def strain(self) -> Suit | None:
        """The trump suit that the call proposes: its own, or else the agreed one."""
        return self.call.denomination.trump if self.call >= FIRST_BID else self.state.trump


Binding = Callable[[RuleContext], Bound | None]
"""A function that binds a term; None or NEVER means that the term cannot hold."""


def for_suit(letter: str, bind: Callable[[RuleContext, Suit], Bound]) -> Binding:
    """Return the binding of a term about a letter's suit, which must exist for it to hold."""

    def bind_suit(place: RuleContext) -> Bound | None:
        suit = place.suit(letter)
        return None if suit is None else bind(place, suit)

    return bind_suit


@dataclass(frozen=True, slots=True)
class HandTerm:
    """A binding that reads nothing in the auction but the suits of its letters.

    Attributes:
        letters: The letters.
        bound: The requirement for the suits that they stand for.
    """

    letters: tuple[str, ...]
    bound: Callable[..., Bound]

    @classmethod
    def of(cls, bound: Bound) -> HandTerm:
        """Return the binding of a term without letters."""
        return cls((), lambda: bound)

    def __call__(self, place: RuleContext) -> Bound | None:
        """Bind the term."""
        suits = [place.suit(letter) for letter in self.letters]
        return None if None in suits else self.bound(*suits)

    def among(self, suits: Suits) -> Bound | None:
        """Return the requirement, or None if a letter stands for none of the suits."""
        if all(letter in suits for letter in self.letters):
            return self.bound(*(suits[letter] for letter in self.letters))
        return None


@lru_cache(maxsize=10_000)
def all_of(bounds: tuple[Bound, ...]) -> Bound:
    """Return the requirement that several requirements are met.

    If the promises of two contradict each other, the earlier one is right: some are estimates.

    Args:
        bounds: The requirements.

    Returns:
        The one requirement.
    """
    ranges = ANY
    for bound in bounds:
        ranges = bound.ranges.narrowed(ranges)
    tests = tuple(bound.test for bound in bounds if bound is not ALWAYS)

    def test(facts: Facts) -> bool:
        for each in tests:  # noqa: SIM110 (half as dear as a generator)
            if not each(facts):
                return False
        return True

    return Bound(test, ranges.completed())


@lru_cache(maxsize=1000)
def contrary(bound: Bound) -> Bound:
    """Return the requirement that a requirement is not met."""
    if bound is ALWAYS or bound is NEVER:
        return NEVER if bound is ALWAYS else ALWAYS
    return Bound(lambda facts: not bound.test(facts))


ALWAYS = Bound(lambda _: True)
NEVER = Bound(lambda _: False)


def numbers(text: str, most: int) -> Range:
    """Return the range that a text means: `5`, `5+`, `-5` or `5-7`.

    Args:
        text: The text.
        most: The largest number allowed.

    Returns:
        The lowest and the highest number.

    Raises:
        ValueError: The text is no range of numbers up to `most`.
    """
    if text.endswith("+"):
        least, top = int(text[:-1]), most
    else:
        low, dash, high = text.partition("-")
        least, top = (int(low or 0), int(high)) if dash else (int(text), int(text))
    if not least <= top <= most:
        raise ValueError(f"{text} is no range of numbers up to {most}")
    return least, top


def keys(text: str) -> tuple[int, ...]:
    """Return the numbers of key cards that a text like `0,3` means, or raise ValueError."""
    counts = text.split(",")
    if not all(count in ("0", "1", "2", "3", "4", "5") for count in counts):
        raise ValueError(f"{text!r} is no list of key cards, of which there are 5")
    return tuple(map(int, counts))
