"""The scales of victory points, which convert a match's margin in IMPs."""

from __future__ import annotations

from bisect import bisect_left
from math import ceil, floor, log, sqrt

_LONGEST_TABLE = 128
"""The largest number of boards for which the steps of the continuous scale are evened out.
In longer matches, for which no table is printed, steps of hundredths are too coarse."""

_DECAY = sqrt(5) - 2
"""r of the WBF's curve, 10 + 10 (1 - r^(m/b)) / (1 - r) VPs for a margin of m IMPs, where
b = 15 sqrt(boards) is the margin that earns all 20. It is ((sqrt 5 - 1) / 2)^3."""


def victory_points(margin: float, boards: int) -> tuple[float, float]:
    """Return the VPs of a margin on the World Bridge Federation's continuous 20-VP scale of 2013.

    The scale is a curve rounded to two decimals, then raised by hundredths where an IMP would earn
    more than the one before (The New WBF IMP to VP Scales, Technical Report of the WBF Scoring
    Panel, 2013). VPs of a fractional margin are interpolated.

    Args:
        margin: The margin in IMPs, above 0 for a win.
        boards: The number of boards of the match.

    Returns:
        The own VPs and the opponents'.

    Raises:
        ValueError: `boards` is below 1.
    """
    scale = _continuous(boards)
    size = abs(margin)
    below = min(int(size), len(scale) - 1)
    step = scale[min(below + 1, len(scale) - 1)] - scale[below]
    winner = round(scale[below] + step * (size - int(size))) / 100
    loser = round(20 - winner, 2)
    return (winner, loser) if margin >= 0 else (loser, winner)


def _continuous(boards: int) -> list[int]:
    """Return the winner's VPs in hundredths for 0, 1, 2 ... IMPs, up to the first that wins all."""
    blitz = _blitz(boards)
    scale = [
        min(2000, floor(1000 * (1 + (1 - _DECAY ** (margin / blitz)) / (1 - _DECAY)) + 0.5))
        for margin in range(ceil(blitz) + 1)
    ]
    uneven = boards <= _LONGEST_TABLE
    while uneven:
        uneven = False
        for margin in range(1, len(scale) - 1):
            if scale[margin + 1] - scale[margin] > scale[margin] - scale[margin - 1]:
                scale[margin] += 1
                uneven = True
    return scale


def discrete_victory_points(margin: int, boards: int) -> tuple[int, int]:
    """Return the whole VPs of a margin on the World Bridge Federation's discrete scale of 2013.

    The English Bridge Union prints the scale of 20 VPs (White Book, 3.1.1). A VP is earned where
    the curve of the continuous scale passes half of it; bounds are then lowered by an IMP where a
    VP would need fewer IMPs than the one before.

    Args:
        margin: The margin in IMPs, above 0 for a win.
        boards: The number of boards of the match.

    Returns:
        The own VPs and the opponents'.

    Raises:
        ValueError: `boards` is below 1.
    """
    winner = 10 + bisect_left(_last_margins(boards), abs(margin))
    return (winner, 20 - winner) if margin >= 0 else (20 - winner, winner)


def _last_margins(boards: int) -> list[int]:
    """Return the largest margins that earn the winner 10, 11 ... 19 VPs."""
    blitz = _blitz(boards)
    last = [
        floor(blitz * log(1 - (1 - _DECAY) * (vp + 0.5) / 10) / log(_DECAY)) for vp in range(10)
    ]
    uneven = True
    while uneven:
        uneven = False
        for vp in range(9):
            # A 10-10 draw spans both signs of the margin.
            width = last[vp] - last[vp - 1] if vp else 2 * last[0] + 1
            if last[vp + 1] - last[vp] < width:
                last[vp] -= 1
                uneven = True
                break
    return last


def _blitz(boards: int) -> float:
    """Return the margin in IMPs that earns all 20 VPs.

    Args:
        boards: The number of boards of the match.

    Returns:
        The margin, which need not be whole.

    Raises:
        ValueError: `boards` is below 1.
    """
    if boards < 1:
        raise ValueError(f"a match of {boards} boards has no victory points")
    return 15 * sqrt(boards)
