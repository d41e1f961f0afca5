"""How many boards it takes to show a difference, and what a number of boards can show.

All by the normal approximation to the mean of independent boards; swings are heavy-tailed,
but from some dozens of boards on their mean is close to normal. Differences and standard
deviations are in IMPs per board played in both rooms.
"""

from __future__ import annotations

from math import ceil, exp, expm1, sqrt
from statistics import NormalDist

from bridge_arena.tournaments.statistics.sequential import Sprt

_NEARLY = 1e-9


def boards_needed(difference: float, deviation: float, *, alpha: float, power: float) -> int:
    """Boards after which a true `difference` is significant at `alpha` (two-sided) with the
    probability `power`, where a board's swing has this standard `deviation`.

    ((z(1 - alpha/2) + z(power)) deviation / difference)^2, rounded up. Raises ValueError for
    no difference, a deviation not above 0, or shares not between 0 and 1.
    """
    if difference == 0:
        raise ValueError("no number of boards shows a difference of 0")
    quantiles = _quantiles(deviation, alpha, power)
    return max(1, ceil((quantiles * deviation / difference) ** 2))


def detectable(boards: int, deviation: float, *, alpha: float, power: float) -> float:
    """The difference that `boards` show with the probability `power`; errors as above, and
    ValueError below one board."""
    _check_boards(boards)
    return _quantiles(deviation, alpha, power) * deviation / sqrt(boards)


def chance_to_show(difference: float, boards: int, deviation: float, *, alpha: float) -> float:
    """The probability that a true `difference` is significant at `alpha`, on its own side,
    after `boards`. Raises ValueError as `detectable` does."""
    _check_boards(boards)
    _check_deviation(deviation)
    _check_share("alpha", alpha)
    normal = NormalDist()
    reach = normal.inv_cdf(1 - alpha / 2)
    return normal.cdf(abs(difference) * sqrt(boards) / deviation - reach)


def half_width(boards: int, deviation: float, *, alpha: float) -> float:
    """How far an interval of confidence 1 - alpha reaches to each side after `boards`.
    Raises ValueError as `detectable` does."""
    _check_boards(boards)
    _check_deviation(deviation)
    _check_share("alpha", alpha)
    return NormalDist().inv_cdf(1 - alpha / 2) * deviation / sqrt(boards)


def chance_of_h1(sprt: Sprt, mean: float, deviation: float) -> float:
    """The probability that a sequential test accepts H1 where the true swing is `mean`.

    Wald's approximation, which takes the test to end exactly on a bound. Raises ValueError
    for a deviation not above 0.
    """
    _check_deviation(deviation)
    lower, upper = sprt.bounds
    # exp(slope * ratio) has the same expectation at the end as at the start: 1.
    slope = (sprt.imp0 + sprt.imp1 - 2 * mean) / (sprt.imp1 - sprt.imp0)
    if abs(slope) < _NEARLY:
        return -lower / (upper - lower)
    if slope > 0:  # written so that nothing overflows
        return exp(-slope * upper) * expm1(slope * lower) / expm1(slope * (lower - upper))
    return 1 - exp(-slope * lower) * expm1(slope * upper) / expm1(slope * (upper - lower))


def mean_boards(sprt: Sprt, mean: float, deviation: float) -> float:
    """Boards that a sequential test takes on average where the true swing is `mean`; the
    same approximation and error as `chance_of_h1`."""
    chance = chance_of_h1(sprt, mean, deviation)
    lower, upper = sprt.bounds
    step = (sprt.imp1 - sprt.imp0) / deviation**2
    drift = step * (mean - (sprt.imp0 + sprt.imp1) / 2)
    if abs(drift) < _NEARLY * step:
        return max(1.0, -lower * upper / (step * (sprt.imp1 - sprt.imp0)))
    return max(1.0, (chance * upper + (1 - chance) * lower) / drift)


def _quantiles(deviation: float, alpha: float, power: float) -> float:
    _check_deviation(deviation)
    _check_share("alpha", alpha)
    _check_share("power", power)
    normal = NormalDist()
    return max(0.0, normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power))


def _check_deviation(deviation: float) -> None:
    if not 0 < deviation < float("inf"):
        raise ValueError(f"a standard deviation of {deviation:g} IMPs is impossible")


def _check_share(name: str, share: float) -> None:
    if not 0 < share < 1:
        raise ValueError(f"{name} {share:g} does not lie between 0 and 1")


def _check_boards(boards: int) -> None:
    if boards < 1:
        raise ValueError(f"{boards} boards show nothing")
