"""Scores: points, IMPs, victory points, matchpoints."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import ceil, floor, log, sqrt

from bridge_arena.bridge.calls import Contract, Denomination, Risk
from bridge_arena.bridge.seats import Side, Vulnerability


def contract_score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Points of declarer's side for taking `tricks` (0..13) tricks (Law 77).

    Raises ValueError when `tricks` is out of range.
    """
    if not 0 <= tricks <= 13:
        raise ValueError(f"{tricks} tricks cannot be taken with 13 cards")
    over = tricks - contract.tricks_needed
    if over < 0:
        return -_penalty(-over, contract.risk, vulnerable=vulnerable)
    return _made(contract, over, vulnerable=vulnerable)


def _penalty(down: int, risk: Risk, *, vulnerable: bool) -> int:
    if risk == Risk.UNDOUBLED:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        doubled = 300 * down - 100
    else:
        doubled = 200 * down - 100 + 100 * max(0, down - 3)
    return doubled * risk


def _made(contract: Contract, over: int, *, vulnerable: bool) -> int:
    minor = contract.denomination <= Denomination.DIAMONDS
    trick_value = 20 if minor else 30
    factor = 1 << contract.risk
    trick_points = trick_value * contract.level * factor
    if contract.denomination == Denomination.NOTRUMP:
        trick_points += 10 * factor
    if contract.risk == Risk.UNDOUBLED:
        overtrick = trick_value
    else:
        overtrick = 100 * contract.risk * (2 if vulnerable else 1)
    score = trick_points + over * overtrick + 50 * contract.risk
    score += 50 if trick_points < 100 else 500 if vulnerable else 300
    if contract.level == 6:
        score += 750 if vulnerable else 500
    elif contract.level == 7:
        score += 1500 if vulnerable else 1000
    return score


def score_ns(contract: Contract | None, tricks: int | None, vulnerability: Vulnerability) -> int:
    """Points of North-South; 0 for a board passed out (contract None).

    Raises ValueError when a contract comes without tricks, or with impossible ones.
    """
    if contract is None:
        return 0
    if tricks is None:
        raise ValueError(f"{contract} by {contract.declarer} has no result")
    side = contract.declarer.side
    points = contract_score(contract, tricks, vulnerable=vulnerability.includes(side))
    return points if side == Side.NS else -points


_IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)


def imps(difference: int) -> int:
    """International match points, -24..24, of a difference in points (Law 78B)."""
    size = bisect_right(_IMP_STEPS, abs(difference))
    return size if difference >= 0 else -size


_LONGEST_TABLE = 128
"""Boards up to which the steps of the continuous scale are evened out. In matches longer
than any table is printed for, steps of hundredths are too coarse for that."""

_DECAY = sqrt(5) - 2
"""r of the WBF's curve, 10 + 10 (1 - r^(m/b)) / (1 - r) VPs for a margin of m IMPs, where
b = 15 sqrt(boards) is the margin that earns all 20. It is ((sqrt 5 - 1) / 2)^3."""


def victory_points(margin: float, boards: int) -> tuple[float, float]:
    """VPs (own, opponents') of a margin in IMPs over a match of `boards` boards.

    The World Bridge Federation's continuous 20-VP scale of 2013: its curve rounded to two
    decimals, then raised by hundredths where an IMP would earn more than the one before
    (The New WBF IMP to VP Scales, Technical Report of the WBF Scoring Panel, 2013). A
    margin between two whole ones lies between their VPs. Raises ValueError when `boards`
    is below 1.
    """
    scale = _continuous(boards)
    size = abs(margin)
    below = min(int(size), len(scale) - 1)
    step = scale[min(below + 1, len(scale) - 1)] - scale[below]
    winner = round(scale[below] + step * (size - int(size))) / 100
    loser = round(20 - winner, 2)
    return (winner, loser) if margin >= 0 else (loser, winner)


def _continuous(boards: int) -> list[int]:
    """Hundredths of a VP of the winner by 0, 1, 2 ... IMPs, as far as they grow."""
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
    """Whole VPs (own, opponents') of a margin in IMPs over a match of `boards` boards.

    The World Bridge Federation's discrete 20-VP scale of 2013, as the English Bridge Union
    prints it (White Book, 3.1.1): a VP is earned where the curve of the continuous scale
    passes half of it, and bounds are then lowered by an IMP where a VP would need fewer
    IMPs than the one before. Raises ValueError when `boards` is below 1.
    """
    winner = 10 + bisect_left(_last_margins(boards), abs(margin))
    return (winner, 20 - winner) if margin >= 0 else (20 - winner, winner)


def _last_margins(boards: int) -> list[int]:
    """The largest margins that earn the winner 10, 11 ... 19 VPs."""
    blitz = _blitz(boards)
    last = [
        floor(blitz * log(1 - (1 - _DECAY) * (vp + 0.5) / 10) / log(_DECAY)) for vp in range(10)
    ]
    uneven = True
    while uneven:
        uneven = False
        for vp in range(9):
            # A draw is 10 VPs by either sign of the margin.
            width = last[vp] - last[vp - 1] if vp else 2 * last[0] + 1
            if last[vp + 1] - last[vp] < width:
                last[vp] -= 1
                uneven = True
                break
    return last


def _blitz(boards: int) -> float:
    """The margin in IMPs that earns all 20 VPs. Raises ValueError when `boards` is below 1."""
    if boards < 1:
        raise ValueError(f"a match of {boards} boards has no victory points")
    return 15 * sqrt(boards)


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Scoring units of each score of one side on one board: two for every score it
    beats and one for every score it equals (Law 78A)."""
    return [
        sum(2 if score > other else 1 for other in scores if score >= other) - 1 for score in scores
    ]
