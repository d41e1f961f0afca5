"""Measure whether controlled estimates would prove the orders of a ladder with fewer boards.

    python -m research.ladder_controls [--pairs 400]

Pairs of simulated versions play until one is surely ahead of the other by the rule of a ladder, as
its twelfth version has to be. A controlled swing is that of the match less b times what stand-ins
gained more on the match's deal than on others, which is 0 on average. b is fixed beforehand, at the
best for the correlation. A bet needs to know the largest swing beforehand, too: what is taken off
is bounded by b, or cut off at some IMPs to both sides, which leaves it 0 on average for one other
deal. Swings are those of `benchmarks.ladder`. A swing of the stand-ins is that of the match as
often as the correlation says, and else another one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from benchmarks.ladder import FLAT, chances_of
from bridge_arena.tournaments.ladder.strength.ranks import evidence_needed
from bridge_arena.tournaments.statistics.betting import BETS, SWINGS, mixed
from bridge_arena.tournaments.statistics.sequential import LARGEST

Floats = NDArray[np.float64]

VERSIONS = 12
"""The version that is to be proved to be ahead of another is the last of so many."""

DIFFERENCES = {"0.5 IMPs": 0.5, "1 IMP": 1.0, "2 IMPs": 2.0}
"""The differences of strengths, in IMPs a board."""

AT_ONCE = 2000
"""The boards that are drawn at once."""


@dataclass(frozen=True, slots=True)
class Control:
    """What is taken off the swings of a match."""

    name: str
    correlation: float = 0.0  # of the stand-ins' swings with those of the match
    others: int = 1  # the other deals for each of the match's
    most: float = inf  # the IMPs at which it is cut off

    @property
    def share(self) -> float:
        """The best share of the stand-ins' difference."""
        return self.correlation * self.others / (self.others + 1)

    @property
    def bound(self) -> float:
        """The largest controlled swing."""
        return LARGEST + min(self.most, 2 * LARGEST * self.share)

    def swings(self, boards: int, chances: Floats, rng: np.random.Generator) -> Floats:
        """Draw controlled swings."""
        match = rng.choice(SWINGS, boards, p=chances)
        same = rng.random(boards) < self.correlation
        own = np.where(same, match, rng.choice(SWINGS, boards, p=chances))
        others = rng.choice(SWINGS, (boards, self.others), p=chances).mean(axis=1)
        return np.asarray(match - np.clip(self.share * (own - others), -self.most, self.most))


CONTROLS = (
    Control("none"),
    Control("stand-ins (0.5), 16 other deals", 0.5, 16),
    Control("stand-ins (0.5), one other deal, at most 4 IMPs", 0.5, 1, 4.0),
    Control("the bots themselves (1), 3 other deals", 1.0, 3),
    Control("the bots themselves (1), one other deal, at most 4 IMPs", 1.0, 1, 4.0),
)


def boards_needed(control: Control, difference: float, rng: np.random.Generator) -> int:
    """Return after how many boards a version is surely ahead of a weaker one."""
    chances = chances_of(np.array([difference, 0.0]), FLAT[0])[0, 1]
    needs = evidence_needed(VERSIONS)[0, -1]
    wealth, played = np.zeros((1, len(BETS))), 0
    while True:
        bets = control.swings(AT_ONCE, chances, rng)[:, None] * BETS / control.bound
        wealth = wealth[-1] + np.cumsum(np.log1p(bets), axis=0)
        proved = np.flatnonzero(mixed(wealth) >= needs)
        if len(proved):
            return played + int(proved[0]) + 1
        played += AT_ONCE


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=400)
    pairs = parser.parse_args(arguments).pairs
    print("| control (correlation) | " + " | ".join(DIFFERENCES) + " |")
    print("| --- |" + " --- |" * len(DIFFERENCES))
    plain: list[float] = []
    for control in CONTROLS:
        cells = []
        for place, difference in enumerate(DIFFERENCES.values()):
            rng = np.random.default_rng([48, place])
            boards = [boards_needed(control, difference, rng) for _ in range(pairs)]
            mean, error = np.mean(boards), np.std(boards) / np.sqrt(pairs)
            plain += [float(mean)] if control is CONTROLS[0] else []
            cells.append(f"{mean:,.0f} ± {error:.0f} ({plain[place] / mean:.2f})")
        print(f"| {control.name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
