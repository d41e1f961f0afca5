"""Scores: points, IMPs and matchpoints."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from bridge_arena.bridge.calls import Contract, Denomination, Risk
from bridge_arena.bridge.seats import Side, Vulnerability


def contract_score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Return the points of declarer's side for a result (Law 77).

    Args:
        contract: The contract.
        tricks: The tricks that declarer took, 0 to 13.
        vulnerable: Whether declarer's side is vulnerable.

    Returns:
        The points, below 0 if the contract went down.

    Raises:
        ValueError: `tricks` is out of range.
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
    """Return the points of North-South on a board.

    Args:
        contract: The contract; None for a board that was passed out.
        tricks: The tricks that declarer took, 0 to 13.
        vulnerability: The board's vulnerability.

    Returns:
        The points; 0 for a board that was passed out.

    Raises:
        ValueError: A contract has no tricks or an impossible number of them.
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
    """Return the matchpoints of each score of one side on one board (Law 78A).

    A score gets two scoring units for every score it beats and one for every other score it equals.

    Args:
        scores: The points of one side at each table.

    Returns:
        The scoring units in the order of the scores.
    """
    ordered = sorted(scores)
    return [bisect_left(ordered, score) + bisect_right(ordered, score) - 1 for score in scores]
