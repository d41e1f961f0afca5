"""Scores of many contracts at once, and what contracts cost in IMPs.

A contract is a number here: 0 is passed out, 1 to 35 are 1C to 7NT.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.scoring import contract_score, imps
from bridge_arena.bridge.seats import Seat

CONTRACTS = 36

DOUBLED_BEYOND = 2
"""A contract that goes down by more tricks than this counts as doubled."""

_IMPS = np.array([imps(points) for points in range(4001)], np.int64)
"""The IMPs for each difference in points, up to the one that gives the most IMPs."""


def points_table(
    *, vulnerable: bool = False, doubled_beyond: int = DOUBLED_BEYOND
) -> NDArray[np.int64]:
    """Return contracts' points by tricks, 36×14, doubled if down by more than `doubled_beyond`."""
    table = np.zeros((CONTRACTS, 14), np.int64)
    for contract, tricks in np.ndindex(table.shape):
        is_doubled = (contract - 1) // 5 + 7 - tricks > doubled_beyond
        risk = Risk.DOUBLED if is_doubled else Risk.UNDOUBLED
        table[contract, tricks] = _points(contract, tricks, risk, vulnerable=vulnerable)
    return table


def risks_table() -> NDArray[np.int64]:
    """Return the points by vulnerability (not first), risk, contract and tricks, 2×3×36×14."""
    table = np.zeros((2, 3, CONTRACTS, 14), np.int64)
    for at in np.ndindex(table.shape):
        vulnerable, risk, contract, tricks = at
        table[at] = _points(contract, tricks, Risk(risk), vulnerable=bool(vulnerable))
    return table


def _points(contract: int, tricks: int, risk: Risk, *, vulnerable: bool) -> int:
    if contract == 0:
        return 0
    level, denomination = divmod(contract - 1, 5)
    bid = Contract(level + 1, DENOMINATIONS[denomination], risk, Seat.NORTH)
    return contract_score(bid, tricks, vulnerable=vulnerable)


def points_of(tricks: NDArray[np.integer], table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the points of contracts, ...×36, for tricks by denomination, ...×5, clubs first.

    `table` has the points of each contract by tricks, 36×14.
    """
    contracts = np.arange(1, CONTRACTS)
    points = np.zeros((*tricks.shape[:-1], CONTRACTS), np.int64)
    points[..., 1:] = table[contracts, tricks[..., (contracts - 1) % 5]]
    return points


def expected_points(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the expected points of each contract, not vulnerable, n×..×36.

    The chances are those of 0..13 tricks in each denomination, clubs first, n×5×..×14.
    """
    table = points_table().astype(np.float32)
    points = np.zeros((len(chances), *chances.shape[2:-1], CONTRACTS), np.float32)
    for contract in range(1, CONTRACTS):
        points[..., contract] = chances[:, (contract - 1) % 5] @ table[contract]
    return points


def imps_of(differences: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return the IMPs, 0..24, of differences in points that are not negative."""
    gained: NDArray[np.int64] = _IMPS[np.minimum(np.rint(differences).astype(np.int64), 4000)]
    return gained


def costs_of(tricks: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return what each contract costs pairs of hands, in IMPs, n×36.

    The partner who takes more tricks declares, not vulnerable. In each layout a contract costs the
    IMPs between its points and those of the best contract; the mean is taken over the layouts.
    (Yeh, Hsieh and Lin, section III-A, can be read otherwise: as the mean points over the layouts,
    and the IMPs between them and the best mean. Their cost of always passing, 4.99, is nearer to
    the 4.8 found here than to the 4.2 of that reading.) The tricks are those of each denomination,
    clubs first, by either partner, in several layouts of the other hands, n×layouts×5×2.
    """
    points = points_of(tricks.max(axis=-1), points_table())
    costs: NDArray[np.float64] = imps_of(points.max(axis=-1, keepdims=True) - points).mean(axis=1)
    return costs
