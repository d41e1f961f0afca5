"""Measure what a control variate gains in real matches: a part of `benchmarks.statistics`.

The bots of a match play, and cheaper stand-ins play the same deals and others. The errors of gains
are jackknife errors over the deals of the match. The time of the stand-ins is counted, as the match
itself could have been longer by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from benchmarks.markdown_table import table
from benchmarks.round_robin import played
from bridge_arena.tournaments.statistics.control_variate import control

TARGET = ("montecarlo:worlds=10", "minimax")
BOARDS, SEED, OTHER_SEED = 120, 11, 12


@dataclass(frozen=True)
class StandIns:
    first: str
    second: str
    folder: str
    others: int


STAND_INS = (
    StandIns("minimax", "baseline:bidding=natural", "cheap", 240),
    StandIns("montecarlo:worlds=2", "minimax", "two", 120),
)


def matches(out: Path) -> str:
    """Play what is not under `out` yet, and return the table of gains."""
    target = played(*TARGET, BOARDS, SEED, out / "target")
    rows = []
    for each in STAND_INS:
        common = played(each.first, each.second, BOARDS, SEED, out / f"{each.folder}-common")
        other = played(
            each.first, each.second, each.others, OTHER_SEED, out / f"{each.folder}-other"
        )
        rows.append(_row(each, target, common, other))
    heads = ["stand-ins", "other deals", "correlation", "raw", "controlled", "gain in boards"]
    return table([*heads, "longer in the same time"], rows)


def _row(each: StandIns, target: Any, common: Any, other: Any) -> list[str]:
    y, x, z = (_swings(summary) for summary in (target, common, other))
    found = control(y, x, z)
    raw, controlled = found.raw, found.controlled
    assert found.gain is not None
    left_out = [control(_without(y, deal), _without(x, deal), z) for deal in range(len(y))]
    gains = [one.gain for one in left_out if one.gain is not None]
    correlations = [one.correlation for one in left_out]
    spent = _seconds(common) + _seconds(other)
    return [
        f"`{each.first}` - `{each.second}`",
        str(each.others),
        f"{found.correlation:+.2f} ± {_jackknife(correlations):.2f}",
        f"{raw.mean:+.2f} ± {raw.standard_error:.2f}",
        f"{controlled.mean:+.2f} ± {controlled.standard_error:.2f}",
        f"{found.gain:.2f} ± {_jackknife(gains):.2f}",
        f"{1 + spent / _seconds(target):.2f}",
    ]


def _swings(summary: Any) -> list[int]:
    return [board["imps"] for board in summary["board_results"]]


def _seconds(summary: Any) -> float:
    """Return the seconds for which the bots thought."""
    timings = [bot["timing"] for bot in summary["bots"]]
    return float(sum(each["actions"] * each["mean_ms"] for each in timings)) / 1000


def _without(values: Sequence[int], place: int) -> list[int]:
    return [*values[:place], *values[place + 1 :]]


def _jackknife(values: Sequence[float]) -> float:
    """Return the standard error, from the values without each deal."""
    mean = sum(values) / len(values)
    return sqrt((len(values) - 1) / len(values) * sum((value - mean) ** 2 for value in values))
