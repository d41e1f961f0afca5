"""Ask what the contracts of Prorok's printed auctions are worth by the estimate of tricks.

    python -m research.papers.prorok_printed

His table 5 has 45 auctions of test deals: the shape and points of East and West, the contract and
the score. Random hands of these shapes and points take the place of his, and East declares.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, points
from bridge_arena.bots.library.learning.scores import points_table
from bridge_arena.bots.library.tricks.net import TricksNet, shipped
from bridge_arena.bridge.calls import CALL_TEXTS, FIRST_BID

PRINTED = """\
2614 16 2353 15 7H 1510
2434 9 5323 14 2H 110
4522 10 1255 13 2C 110
3145 7 2434 15 1N 90
2542 4 4252 13 1D 110
1543 9 5332 16 3N 400
3514 12 3253 14 3N 430
4225 9 5323 11 P 0
3334 6 3343 14 1D -50
5152 4 3613 10 1H 110
4243 2 2641 22 3N -100
2434 12 4243 12 3N -50
3613 13 3262 15 3N 520
3235 19 4432 6 1C 130
2614 4 5251 4 3H -800
5134 6 3622 11 2H -50
3514 11 4135 13 1N 150
2353 13 4324 9 1D 70
3334 10 5512 13 4S 480
2623 10 2236 7 2H 110
2254 13 2632 10 3N 400
4342 2 3514 11 1H -50
3163 12 5422 15 3N 430
4144 0 3325 17 2S -100
4441 9 5431 11 2S 110
3325 9 3244 16 3N 400
3433 14 4234 11 1H 140
4252 8 1633 10 2H 140
2551 7 4153 16 2S 110
4324 18 3352 10 1N 180
3154 13 4135 9 1D 130
3163 17 1525 12 3N 490
2542 13 6133 15 3N 490
1426 13 6241 9 1N 90
2533 12 3433 12 4H 420
3244 13 5332 13 3N 460
2362 10 4432 15 3D 130
2344 7 3136 18 3N 430
2434 11 1642 12 4H 450
4252 10 1444 15 3N 400
3433 20 4351 9 3N 460
3433 4 3244 13 1D -50
1363 13 3244 15 3N 460
3352 16 2344 15 3N 520
2524 9 5422 12 1H 170
"""
"""East's shape and points, West's, the contract and the score."""

PAIRS = 60
"""Random pairs of hands for each auction."""

_AT_ONCE = 4000


def hands_like(
    shapes: tuple[str, str], strengths: tuple[int, int], number: int, rng: np.random.Generator
) -> tuple[Hands, Hands]:
    """Return random pairs of hands of given shapes, spades first, and high-card points."""
    found: list[tuple[Hands, Hands]] = []
    while sum(len(east) for east, _ in found) < number:
        pair = [np.zeros((_AT_ONCE, 4, 13), np.bool_) for _ in shapes]
        for suit in range(4):
            order = np.argsort(rng.random((_AT_ONCE, 13)), axis=1)
            first, second = (int(shape[3 - suit]) for shape in shapes)
            np.put_along_axis(pair[0][:, suit], order[:, :first], values=True, axis=1)
            theirs = order[:, first : first + second]
            np.put_along_axis(pair[1][:, suit], theirs, values=True, axis=1)
        east, west = (each.reshape(-1, 52) for each in pair)
        kept = (points(east) == strengths[0]) & (points(west) == strengths[1])
        found.append((east[kept], west[kept]))
    east, west = (np.concatenate(hands)[:number] for hands in zip(*found, strict=True))
    return east, west


def worth(net: TricksNet, line: str, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the score of a printed auction, the expected one, and the tricks over expectation."""
    east, east_points, west, west_points, contract, score = line.split()
    if contract == "P":
        return float(score), 0.0, np.nan
    number = CALL_TEXTS.index(contract.replace("N", "NT")) - FIRST_BID + 1
    pair = hands_like((east, west), (int(east_points), int(west_points)), PAIRS, rng)
    chances = net.estimate(*pair).distribution()[:, (number - 1) % 5, 0].mean(axis=0)
    row = points_table()[number]
    (tricks,) = np.flatnonzero(row == int(score))
    return float(score), float(chances @ row), float(tricks - chances @ np.arange(14))


def mean(values: NDArray[np.float64], digits: int) -> str:
    error = values.std(ddof=1) / len(values) ** 0.5
    return f"{values.mean():.{digits}f} ± {error:.{digits}f}"


def main() -> int:
    net, rng = shipped(), np.random.default_rng(1)
    found = np.array([worth(net, line, rng) for line in PRINTED.splitlines()])
    printed, expected, tricks = found.T
    print(f"{len(found)} auctions score {mean(printed, 0)}; expected {mean(expected, 0)}")
    print(f"{mean(printed - expected, 0)} points more, {mean(tricks[~np.isnan(tricks)], 2)} tricks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
