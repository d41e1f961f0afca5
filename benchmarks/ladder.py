"""Measure whether a ladder's ranks are true, what its pairing saves, and what it costs.

    python -m benchmarks.ladder proof [--ladders 2000] [--boards 100000] [--out runs/ladder]
    python -m benchmarks.ladder pairing [--ladders 20] [--out runs/ladder]
    python -m benchmarks.ladder tests [--ladders 1000] [--out runs/ladder]
    python -m benchmarks.ladder scale [--out runs/ladder]
    python -m benchmarks.ladder pages [--out runs/ladder]
    python -m benchmarks.ladder play [--out runs/ladder]

`proof` counts the ladders in which a statement about an order is ever false, with a look after
every match of 16 boards, and how many orders are known. `pairing` counts the boards until all
neighbours that differ by half an IMP or more are told apart: by the ladder's own pairing, in a
round robin, and between versions of similar rating. `tests` counts the verdicts of sequential tests
of two versions that are played between the matches of ten others. What was simulated is kept under
`--out`, and a run that was stopped goes on.

Versions have known strengths. Swings have the sizes of 400 boards of `natural` against `baseline`,
with more flat boards in half of the ladders, and are tilted to the difference of strengths.

`scale` measures what a ladder of 20 or 200 players costs after 10,000 and after 1,000,000 boards.
`pages` measures how soon readers have the pages of the largest one, `play` what they cost the play.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import combinations, pairwise
from math import erfc, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from benchmarks.figures import figure, table
from benchmarks.ladder_pages import pages, play
from benchmarks.ladder_scale import scale
from benchmarks.running import interrupted, progress
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.tournaments.ladder.strength.common_opponents import OPPONENTS, curves
from bridge_arena.tournaments.ladder.strength.pairing import Pairing, Totals
from bridge_arena.tournaments.ladder.strength.ranks import (
    ALPHA,
    Orders,
    proved,
    through_common_opponents,
)
from bridge_arena.tournaments.ladder.strength.sequential_tests import (
    SHARE,
    LadderTest,
    Outcome,
    Turns,
)
from bridge_arena.tournaments.ladder.strength.sums import PairSums
from bridge_arena.tournaments.statistics.betting import (
    BETS,
    SWINGS,
    Floats,
    bet_growth,
    mixed,
)
from bridge_arena.tournaments.statistics.sequential import Sprt
from bridge_arena.tournaments.statistics.significance import holm
from research.statistics import SIZES

MATCH = 16
"""The boards of a match."""

FLAT = (0.36, 0.6)
"""The share of flat boards, in turns; the first is that of the 400 boards."""

APART = 0.5
"""The difference of neighbours that are to be told apart, in IMPs a board."""

PRESENT = 0.8
"""The chance that a version is there when pairs are made."""

ALWAYS = 3
"""The first versions, which are there by day and by night in ladders that have shifts."""

GROWN = 1.5
"""How far the boards grow from look to look at versions that have not met."""

MEANS = (0.0, 0.25, 0.5)
"""What a version that is tested gains, in IMPs a board; H0 is 0, and H1 0.5."""

MOST = 4_000_000
"""The boards at which a way of pairing is given up."""

_OF_SWINGS = (np.ones_like(SWINGS), SWINGS, SWINGS**2)

Pairs = Sequence[tuple[int, int]]


class Kind(StrEnum):
    """How the strengths of a ladder are spread."""

    EQUAL = "all equal"
    GROUPS = "groups of equals, 1 IMP apart"
    CLOSE = "neighbours 0 to 1 IMP apart"
    SPREAD = "normal, with a deviation of 2 IMPs"


def strengths_of(kind: Kind, size: int, rng: np.random.Generator) -> Floats:
    """Draw strengths in IMPs a board, in random order of arrival."""
    if kind == Kind.EQUAL:
        return np.zeros(size)
    if kind == Kind.GROUPS:
        return np.asarray(rng.integers(0, max(2, size // 4), size), np.float64)
    if kind == Kind.CLOSE:
        return np.asarray(rng.permutation(np.cumsum(rng.uniform(0, 1, size))))
    return np.asarray(rng.normal(0, 2, size))


def chances_of(strengths: Floats, flat: float) -> Floats:
    """Return the chances of the swings of i against j, of shape (n, n, 49)."""
    sizes = np.zeros(len(SWINGS) // 2)
    sizes[: len(SIZES)] = SIZES
    sizes *= (1 - flat) / 2 / sizes.sum()
    base = np.concatenate([sizes[::-1], [flat], sizes])
    # Beyond these no tilt of the sizes has the mean.
    means = np.clip(strengths[:, None] - strengths, -10, 10)
    low, high = np.full(means.shape, -3.0), np.full(means.shape, 3.0)
    for _ in range(60):
        tilt = (low + high) / 2
        chances = base * np.exp(tilt[..., None] * SWINGS)
        chances /= chances.sum(axis=-1, keepdims=True)
        below = chances @ SWINGS < means
        low, high = np.where(below, tilt, low), np.where(below, high, tilt)
    # Equal versions are equal to the last digit.
    return np.asarray(np.where(means[..., None] == 0, base, chances))


class Ladder:
    """A ladder of versions with known strengths."""

    def __init__(
        self, strengths: Floats, flat: float, rng: np.random.Generator, first: int | None = None
    ) -> None:
        """Begin a ladder with the first versions, or with all."""
        size = len(strengths)
        self.truth: Orders = strengths[:, None] > strengths
        self.rng = rng
        self.played = 0  # boards
        self._chances = chances_of(strengths, flat)
        self._growth = bet_growth().T
        self._bets = np.zeros((size, size, len(BETS)))
        self._evidence = np.zeros((size, size))
        self.counts = np.zeros((size, size, len(SWINGS)), dtype=np.int64)
        self._sums = np.zeros((3, size, size))  # boards, IMPs, squares
        self._home = np.zeros((size, size), dtype=int)
        self._matches = 0
        self.stays = np.ones(size, dtype=bool)
        self._turns = Turns()
        self._latest: list[tuple[int, int]] = []  # the pairs of all matches, by their versions
        self.size = 0
        self.standing = proved(np.zeros((0, 0)))
        self.arrive(first or size)

    def arrive(self, size: int) -> None:
        """Let the first `size` versions be in the ladder."""
        self.size = size
        self.standing = proved(self._evidence[:size, :size], self.standing.ahead)

    @property
    def totals(self) -> Totals:
        """The sums of the versions in the ladder."""
        return Totals(*self._sums[:, : self.size, : self.size])

    def play(self, pairs: Pairs, boards: int = MATCH) -> None:
        """Play a match of each pair, and look at the ranks.

        No pair is in `pairs` twice. So the looks after the matches find what one look finds.
        """
        one, other = np.array(pairs).T
        drawn = self.rng.multinomial(boards, self._chances[one, other])
        both = np.concatenate([one, other]), np.concatenate([other, one])
        swings = np.concatenate([drawn, drawn[:, ::-1]])
        self.counts[both] += swings
        for sums, values in zip(self._sums, _OF_SWINGS, strict=True):
            sums[both] += swings @ values
        self._bets[both] += swings @ self._growth
        self._evidence[both] = mixed(self._bets[both])
        self.played += boards * len(pairs)
        enough = self._evidence[both] >= self.standing.needs[both]
        if (enough & ~self.standing.ahead[both]).any():
            self.standing = proved(self._evidence[: self.size, : self.size], self.standing.ahead)

    def look_through_opponents(self) -> None:
        """Look at what is proved of versions that have not met."""
        self.standing = through_common_opponents(
            self.standing,
            self.totals.boards > 0,
            curves(self.counts[: self.size, : min(self.size, OPPONENTS)]),
        )

    def pairs(self, there: Orders, seconds: Floats, tests: Sequence[LadderTest] = ()) -> Pairs:
        """Return the matches that begin together, at a table for half of the versions."""
        pairing = Pairing(self.totals, self.standing, self.stays[: self.size])
        free = there.astype(int)
        playing = np.zeros((self.size, self.size), dtype=bool)
        pairs: list[tuple[int, int]] = []
        for _ in range(max(1, self.size // 4)):
            able: Sequence[int] = (np.flatnonzero(free) + 1).tolist()
            test = self._turns.turn(tests, able, [], self._latest[1 - SHARE :], 0)
            able = able if test is None else test.leaves(able)
            meeting = pairing.next_match(
                free=np.isin(np.arange(self.size) + 1, able).astype(int),
                authors=np.arange(self.size),
                playing=playing,
                seconds=seconds[: self.size, : self.size],
                home=self._home[: self.size, : self.size],
                key=b"",
                number=self._matches,
            )
            if meeting is None:
                break
            pair = meeting.teams
            self._matches += 1
            self._home[pair] += 1
            free[list(pair)] -= 1
            pairs.append(pair)
            self._latest.append((min(pair) + 1, max(pair) + 1))
        return pairs


def proof(number: int, boards: int) -> dict[str, Any]:
    """Simulate a ladder with arrivals and absences, and tell what was claimed of it.

    In half of the ladders the versions after the first ones play by day or by night, and never meet
    those of the other shift.
    """
    rng = np.random.default_rng([48, number])
    size = int(rng.integers(12, 41))
    kind = list(Kind)[number // 2 % 4]
    strengths = strengths_of(kind, size, rng)
    flat = FLAT[number // 8 % 2]
    tables = rng.exponential(1, size) + 0.2
    seconds = tables[:, None] + tables
    # A third of the versions come in the first half of the time.
    first = size - size // 3
    arrivals = np.sort(rng.uniform(0, boards / 2, size // 3))
    shifts = np.arange(size) % (1 + number % 2)
    ladder = Ladder(strengths, flat, rng, first)
    truth = ladder.truth
    look = 1000.0
    bound = NormalDist().inv_cdf(1 - ALPHA / (size * (size - 1)))
    wrong = fixed_wrong = False
    shares: list[float | None] = []
    looks = [boards // 10, boards // 3, boards]
    while ladder.played < boards:
        here = first + int((arrivals <= ladder.played).sum())
        if here > ladder.size:
            ladder.arrive(here)
        there = rng.random(here) < PRESENT
        there[ALWAYS:] &= shifts[ALWAYS:here] == rng.integers(shifts.max() + 1)
        pairs = ladder.pairs(there, seconds)
        if not pairs:
            continue
        before = ladder.standing
        ladder.play(pairs)
        if ladder.played >= look:
            ladder.look_through_opponents()
            look = GROWN * ladder.played
        if ladder.standing is not before:
            wrong |= bool((ladder.standing.ahead & ~truth[:here, :here]).any())
        one, other = np.array(pairs).T
        claims = scores(ladder.totals)[one, other]
        claims[ladder.totals.boards[one, other] < 4 * MATCH] = 0
        fixed_wrong |= bool((claims >= bound)[~truth[one, other]].any())
        fixed_wrong |= bool((claims <= -bound)[~truth[other, one]].any())
        if ladder.played >= looks[len(shares)]:
            shares.append(share(ladder.standing.ahead, truth))
    return {
        "kind": kind,
        "size": size,
        "wrong": wrong,
        "fixed_wrong": fixed_wrong,
        "shares": shares,
        "round_robin": share(round_robin(strengths, flat, boards, rng), truth),
    }


def trial(number: int, sprt: Sprt, mean: float) -> dict[str, Any]:
    """Simulate a test on a ladder of twelve versions, and tell its verdict and what it took.

    Args:
        number: The number of the ladder.
        sprt: The test.
        mean: What the new version gains against the other, in IMPs a board.
    """
    rng = np.random.default_rng([50, number])
    size = 12
    strengths = strengths_of(Kind.SPREAD, size, rng)
    strengths[-1] = strengths[-2] + mean
    ladder = Ladder(strengths, FLAT[number % 2], rng)
    nothing = (0,) * len(SWINGS)
    test = LadderTest(1, size, size - 1, sprt, 0, "", nothing, Outcome.OPEN, None)
    while test.outcome is Outcome.OPEN:
        before = ladder.counts[-1, -2].copy()
        ladder.play(ladder.pairs(rng.random(size) < PRESENT, np.ones((size, size)), [test]))
        played = ladder.counts[-1, -2] - before
        if played.any():
            test = test.with_match(PairSums(tuple(played.tolist())))
    return {"verdict": test.outcome, "boards": sum(test.swings), "played": ladder.played}


def share(ahead: Orders, truth: Orders) -> float | None:
    """Return the share of the true orders that are known; None if all are equal."""
    size = len(ahead)
    return float(ahead[truth[:size, :size]].sum() / truth.sum()) if truth.any() else None


def scores(totals: Totals) -> Floats:
    """Return the mean swings divided by their standard errors, of shape (n, n)."""
    boards = np.maximum(2, totals.boards)
    spread = (totals.squares - totals.imps**2 / boards) * boards / (boards - 1)
    return np.asarray(totals.imps / np.sqrt(np.maximum(1, spread)))


def round_robin(strengths: Floats, flat: float, boards: int, rng: np.random.Generator) -> Orders:
    """Return what a test of fixed size says after a round robin of as many boards.

    All versions are there from the first board, and nobody looks before the last. All orders are
    true together but for a chance of `ALPHA` (Holm).
    """
    ladder = Ladder(strengths, flat, rng)
    pairs = list(combinations(range(len(strengths)), 2))
    ladder.play(pairs, boards // len(pairs))
    one, other = np.array(pairs).T
    z = scores(ladder.totals)[one, other]
    claimed = np.array(holm([erfc(abs(score) / sqrt(2)) for score in z])) < ALPHA
    wealth = np.full(ladder.truth.shape, -np.inf)
    wealth[one[claimed & (z > 0)], other[claimed & (z > 0)]] = np.inf
    wealth[other[claimed & (z < 0)], one[claimed & (z < 0)]] = np.inf
    return proved(wealth).ahead


class Way(StrEnum):
    """How the boards are distributed."""

    LADDER = "the ladder's pairing"
    RATING = "by rating alone"
    ROUND_ROBIN = "round robin"


FIELDS: dict[str, Callable[[np.random.Generator], Floats]] = {
    "16, all 0.5 IMPs apart": lambda _: APART * np.arange(16.0),
    "16, 0.5 to 2 IMPs apart": lambda rng: np.cumsum(rng.uniform(0.5, 2, 16)),
    "16, every second equal to the one before, 0.5 to 2 IMPs apart": lambda rng: np.repeat(
        np.cumsum(rng.uniform(0.5, 2, 8)), 2
    ),
    "16, normal with a deviation of 3 IMPs": lambda rng: rng.normal(0, 3, 16),
}


def boards_needed(field: str, way: Way, number: int, most: int = MOST) -> int:
    """Return the boards until all neighbours that are far enough apart are told apart."""
    rng = np.random.default_rng([49, number])
    strengths = np.asarray(rng.permutation(FIELDS[field](rng)))
    ladder = Ladder(strengths, FLAT[0], rng)
    order = np.argsort(-strengths, kind="stable")
    neighbours = [
        (better, worse)
        for better, worse in pairwise(order)
        if strengths[better] - strengths[worse] >= APART
    ]
    better, worse = np.array(neighbours).T
    size = len(strengths)
    everybody = list(combinations(range(size), 2))
    while not ladder.standing.ahead[better, worse].all() and ladder.played < most:
        if way == Way.ROUND_ROBIN:
            ladder.play(everybody)
        elif way == Way.RATING:
            ladder.play(similar(ladder))
        else:
            ladder.play(ladder.pairs(np.ones(size, dtype=bool), np.ones((size, size))))
    return ladder.played


def similar(ladder: Ladder) -> Pairs:
    """Return matches of who has the fewest boards, against one of the four nearest by rating."""
    boards = ladder.totals.boards
    matrix = np.diag(boards.sum(axis=1) + 1) - boards
    ratings = np.linalg.solve(matrix, ladder.totals.imps.sum(axis=1))
    left = list(np.lexsort((ladder.rng.random(ladder.size), boards.sum(axis=1))))
    pairs = []
    for _ in range(ladder.size // 4):
        one = left.pop(0)
        nearest = sorted(left, key=lambda other: abs(ratings[other] - ratings[one]))[:4]
        other = nearest[int(ladder.rng.integers(len(nearest)))]
        left.remove(other)
        pairs.append((int(one), int(other)))
    return pairs


def proof_table(results: Sequence[dict[str, Any]], boards: int) -> str:
    rows = []
    for kind in [*Kind, None]:
        some = [result for result in results if kind in (None, result["kind"])]
        if not some:
            continue
        rows.append(
            [
                "all" if kind is None else kind,
                str(len(some)),
                *(str(sum(result[name] for result in some)) for name in ("wrong", "fixed_wrong")),
                *(_share([result["shares"][look] for result in some]) for look in range(3)),
                _share([result["round_robin"] for result in some]),
            ]
        )
    known = [f"known after {part:,} boards" for part in (boards // 10, boards // 3, boards)]
    return table(
        [
            "strengths",
            "ladders",
            "ever wrong",
            "ever wrong by fixed tests",
            *known,
            f"round robin, one test after {boards:,}",
        ],
        rows,
    )


def _share(shares: Sequence[float | None]) -> str:
    known = [value for value in shares if value is not None]
    return f"{100 * np.mean(known):.0f} %" if known else ""


def tests_table(results: dict[float, list[dict[str, Any]]]) -> str:
    rows = []
    for mean, some in results.items():
        accepted = [result["verdict"] == Outcome.H1 for result in some]
        boards = np.array([result["boards"] for result in some], np.float64)
        parts = boards / [result["played"] for result in some]
        rows.append(
            [
                f"{mean:g}",
                str(len(some)),
                f"{figure(100 * np.array(accepted, np.float64), 1)} %",
                figure(boards, 0),
                f"{np.percentile(boards, 95):,.0f}",
                f"{100 * parts.mean():.0f} %",
            ]
        )
    heads = ["true mean", "tests", "H1 accepted", "boards", "95 % end by"]
    return table([*heads, "of the ladder's boards"], rows)


def pairing_table(results: dict[str, dict[Way, list[int]]]) -> str:
    rows = []
    for field, ways in results.items():
        boards = {way: np.array(numbers, np.float64) / 1000 for way, numbers in ways.items()}
        own = boards[Way.LADDER].mean()
        rows.append(
            [
                field,
                *(figure(boards[way], 0) for way in Way),
                *(f"{own / boards[way].mean():.2f}" for way in (Way.RATING, Way.ROUND_ROBIN)),
            ]
        )
    heads = [f"{way}, 1,000 boards" for way in Way]
    ratios = [f"of the boards {Way.RATING}", f"of those in a {Way.ROUND_ROBIN}"]
    return table(["versions", *heads, *ratios], rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="Simulate ladders.")
    parser.add_argument("part", choices=["proof", "pairing", "tests", "scale", "pages", "play"])
    numbers = "2000 for proof, 20 for pairing, 1000 for tests"
    parser.add_argument("--ladders", type=int, help=f"how many ({numbers})")
    parser.add_argument(
        "--boards", type=int, default=100_000, help="the boards of a proof's ladder"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/ladder"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if (part := {"scale": scale, "pages": pages, "play": play}.get(options.part)) is not None:
        print(part(options.out))
        return 0
    file = options.out / f"{options.part}.jsonl"
    try:
        with Checkpoint(file, {"boards": str(options.boards)}) as kept:
            if options.part == "proof":
                _prove(kept, options.ladders or 2000, options.boards)
            elif options.part == "tests":
                _test(kept, options.ladders or 1000)
            else:
                _compare(kept, options.ladders or 20)
    except KeyboardInterrupt:
        return interrupted()
    return 0


def _prove(kept: Checkpoint, ladders: int, boards: int) -> None:
    results = []
    for number in range(ladders):
        if (result := kept.get(str(number))) is None:
            result = proof(number, boards)
            kept.save(str(number), **result)
            progress(f"{number + 1} of {ladders} ladders")
        results.append(result)
    print(proof_table(results, boards))


def _test(kept: Checkpoint, ladders: int) -> None:
    results: dict[float, list[dict[str, Any]]] = {}
    for mean in MEANS:
        results[mean] = []
        for number in range(ladders):
            unit = f"{mean}/{number}"
            if (result := kept.get(unit)) is None:
                result = trial(number, Sprt(), mean)
                kept.save(unit, **result)
                progress(f"{unit}: {result['verdict']} after {result['boards']} boards")
            results[mean].append(result)
    print(tests_table(results))


def _compare(kept: Checkpoint, ladders: int) -> None:
    results: dict[str, dict[Way, list[int]]] = {}
    for field in FIELDS:
        ways: dict[Way, list[int]] = {way: [] for way in Way}
        for way, numbers in ways.items():
            for number in range(ladders):
                unit = f"{field}/{way}/{number}"
                if (result := kept.get(unit)) is None:
                    result = {"boards": boards_needed(field, way, number)}
                    kept.save(unit, **result)
                    progress(f"{unit}: {result['boards']} boards")
                numbers.append(int(result["boards"]))
        results[field] = ways
    print(pairing_table(results))


if __name__ == "__main__":
    sys.exit(main())
