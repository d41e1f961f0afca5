"""The number of boards needed to show a difference, and what a number of boards can show.

All functions use the normal approximation to the mean of independent boards. Swings are
heavy-tailed, but from a few dozen boards on their mean is close to normal. `difference` is the true
one, `mean` the true mean swing, and `deviation` the standard deviation of a board's swing, all in
IMPs per board played in both rooms. `alpha` is the level of significance of a two-sided test, and
`power` the probability that it finds the difference. Every function raises ValueError for what is
out of range.
"""

from __future__ import annotations

from math import ceil, exp, expm1, sqrt
from statistics import NormalDist

from bridge_arena.tournaments.statistics.sequential import Sprt

_NEARLY = 1e-9


def boards_needed(difference: float, deviation: float, *, alpha: float, power: float) -> int:
    """Return the number of boards after which a true difference is likely to be significant.

    It is ((z(1 - alpha/2) + z(power)) deviation / difference)^2, rounded up.
    """
    if difference == 0:
        raise ValueError("no number of boards shows a difference of 0")
    quantiles = _quantiles(deviation, alpha, power)
    return max(1, ceil((quantiles * deviation / difference) ** 2))


def detectable(boards: int, deviation: float, *, alpha: float, power: float) -> float:
    """Return the smallest difference that a number of boards is likely to show."""
    _check_boards(boards)
    return _quantiles(deviation, alpha, power) * deviation / sqrt(boards)


def chance_to_show(difference: float, boards: int, deviation: float, *, alpha: float) -> float:
    """Return the probability that a true difference is significant, and with the right sign."""
    _check_boards(boards)
    return NormalDist().cdf(abs(difference) * sqrt(boards) / deviation - _reach(deviation, alpha))


def half_width(boards: int, deviation: float, *, alpha: float) -> float:
    """Return half the width of a mean swing's interval, whose confidence is 1 - alpha, in IMPs."""
    _check_boards(boards)
    return _reach(deviation, alpha) * deviation / sqrt(boards)


def chance_of_h1(sprt: Sprt, mean: float, deviation: float) -> float:
    """Return the probability that a sequential test accepts H1.

    This is Wald's approximation, which assumes that the test ends exactly on a bound.
    """
    _check_deviation(deviation)
    lower, upper = sprt.bounds
    # exp(slope * ratio) has the same expectation at the end as at the start: 1.
    slope = (sprt.imp0 + sprt.imp1 - 2 * mean) / (sprt.imp1 - sprt.imp0)
    if abs(slope) < _NEARLY:
        return -lower / (upper - lower)
    if slope > 0:  # both forms avoid an overflow
        return exp(-slope * upper) * expm1(slope * lower) / expm1(slope * (lower - upper))
    return 1 - exp(-slope * lower) * expm1(slope * upper) / expm1(slope * (upper - lower))


def mean_boards(sprt: Sprt, mean: float, deviation: float) -> float:
    """Return the number of boards that a sequential test takes on average.

    This is Wald's approximation, as in `chance_of_h1`.
    """
    chance = chance_of_h1(sprt, mean, deviation)
    lower, upper = sprt.bounds
    step = (sprt.imp1 - sprt.imp0) / deviation**2
    drift = step * (mean - (sprt.imp0 + sprt.imp1) / 2)
    if abs(drift) < _NEARLY * step:
        return max(1.0, -lower * upper / (step * (sprt.imp1 - sprt.imp0)))
    return max(1.0, (chance * upper + (1 - chance) * lower) / drift)


def _quantiles(deviation: float, alpha: float, power: float) -> float:
    reach = _reach(deviation, alpha)
    _check_share("power", power)
    return max(0.0, reach + NormalDist().inv_cdf(power))


def _reach(deviation: float, alpha: float) -> float:
    """Return the standard errors from the mean to an end of its interval."""
    _check_deviation(deviation)
    _check_share("alpha", alpha)
    return NormalDist().inv_cdf(1 - alpha / 2)


def _check_deviation(deviation: float) -> None:
    if not 0 < deviation < float("inf"):
        raise ValueError(f"a standard deviation of {deviation:g} IMPs is impossible")


def _check_share(name: str, share: float) -> None:
    if not 0 < share < 1:
        raise ValueError(f"{name} {share:g} does not lie between 0 and 1")


def _check_boards(boards: int) -> None:
    if boards < 1:
        raise ValueError(f"{boards} boards show nothing")
