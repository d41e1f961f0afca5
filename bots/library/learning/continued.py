"""The meanings of calls where `natural` continues the auction of a learned system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.explanation import Explanation, Range
from bridge_arena.bridge.seats import Vulnerability


def continued(
    auction: Auction, vulnerability: Vulnerability, learned: Sequence[Explanation | None]
) -> list[Explanation]:
    """Return what each call told, with those before it.

    `natural` chooses as if it had made all calls of the auction. What its rules require of the hand
    for a call is true of the hand; what it took the same player's learned calls to mean is not. So
    only what a call adds to `natural`'s reading of the calls before counts, on top of the measured
    meaning of the learned calls. Where the two contradict each other, the later is believed.

    Args:
        auction: The auction.
        vulnerability: The vulnerability of the board.
        learned: The measured meaning of each call that the learned system chose, without ranges if
            it was too rare to measure; None for a call that `natural` chose.
    """
    needed = any(meaning is None for meaning in learned)
    natural = Natural().explain(auction, vulnerability) if needed else []
    told: list[Explanation] = []
    known: dict[int, HandRanges] = {}
    for place, meaning in enumerate(learned):
        player = place % 4
        if meaning is not None:
            is_measured = meaning.hcp is not None or meaning.lengths
            known[player] = HandRanges.of(meaning) if is_measured else known.get(player, ANY)
            told.append(_promising(meaning, known[player]))
        elif player in known:
            added = _added(natural[place], natural[place - 4])
            known[player] = known[player].narrowed(added)
            told.append(_promising(natural[place], known[player]))
        else:
            told.append(natural[place])
    return told


def _added(reading: Explanation, before: Explanation) -> HandRanges:
    """Return the ends of a reading's ranges that have changed, as a ranges."""
    now, then = HandRanges.of(reading), HandRanges.of(before)
    clubs, diamonds, hearts, spades = (
        _new_ends(*each, most=13) for each in zip(now.lengths, then.lengths, strict=True)
    )
    return HandRanges(_new_ends(now.hcp, then.hcp, most=37), (clubs, diamonds, hearts, spades))


def _new_ends(now: Range, then: Range, most: int) -> Range:
    return 0 if now[0] == then[0] else now[0], most if now[1] == then[1] else now[1]


def _promising(explanation: Explanation, ranges: HandRanges) -> Explanation:
    """Return the explanation with a ranges's ranges, without those that hold for all hands."""
    return replace(
        explanation,
        hcp=None if ranges.hcp == ANY.hcp else ranges.hcp,
        lengths={
            suit: promised
            for suit, promised in zip(SUITS, ranges.lengths, strict=True)
            if promised != (0, 13)
        },
    )
