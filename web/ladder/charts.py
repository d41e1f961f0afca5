"""The charts on the pages of players and pairs: where their lines and marks are, in per cent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from math import ceil, floor, log10

from bridge_arena.tournaments.ladder.player_record import OwnVersion

_MARGIN = 8.0
"""The part of the height above the highest value, and below the lowest, in per cent."""

_WIDEST = 4.0
"""The most IMPs on each side of a rating for which a chart makes room: the interval of a version
that has hardly played would leave nothing to be seen of the others."""

_TICKS = 4
"""About how many values an axis names."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A value that an axis names."""

    place: float
    text: str


@dataclass(frozen=True, slots=True)
class VersionMark:
    """A version on a time line."""

    own: OwnVersion
    left: float
    width: float
    top: float  # of its interval, from above
    height: float
    middle: float  # where its rating is


@dataclass(frozen=True, slots=True)
class VersionChart:
    """The ratings of a player's versions over the time that each was there."""

    marks: tuple[VersionMark, ...]  # the latest first
    ticks: tuple[Tick, ...]
    begin: str  # in ISO 8601
    end: str


@dataclass(frozen=True, slots=True)
class TotalChart:
    """A running total of IMPs, match by match."""

    path: str  # of SVG, in a square of 100
    ticks: tuple[Tick, ...]
    zero: float


class _Axis:
    """An axis from below to above."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._high = (low, high) if high > low else (low - 1, high + 1)

    def place(self, value: float) -> float:
        """Return how far below the upper edge a value is; beyond an edge it is on it."""
        share = (self._high - value) / (self._high - self._low)
        return round(min(max(_MARGIN + (100 - 2 * _MARGIN) * share, 0.0), 100.0), 2)

    def ticks(self) -> tuple[Tick, ...]:
        """Return values that it names: multiples of a 1, 2 or 5 of some power of ten."""
        rough = (self._high - self._low) / _TICKS
        power = 10.0 ** floor(log10(rough))
        step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
        numbers = range(ceil(self._low / step), floor(self._high / step) + 1)
        digits = max(0, -floor(log10(step)))
        return tuple(
            Tick(
                self.place(step * number),
                f"{step * number:+.{digits}f}".replace("-", "−") if number else "0",
            )
            for number in numbers
        )


def version_chart(versions: Sequence[OwnVersion], now: str) -> VersionChart | None:
    """Return the chart of a player's versions, the latest first, until a time in ISO 8601.

    None with fewer than two versions that have a rating.
    """
    ranges = [
        (own.rating.value - error, own.rating.value + error)
        for own in versions
        if own.rating is not None
        for error in [min(own.rating.error or 0.0, _WIDEST)]
    ]
    if len(ranges) < 2:
        return None
    axis = _Axis(min(low for low, _ in ranges), max(high for _, high in ranges))
    begins = [datetime.fromisoformat(own.version.since) for own in versions]
    ends = [max(datetime.fromisoformat(now), begins[0]), *begins[:-1]]
    first, whole = begins[-1], max((ends[0] - begins[-1]).total_seconds(), 1.0)
    marks = []
    for own, begin, end in zip(versions, begins, ends, strict=True):
        if own.rating is None:
            continue
        value, error = own.rating.value, own.rating.error or 0.0
        top = axis.place(value + error)
        marks.append(
            VersionMark(
                own,
                round(100 * (begin - first).total_seconds() / whole, 2),
                round(100 * (end - begin).total_seconds() / whole, 2) or 100.0,
                top,
                round(axis.place(value - error) - top, 2),
                axis.place(value),
            )
        )
    return VersionChart(tuple(marks), axis.ticks(), versions[-1].version.since, ends[0].isoformat())


def total_chart(imps: Sequence[int]) -> TotalChart:
    """Return the chart of the running total of some matches, the first one first."""
    totals = [0, *accumulate(imps)]
    axis = _Axis(min(totals), max(totals))
    across = 100 / max(1, len(imps))
    points = (f"{across * k:.5g} {axis.place(total)}" for k, total in enumerate(totals))
    return TotalChart(f"M{'L'.join(points)}", axis.ticks(), axis.place(0))
