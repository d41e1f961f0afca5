"""95 % intervals of means."""

from __future__ import annotations

from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS, SHARE
from bridge_arena.tournaments.statistics.significance import two_sided_t


def interval(mean: Mean) -> tuple[float, float] | None:
    """Return the interval of a mean whose observations are of different deals; None of few."""
    if mean.mean is None or mean.standard_error is None or mean.n < FEWEST_DEALS:
        return None
    reach = two_sided_t(SHARE, mean.n - 1) * mean.standard_error
    return mean.mean - reach, mean.mean + reach
