"""What calls promised of hands, and how far the hands missed it.

Calls of a match of card play only promised nothing, as its auctions were given. A pass that was
substituted for a missing answer counts for its player, and explains nothing. A range that all hands
keep, 0-37 points or 0-13 cards, is no promise.

Explanations are read as a file holds them (`pbn.annotations`), so that a match gives the same
figures from its store and from its PBN file: a text that has the form of promises is read as
promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bridge_arena.bridge.cards import SUITS_DOWN, Hand, Suit
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.explanation import MOST_HCP, Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import SEATS
from bridge_arena.pbn.annotations import made_call, note_of

POINTS_OF_A_CARD = 3
"""The high-card points that count as much as one card outside of a range: over all hands, points
have a standard deviation of 4.13, the length of a suit one of 1.37."""

KINDS: tuple[Suit | None, ...] = (None, *SUITS_DOWN)
"""The kinds of promises: of points (None), and of the length of each suit."""


@dataclass(slots=True)
class Kept:
    """The promises of one kind."""

    promised: int = 0  # the number of promises
    width: int = 0  # the sum of the distances from the lowest to the highest value promised
    missed: int = 0  # the number of promises that were broken
    off: int = 0  # the sum of the distances of these from their ranges


@dataclass(slots=True)
class SeatPromises:
    """The calls of one seat at a table."""

    calls: int = 0
    alerted: int = 0
    explained: int = 0  # calls with text or promises
    with_ranges: int = 0  # calls that promised points or lengths
    kept: int = 0  # those that kept all their promises
    worst: int = 0  # the most that a call missed, as `weight` has it
    worst_at: int = 0  # the place of that call in the auction, from 0
    kinds: dict[Suit | None, Kept] = field(default_factory=lambda: {kind: Kept() for kind in KINDS})


def promises_of(record: BoardRecord) -> list[SeatPromises]:
    """Return the promises of each seat at a table."""
    seats = [SeatPromises() for _ in SEATS]
    for at, made in enumerate(record.calls if record.mode is not Mode.PLAY else ()):
        seat = record.caller(at)
        own = seats[seat]
        own.calls += 1
        own.alerted += made.alert
        promised = explanation_of(made)
        if promised is None:
            continue
        own.explained += 1
        off = misses(promised, record.board.deal[seat])
        for (kind, (low, high)), by in zip(_ranges(promised).items(), off.values(), strict=True):
            kept = own.kinds[kind]
            kept.promised += 1
            kept.width += high - low
            kept.missed += by != 0
            kept.off += abs(by)
        own.with_ranges += bool(off)
        own.kept += bool(off) and not weight(off)
        if weight(off) > own.worst:
            own.worst, own.worst_at = weight(off), at
    return seats


def explanation_of(made: MadeCall) -> Explanation | None:
    """Return the explanation that a file holds of a call; None if it holds none."""
    text = str(made_call(made.call, note_of(made)).explanation or "").strip()
    return Explanation.parse(text) if text else None


def misses(promised: Explanation, hand: Hand) -> dict[Suit | None, int]:
    """Return how far a hand is outside of each range that a call promised, negative if below."""
    off = {}
    for kind, (low, high) in _ranges(promised).items():
        held = hcp(hand) if kind is None else hand.length(kind)
        off[kind] = min(held - low, 0) + max(held - high, 0)
    return off


def weight(off: Mapping[Suit | None, int]) -> int:
    """Return the severity of misses: all of them, in points."""
    return sum(abs(by) * (1 if kind is None else POINTS_OF_A_CARD) for kind, by in off.items())


def _ranges(promised: Explanation) -> dict[Suit | None, tuple[int, int]]:
    """Return the ranges that not all hands keep."""
    ranges: dict[Suit | None, tuple[int, int]] = {}
    if promised.hcp is not None and promised.hcp != (0, MOST_HCP):
        ranges[None] = promised.hcp
    return ranges | {suit: own for suit, own in promised.lengths.items() if own != (0, 13)}
