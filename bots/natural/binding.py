"""Terms bound to an auction: a test of hands, and the box around those that pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bridge_arena.bots.library.box import ANY, Box
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.situation import Suits
from bridge_arena.bridge.calls import FIRST_BID, Call
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Range

Test = Callable[[Facts], bool]


@dataclass(frozen=True, slots=True)
class Bound:
    """A requirement in one auction. `box`: around the hands that pass the test; of those
    that count more than high cards, around nearly all."""

    test: Test
    box: Box = ANY


@dataclass(frozen=True, slots=True)
class RuleContext:
    """Where a term is bound: the auction, the call that is to be made, the suits of the
    letters."""

    state: State
    call: Call
    suits: Suits

    def suit(self, letter: str) -> Suit | None:
        """The suit of a letter; None where there is none, so that the rule cannot hold."""
        return self.suits.get(letter)

    @property
    def strain(self) -> Suit | None:
        """The trump suit that the call proposes: its own, else the agreed one."""
        return self.call.denomination.trump if self.call >= FIRST_BID else self.state.trump


Binding = Callable[[RuleContext], Bound | None]
"""Binds a term; None, or NEVER, where it cannot hold."""


def for_suit(letter: str, bind: Callable[[RuleContext, Suit], Bound]) -> Binding:
    """Binds a term about the suit of a letter; it cannot hold where there is none."""

    def bind_suit(place: RuleContext) -> Bound | None:
        suit = place.suit(letter)
        return None if suit is None else bind(place, suit)

    return bind_suit


ALWAYS = Bound(lambda _: True)
NEVER = Bound(lambda _: False)


def numbers(text: str, most: int) -> Range:
    """`5`, `5+`, `-5` or `5-7`. Raises ValueError where no number up to `most` is meant."""
    if text.endswith("+"):
        least, top = int(text[:-1]), most
    else:
        low, dash, high = text.partition("-")
        least, top = (int(low or 0), int(high)) if dash else (int(text), int(text))
    if not least <= top <= most:
        raise ValueError(f"{text} is no range of numbers up to {most}")
    return least, top


def keys(text: str) -> tuple[int, ...]:
    """Numbers of key cards: `0,3`. Raises ValueError."""
    counts = text.split(",")
    if not all(count in ("0", "1", "2", "3", "4", "5") for count in counts):
        raise ValueError(f"{text!r} is no list of key cards, of which there are 5")
    return tuple(map(int, counts))
