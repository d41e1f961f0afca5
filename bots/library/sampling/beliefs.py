"""What the calls of an auction let a seat believe of each hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View

Beliefs = tuple[HandRanges, ...]  # what is believed of each hand, indexed by Seat


def promised(explanations: Iterable[Explanation]) -> HandRanges:
    """Return what the calls of one hand promised together; of contradictions, the later one."""
    return reduce(HandRanges.narrowed, map(HandRanges.of, explanations), ANY)


def beliefs(view: View, system: System) -> Beliefs:
    """Return what the seat of a view believes of each hand, indexed by Seat.

    The calls of the seat's own side mean what `system` says. An opponent's call means what the seat
    was told of it. For a call told without ranges, `system` says what it added to the opponent's
    calls before it; if it was told to be artificial, it adds nothing.
    """
    read = system.explain(view.auction, view.vulnerability)
    return tuple(_belief(view, seat, read) for seat in SEATS)


def disclosed(view: View, calls: Sequence[MadeCall], system: System) -> Beliefs:
    """Return what all calls told to a reader of every explanation, indexed by Seat.

    This is what a partnership agrees on, whatever its system, if it tells its opponents so. A call
    told without ranges means what `system` says, as in `beliefs`. `calls` are those of the view
    with every explanation, those included that a partner is not given.
    """
    read = system.explain(view.auction, view.vulnerability)
    firsts = [(seat - view.dealer) % 4 for seat in SEATS]
    return tuple(_heard(calls[first::4], read[first::4]) for first in firsts)


def _belief(view: View, seat: Seat, read: list[Explanation]) -> HandRanges:
    first = (seat - view.dealer) % 4
    if seat.side == view.seat.side:
        return promised(read[first::4][-1:])  # the last reading includes those before it
    return _heard(view.calls[first::4], read[first::4])


def _heard(calls: Sequence[MadeCall], readings: Sequence[Explanation]) -> HandRanges:
    """Return what the calls of one hand told, by their explanations or else their readings."""
    heard: list[Explanation] = []
    before = Explanation()
    for made, reading in zip(calls, readings, strict=True):
        explanation = made.explanation
        if explanation is None or not (
            explanation.hcp or explanation.lengths or explanation.artificial
        ):
            # What the call has changed in the reading of the hand.
            explanation = Explanation(
                hcp=None if reading.hcp == before.hcp else reading.hcp,
                lengths=dict(reading.lengths.items() - before.lengths.items()),
            )
        heard.append(explanation)
        before = reading
    return promised(heard)
