"""The results of two entries on the boards that they played against each other.

The controlled estimate takes the luck of the deals off their mean swing, as stand-ins tell it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from math import fsum

import numpy as np

from bridge_arena.reports.common.sums import Sums
from bridge_arena.tournaments import HOME, ControlResults, Event
from bridge_arena.tournaments.events.deal_control import Pair
from bridge_arena.tournaments.statistics.control_variate import control
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS
from bridge_arena.tournaments.statistics.significance import sign_flip_p_value

EXPECTED = 0.7
"""The IMPs that a bot is expected to gain for each that its stand-in gains, if that is another bot.
In `research.controls` they were 0.6 to 1."""


@dataclass(frozen=True, slots=True)
class ControlFigures:
    """The controlled estimate of the mean swing of two entries, seen from the first."""

    imps_per_board: Mean  # the estimate; `n` is the number of deals
    stand_ins: tuple[str, str]
    are_themselves: bool  # whether they are the entries' own bots
    plays: int  # how often they played each deal
    other_deals: int  # the number of other deals that they played, once each
    # The IMPs of the first entry for each of its stand-in, allowing for the number of other deals.
    slope: float
    correlation: float  # the correlation of the entries' swings with those of their stand-ins
    # How many times as many boards the match is worth by it; None if that is not known.
    gain: float | None
    # The SHA-256 hash of what was fixed before the first board, for each event that has another.
    definitions: tuple[str, ...]

    def reversed(self) -> ControlFigures:
        """Return the same figures, seen from the second entry."""
        first, second = self.stand_ins
        return replace(
            self, imps_per_board=self.imps_per_board.negated(), stand_ins=(second, first)
        )


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """The two-room boards of an event."""

    event: Event
    sums: Sums = field(compare=False)  # the first names are those of the event's entries, in order
    control: ControlResults | None  # what stand-ins made of its deals; None if it is not known


def controlled(first: str, second: str, events: Iterable[PlayedEvent]) -> ControlFigures | None:
    """Return the controlled estimate of the boards that two entries played against each other.

    It is None if it is not known what stand-ins made of each of the deals, or of others like them.
    """
    luck = _Luck(first, second)
    if not all(luck.add(event) for event in events):
        return None
    if len(luck.swings) < 2 or not luck.elsewhere or luck.pair is None:
        return None
    estimate = control(
        [fsum(swings) / len(swings) for swings in luck.swings.values()],
        [[luck.same[deal]] for deal in luck.swings],
        [[value] for value in luck.elsewhere.values()],
        expected=[1.0 if luck.pair.are_themselves else EXPECTED],
    )
    return ControlFigures(
        estimate.controlled,
        (luck.pair.first, luck.pair.second),
        luck.pair.are_themselves,
        luck.pair.plays,
        len(luck.elsewhere),
        estimate.slopes[0],
        estimate.correlation,
        estimate.gain,
        tuple(luck.definitions),
    )


@dataclass(slots=True)
class _Luck:
    """What two entries and their stand-ins made of deals, seen from the first."""

    first: str
    second: str
    pair: Pair | None = None
    # The hashes of what was fixed before the events.
    definitions: dict[str, None] = field(default_factory=dict)
    swings: dict[bytes, list[int]] = field(default_factory=dict)
    same: dict[bytes, float] = field(default_factory=dict)  # the stand-ins' value of the same deals
    # The stand-ins' values of other deals, by the event's deal and the series. Events with the same
    # deals have the same others.
    elsewhere: dict[tuple[bytes, int], float] = field(default_factory=dict)

    def add(self, played: PlayedEvent) -> bool:
        """Add what the two made of an event's deals; return whether all that is needed is known."""
        sums, places = played.sums, (played.sums.entry(self.first), played.sums.entry(self.second))
        boards = sums.boards[(np.sort(sums.boards["teams"]) == sorted(places)).all(axis=1)]
        if not len(boards):
            return True
        if played.control is None:
            return False
        in_order = min(places), max(places)
        sign = 1 if places == in_order else -1
        by_series = played.control.values.get(in_order, {})
        own, *others = (
            by_series.get(series, {}) for series in range(max(by_series, default=0) + 1)
        )
        pair = played.control.control.pair(*places)
        hands = [sums.hands[deal] for deal in boards["deal"]]
        deals = dict(zip(boards["number"].tolist(), hands, strict=True))
        if pair is None or not deals.keys() <= own.keys() or self.pair not in (None, pair):
            return False
        self.pair = pair
        self.definitions[played.control.control.digest] = None
        imps = np.where(boards["teams"][:, HOME] == places[0], 1, -1) * boards["imps"]
        for number, deal, gain in zip(boards["number"].tolist(), hands, imps.tolist(), strict=True):
            self.swings.setdefault(deal, []).append(gain)
            self.same[deal] = sign * own[number]
        # A series is of use as a whole: its boards are like those of the match.
        for place, series in enumerate(others, start=1):
            if deals.keys() <= series.keys():
                for number, deal in deals.items():
                    self.elsewhere[deal, place] = sign * series[number]
        return True


@dataclass(frozen=True, slots=True)
class Meeting:
    """The two-room boards that two entries played against each other, seen from the first."""

    first: str
    second: str
    imps: int  # the first entry's net IMPs
    imps_per_board: Mean
    # The p-value of the sign-flip test, in which the swings of one deal are flipped together; None
    # without a board.
    p_value: float | None
    deals_with_swing: int
    too_few_deals: bool  # whether there are too few of them for any result to tell the two apart
    control: ControlFigures | None

    @classmethod
    def of(
        cls,
        first: str,
        second: str,
        swings: Iterable[tuple[Hashable, int]],
        control: ControlFigures | None = None,
    ) -> Meeting:
        """Return the meeting of two entries by each board's deal and IMPs of the first entry."""
        boards = list(swings)
        by_deal: Counter[Hashable] = Counter()
        for deal, imps in boards:
            by_deal[deal] += imps
        with_swing = sum(imps != 0 for imps in by_deal.values())
        return cls(
            first,
            second,
            sum(by_deal.values()),
            clustered_mean(boards),
            sign_flip_p_value(list(by_deal.values())),
            with_swing,
            with_swing < FEWEST_DEALS,
            control,
        )

    def reversed(self) -> Meeting:
        """Return the same meeting, seen from the second entry."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            imps=-self.imps,
            imps_per_board=self.imps_per_board.negated(),
            control=None if self.control is None else self.control.reversed(),
        )
