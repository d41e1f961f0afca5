"""The comparison of hands with the promises of their calls.

Every call counts, also on unfinished boards. Calls of a match of card play only do not, as its
auctions were given. `tournaments.schedule.promises` says what is a promise.

One observation is a range promised (or, for `kept`, a call with ranges). A hand makes several
calls, and one call often repeats the mistake of another: standard errors are clustered by deal,
which covers all that was bid on it, by either pair and in either room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from pydantic import model_serializer

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS_DOWN, Hand, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.reports.common.promises import KINDS, explanation_of, misses
from bridge_arena.reports.common.sums import Numbers, Sums
from bridge_arena.reports.common.values import Hidden, Json
from bridge_arena.tournaments import Played
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of

MOST_BROKEN = 5
"""The most calls with broken promises that are shown."""

SUIT_KEYS: Mapping[Suit | None, str] = {suit: suit.name.lower() for suit in SUITS_DOWN}
"""Each suit's name in keys and columns."""


@dataclass(frozen=True, slots=True)
class Promises:
    """The promises of one kind, in points or in cards."""

    kept: Mean  # the share of them that was kept, 0 to 1
    width: float | None  # the mean distance from the lowest to the highest value promised
    missed_by: Mean  # the mean distance of the broken ones from the range


@dataclass(frozen=True, slots=True)
class Broken:
    """A call whose hand did not keep what it promised."""

    table: Hidden[Callable[[int], Played]] = field(compare=False)  # returns the table of a row
    row: Hidden[int]
    seat: Hidden[Seat]
    at: int  # the place of the call in the auction, from 0
    weight: Hidden[int]  # the severity: all that was missed, in points

    @property
    def played(self) -> Played:
        """The table."""
        return self.table(self.row)

    @property
    def record(self) -> BoardRecord:
        return self.played.record

    @property
    def promised(self) -> Explanation:
        return explanation_of(self.record.calls[self.at]) or Explanation()

    @property
    def off(self) -> dict[Suit | None, int]:
        """How far the points (None) and suits are outside of their ranges, negative if too few."""
        return {kind: by for kind, by in misses(self.promised, self.hand).items() if by}

    @property
    def call(self) -> Call:
        return self.record.calls[self.at].call

    @property
    def hand(self) -> Hand:
        return self.record.board.deal[self.seat]

    @model_serializer
    def values(self) -> Json:
        room = self.record.room
        return {
            "board": self.record.board.number,
            "room": room.value if room else None,
            "seat": str(self.seat),
            "position": self.at + 1,
            "call": str(self.call),
            "promised": str(self.promised),
            "hand": str(self.hand),
            "off": {SUIT_KEYS.get(kind, "hcp"): by for kind, by in self.off.items()},
        }


@dataclass(frozen=True, slots=True)
class ExplanationFigures:
    """The figures of the calls of one entry."""

    calls: int
    alerted: int
    explained: int  # calls with text or promises
    with_ranges: int  # calls that promised points or lengths
    kept: Mean  # the share of these that kept all their promises
    hcp: Promises
    spades: Promises
    hearts: Promises
    diamonds: Promises
    clubs: Promises
    worst: tuple[Broken, ...]  # the calls with the worst broken promises, at most one of each hand

    @property
    def kinds(self) -> dict[str, Promises]:
        """Each kind of promise by its name: points, and the length of each suit."""
        return {"points": self.hcp, **{name: getattr(self, name) for name in SUIT_KEYS.values()}}


def explanation_figures(sums: Sums, entry: int) -> ExplanationFigures:
    """Return the figures of an entry's calls."""
    rows, seats = np.nonzero(sums.seats == entry)
    calls, deals = sums.tallies.tables["seats"][rows, seats], sums.deals[rows]

    def total(name: str) -> int:
        return int(calls[name].sum())

    def promises(place: int) -> Promises:
        kind = {
            name: calls["kinds"][name][:, place].astype(np.int64)
            for name in ("promised", "missed", "off", "width")
        }
        count = int(kind["promised"].sum())
        return Promises(
            clustered_mean_of(deals, kind["promised"] - kind["missed"], kind["promised"]),
            int(kind["width"].sum()) / count if count else None,
            clustered_mean_of(deals, kind["off"], kind["missed"]),
        )

    of_kinds = {kind: promises(place) for place, kind in enumerate(KINDS)}
    return ExplanationFigures(
        calls=total("calls"),
        alerted=total("alerted"),
        explained=total("explained"),
        with_ranges=total("with_ranges"),
        kept=clustered_mean_of(deals, calls["kept"], calls["with_ranges"].astype(np.int64)),
        hcp=of_kinds[None],
        **{SUIT_KEYS[suit]: of_kinds[suit] for suit in SUITS_DOWN},
        worst=_worst(sums, rows, seats, calls["worst"], calls["worst_at"]),
    )


def _worst(
    sums: Sums, rows: Numbers, seats: Numbers, weights: Numbers, places: Numbers
) -> tuple[Broken, ...]:
    """Return the calls with the worst broken promises, of the worst call of each hand.

    Of equals the first tables come first.
    """
    worst = np.lexsort((places, rows, -weights.astype(np.int64)))[:MOST_BROKEN]
    return tuple(
        Broken(sums.table, int(rows[at]), SEATS[seats[at]], int(places[at]), int(weights[at]))
        for at in worst
        if weights[at]
    )
