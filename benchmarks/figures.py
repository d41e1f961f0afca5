"""Figures of the benchmarks: the time that work takes, errors, and how tables show them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.strength import Figure
from bridge_arena.reports.common.wording import p_text
from bridge_arena.tournaments.statistics.significance import two_sided_p

ENOUGH = 2
"""The fewest observations of a figure: a standard error needs them."""

Observations = NDArray[np.floating] | NDArray[np.integer]


def standard_error(observations: Observations) -> Any:
    """Return the standard error of the mean of two or more observations, for each column."""
    return observations.std(axis=0, ddof=1) / np.sqrt(len(observations))


def figure(observations: Observations, digits: int = 3, sign: str = "") -> str:
    """Return mean ± standard error of two or more observations; `sign` "+" shows it always."""
    error = standard_error(observations)
    return f"{observations.mean():{sign}.{digits}f} ± {error:.{digits}f}"


def p_value(difference: Observations) -> str:
    """Return the p-value of a paired difference, in words; "" if all are the same."""
    p = _paired(difference)
    return "" if p is None else p_text(p)


def measured(observations: Observations) -> Figure:
    """Return the mean of two or more observations."""
    return Figure(
        boards=len(observations),
        mean=round(float(observations.mean()), 4),
        error=round(float(standard_error(observations)), 4),
    )


def compared(difference: Observations) -> Figure:
    """Return the mean of a paired difference, with its p-value."""
    p = _paired(difference)
    return measured(difference).model_copy(update={"p": None if p is None else float(f"{p:.3g}")})


def _paired(difference: Observations) -> float | None:
    """Return the p-value of a paired difference (Student's t); None if all are the same."""
    if not (error := standard_error(difference)):
        return None
    return two_sided_p(float(difference.mean() / error), len(difference) - 1)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_T = TypeVar("_T")


def timed(work: Callable[[], _T]) -> tuple[_T, float]:
    """Do the work, and return its result and the seconds of processor time it took."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started
