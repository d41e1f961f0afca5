"""Auctions and hands for the tests of `natural`, built without its tables."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.natural import language
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import Meaning, State
from bridge_arena.bots.natural.rules import Block
from bridge_arena.bots.natural.situation import FIXED, Suits
from bridge_arena.bots.natural.terms import RuleContext
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.explanation import Range

SILENT = Meaning("", ANY)


def measured(hand: str) -> Facts:
    """A hand, spades first."""
    held = Hand.parse(hand)
    assert len(held) == 13, hand
    return Facts(held)


def hand_ranges(hcp: Range = (0, 37), **lengths: Range) -> HandRanges:
    """Ranges with some lengths by their suit's letter."""
    each = [lengths.get(suit.letter, (0, 13)) for suit in SUITS]
    return HandRanges(hcp, (each[0], each[1], each[2], each[3]))


def meant(**given: object) -> Meaning:
    """A meaning with some of its fields."""
    return replace(SILENT, **given)  # type: ignore[arg-type]


def state(
    calls: str = "", *meanings: Meaning, vulnerable: tuple[bool, bool] = (False, False)
) -> State:
    """Return the auction, the dealer's call first; the last calls have the given meanings."""
    made = [Call(text) for text in calls.split()]
    told = [*[SILENT] * (len(made) - len(meanings)), *meanings]
    reached = State(vulnerable)
    for call, meaning in zip(made, told, strict=True):
        reached = reached.after(call, meaning)
    return reached


def knowing(reached: State, **promises: HandRanges) -> State:
    """Return a situation with what is known of `own`, `left`, `partner` and `right`, as the seat in
    turn sees it.
    """
    known = list(reached.promises)
    for name, known_ranges in promises.items():
        offset = ("own", "left", "partner", "right").index(name)
        known[(reached.turn + offset) % 4] = known_ranges
    return replace(reached, promises=(known[0], known[1], known[2], known[3]))


def place(reached: State, call: str = "Pass", suits: Suits = FIXED) -> RuleContext:
    return RuleContext(reached, Call(call), suits)


def block(text: str) -> Block:
    """The only block of a table."""
    (only,) = language.parse(text, "table.txt")
    return only
