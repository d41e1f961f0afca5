"""A system that has learned to bid while the opponents pass: `natural` continues the auction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.explanation import Explanation, Range
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability


class LearnedSystem:
    """The part of a `bidding_systems.System` that learned systems share."""

    def __init__(self) -> None:
        self._natural = Natural()

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the learned call of `auction.turn`, or that of `natural` if there is none."""
        raise NotImplementedError

    def meaning(self, before: Auction, call: Call) -> Explanation | None:
        """Return the measured meaning of a learned call; None if `natural` chose it."""
        raise NotImplementedError

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call of `auction.turn` with its explanation."""
        return self.made(self.call(hand, auction, vulnerability), auction, vulnerability)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the one call that `choose` makes; the system weighs no alternatives."""
        return [self.choose(hand, auction, vulnerability)]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call told, with both sides read as if they used this system.

        A learned call has its measured meaning; a call that `natural` made has what it adds to it.
        """
        learned: list[Explanation | None] = []
        so_far = Auction(auction.dealer)
        for call in auction.calls:
            learned.append(self.meaning(so_far, call))
            so_far.push(call)
        return continued(auction, vulnerability, learned)

    def made(self, call: Call, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return a call with its explanation."""
        after = Auction(auction.dealer, [*auction.calls, call])
        explanation = self.explain(after, vulnerability)[-1]
        return MadeCall(call, alert=explanation.artificial, explanation=explanation)


def continued(
    auction: Auction, vulnerability: Vulnerability, learned: Sequence[Explanation | None]
) -> list[Explanation]:
    """Return what each call told, with those before it.

    `natural` chooses as if it had made all calls of the auction. What its rules require of the hand
    for a call is true of the hand; what it took the same player's learned calls to mean is not. So
    only what a call adds to `natural`'s reading of the calls before counts, on top of the measured
    meaning of the learned calls. Where the two contradict each other, the later is believed.
    `learned` are these meanings, without ranges if too rare to measure; None where `natural` chose.
    """
    needed = any(meaning is None for meaning in learned)
    natural = Natural().explain(auction, vulnerability) if needed else []
    explanations: list[Explanation] = []
    known: dict[int, HandRanges] = {}
    for place, meaning in enumerate(learned):
        player = place % 4
        if meaning is not None:
            is_measured = meaning.hcp is not None or meaning.lengths
            known[player] = HandRanges.of(meaning) if is_measured else known.get(player, ANY)
            explanations.append(_promising(meaning, known[player]))
        elif player in known:
            added = _added(natural[place], natural[place - 4])
            known[player] = known[player].narrowed(added)
            explanations.append(_promising(natural[place], known[player]))
        else:
            explanations.append(natural[place])
    return explanations


def _added(reading: Explanation, before: Explanation) -> HandRanges:
    """Return the ends of a reading's ranges that have changed, as a ranges."""
    now, then = HandRanges.of(reading), HandRanges.of(before)
    clubs, diamonds, hearts, spades = (
        _new_ends(*ends, most=13) for ends in zip(now.lengths, then.lengths, strict=True)
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
