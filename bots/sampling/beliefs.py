"""What the calls of an auction let a seat think of each hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bots.bidding import System
from bridge.cards import SUITS
from bridge.explanation import Explanation, Range
from bridge.seats import SEATS, Seat
from protocol.view import View

ANY_HCP: Range = (0, 37)
ANY_LENGTH: Range = (0, 13)


@dataclass(frozen=True, slots=True)
class Belief:
    """What is thought of one hand of thirteen cards, as it was dealt.

    `hcp`: high-card points. `lengths`: cards in each suit, indexed by Suit. The ranges
    of several suits need not go together.
    """

    hcp: Range = ANY_HCP
    lengths: tuple[Range, Range, Range, Range] = (ANY_LENGTH,) * 4

    @classmethod
    def told(cls, explanations: Iterable[Explanation]) -> Belief:
        """All that one hand's calls promised together, given in order.

        A call that contradicts the earlier ones is believed instead of them, in the
        quantity where it does.
        """
        hcp = ANY_HCP
        lengths = [ANY_LENGTH] * 4
        for explanation in explanations:
            if explanation.hcp is not None:
                hcp = _both(hcp, explanation.hcp)
            for suit, promised in explanation.lengths.items():
                lengths[suit] = _both(lengths[suit], promised)
        clubs, diamonds, hearts, spades = lengths
        return cls(hcp, (clubs, diamonds, hearts, spades))


def beliefs(view: View, system: System) -> tuple[Belief, Belief, Belief, Belief]:
    """What the seat of `view` thinks of each hand, indexed by Seat.

    The own side's calls mean what `system` says. An opponent's call means what the seat
    was told of it; of a call that was not explained, `system` says what it added to the
    opponent's calls before it.
    """
    read = system.explain(view.auction, view.vulnerability)
    north, east, south, west = (_belief(view, seat, read) for seat in SEATS)
    return north, east, south, west


def _belief(view: View, seat: Seat, read: list[Explanation]) -> Belief:
    first = (seat - view.dealer) % 4
    if seat.side == view.seat.side:
        return Belief.told(read[first::4][-1:])  # it tells all that the calls before it did
    told: list[Explanation] = []
    before = Explanation()
    for made, reading in zip(view.calls[first::4], read[first::4], strict=True):
        heard = made.explanation
        if heard is None or (heard.hcp is None and not heard.lengths):
            heard = _added(reading, before)
        told.append(heard)
        before = reading
    return Belief.told(told)


def _added(reading: Explanation, before: Explanation) -> Explanation:
    """The ranges of a reading that were others before the call."""
    return Explanation(
        hcp=None if reading.hcp == before.hcp else reading.hcp,
        lengths={
            suit: reading.lengths[suit]
            for suit in SUITS
            if suit in reading.lengths and reading.lengths[suit] != before.lengths.get(suit)
        },
    )


def _both(earlier: Range, later: Range) -> Range:
    """What lies in both ranges; the later one if nothing does."""
    low, high = max(earlier[0], later[0]), min(earlier[1], later[1])
    return (low, high) if low <= high else later
