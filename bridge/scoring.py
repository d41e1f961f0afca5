"""Scores: points of contracts, what a score is worth against others, and victory points.

Where scores are compared, all are points of one side. The other side's scores, and what they are
worth, are the same with the opposite sign.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, log, sqrt

from bridge_arena.bridge.calls import Contract, Denomination, Risk
from bridge_arena.bridge.seats import Side, Vulnerability


def contract_score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Return the points of declarer's side for 0 to 13 tricks, below 0 if it went down (Law 77)."""
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
    """Return the points of North-South on a board; 0 if it was passed out, without a contract.

    ValueError is raised for a contract without tricks, or an impossible number of them.
    """
    if contract is None:
        return 0
    if tricks is None:
        raise ValueError(f"{contract} by {contract.declarer} has no result")
    side = contract.declarer.side
    points = contract_score(contract, tricks, vulnerable=vulnerability.includes(side))
    return points if side == Side.NS else -points


IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The least difference in points that is worth 1 IMP, 2 IMPs, ... 24 IMPs (Law 78B)."""


def imps(difference: int) -> int:
    """Return the international match points, -24 to 24, of a difference in points (Law 78B)."""
    size = bisect_right(IMP_STEPS, abs(difference))
    return size if difference >= 0 else -size


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Return the matchpoints of each score on one board, in the order of the scores (Law 78A).

    A score gets two scoring units for every score it beats and one for every other score it equals.
    """
    ordered = sorted(scores)
    return [bisect_left(ordered, score) + bisect_right(ordered, score) - 1 for score in scores]


def cross_imps(scores: Sequence[int]) -> list[Fraction]:
    """Return the cross-IMPs of each score, in the order of the scores (Law 78B).

    The cross-IMPs of a score are the mean IMPs of its differences to every other score of the
    board, 0 for a single score. All of them add up to zero.
    """
    ordered = sorted(scores)
    sums = {score: _against_all(score, ordered) for score in set(scores)}
    comparisons = max(1, len(scores) - 1)
    return [Fraction(sums[score], comparisons) for score in scores]


def _against_all(score: int, ordered: Sequence[int]) -> int:
    """Return the sum of the IMPs of a score's differences to all scores, which ascend."""
    # That is an IMP for each step of the scale by which it is ahead of another, less those behind.
    ahead = sum(bisect_right(ordered, score - step) for step in IMP_STEPS)
    behind = sum(len(ordered) - bisect_left(ordered, score + step) for step in IMP_STEPS)
    return ahead - behind


def datum(scores: Sequence[int], trim: float = 0.1) -> int:
    """Return the mean of the scores in points, rounded to tens, a half away from zero.

    Args:
        scores: The points of one side at each table.
        trim: The share of the scores left out at each end. The number is rounded down: by default
            one score at each end if there are 10 or more, two if there are 20 or more.

    Raises:
        ValueError: There is no score, or `trim` is below 0 or not below 0.5.
    """
    if not scores:
        raise ValueError("a datum needs a score")
    if not 0 <= trim < 0.5:
        raise ValueError(f"{trim} of the scores cannot be left out at each end (0 to below 0.5)")
    # Use the decimal text: 0.29 of 100 scores are 29, but the float 0.29 is slightly less.
    left_out = floor(Fraction(str(trim)) * len(scores))
    kept = sorted(scores)[left_out : len(scores) - left_out]
    mean = Fraction(sum(kept), len(kept))
    rounded = 10 * floor(abs(mean) / 10 + Fraction(1, 2))
    return rounded if mean >= 0 else -rounded


def butler(scores: Sequence[int], trim: float = 0.1) -> list[int]:
    """Return the Butler IMPs of each score: of its difference to the `datum` (Law 78B)."""
    reference = datum(scores, trim)
    return [imps(score - reference) for score in scores]


def board_a_match(difference: int) -> Fraction:
    """Return the share of one board that a team won at board-a-match: 1, 1/2 or 0 (Law 78A).

    It is matchpoints with a single comparison: two scoring units, each half a board, for a better
    score, one for an equal score, none for a worse one. `difference` is in points between the
    team's two tables, above 0 if it won.
    """
    return _SHARES[(difference > 0) + (difference >= 0)]


_SHARES = (Fraction(0), Fraction(1, 2), Fraction(1))


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
        boards: The number of boards of the match, from 1; else ValueError is raised.

    Returns:
        The own VPs and the opponents'.
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
    """Return the whole VPs of a margin, own and opponents', on the WBF's discrete scale of 2013.

    The English Bridge Union prints the scale of 20 VPs (White Book, 3.1.1). A VP is earned where
    the curve of the continuous scale passes half of it; bounds are then lowered by an IMP where a
    VP would need fewer IMPs than the one before. Arguments are those of `victory_points`.
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
    """Return the margin in IMPs that earns all 20 VPs, which need not be whole."""
    if boards < 1:
        raise ValueError(f"a match of {boards} boards has no victory points")
    return 15 * sqrt(boards)
