"""What the calls of an auction let a seat think of each hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.box import ANY, Box
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View

Beliefs = tuple[Box, Box, Box, Box]
"""What is thought of each hand, indexed by Seat."""


def told(explanations: Iterable[Explanation]) -> Box:
    """All that one hand's calls promised together, given in order; a call that contradicts
    the earlier ones is believed instead of them, in the quantity where it does."""
    return reduce(Box.narrowed, map(Box.of, explanations), ANY)


def beliefs(view: View, system: System) -> Beliefs:
    """What the seat of `view` thinks of each hand, indexed by Seat.

    The own side's calls mean what `system` says. An opponent's call means what the seat
    was told of it; of a call told without ranges, `system` says what it added to the
    opponent's calls before it, unless it was told to be artificial: then it says nothing.
    """
    read = system.explain(view.auction, view.vulnerability)
    north, east, south, west = (_belief(view, seat, read) for seat in SEATS)
    return north, east, south, west


def disclosed(view: View, calls: Sequence[MadeCall], system: System) -> Beliefs:
    """What all calls told to one who was told all of it, indexed by Seat; `calls`: those of
    the view with every explanation, also those that partner is not given.

    It is what a partnership agrees on, whatever its system, if it tells that to its opponents.
    A call told without ranges means what `system` says, as in `beliefs`.
    """
    read = system.explain(view.auction, view.vulnerability)
    north, east, south, west = (
        _heard(calls[first::4], read[first::4])
        for first in ((seat - view.dealer) % 4 for seat in SEATS)
    )
    return north, east, south, west


def _belief(view: View, seat: Seat, read: list[Explanation]) -> Box:
    first = (seat - view.dealer) % 4
    if seat.side == view.seat.side:
        return told(read[first::4][-1:])  # it tells all that the calls before it did
    return _heard(view.calls[first::4], read[first::4])


def _heard(calls: Sequence[MadeCall], readings: Sequence[Explanation]) -> Box:
    """What the calls of one hand told, by what was told of them, or by their readings."""
    heard_in_all: list[Explanation] = []
    before = Explanation()
    for made, reading in zip(calls, readings, strict=True):
        heard = made.explanation
        if heard is None or not (heard.hcp or heard.lengths or heard.artificial):
            heard = _added(reading, before)
        heard_in_all.append(heard)
        before = reading
    return told(heard_in_all)


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
