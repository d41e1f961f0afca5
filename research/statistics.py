"""Measure by simulation whether the statistics are valid.

    python -m research.statistics [--seed 1] [--only PART ...]

The parts are `ratings` (the coverage of 95 % intervals), `pairs` (the same for differences of a
pair with few boards in a larger event), `sequential` (error rates and boards of the sequential
test) and `control` (bias, coverage and gain of the control variate, which `research.controls`
measures in real matches). They take about 8 minutes, of which `pairs` takes 3.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import table
from bridge_arena.tournaments.events.deal_control import OTHERS
from bridge_arena.tournaments.statistics.control_variate import control
from bridge_arena.tournaments.statistics.power import mean_boards
from bridge_arena.tournaments.statistics.ratings import SHARE, Observation, rate
from bridge_arena.tournaments.statistics.sequential import LARGEST, Progress, Sprt, Verdict
from bridge_arena.tournaments.statistics.significance import two_sided_t

SIZES = (28, 26, 29, 17, 39, 33, 15, 8, 8, 19, 20, 6, 8)
"""How often a board swung by 1, 2, 3 ... 13 IMPs in 400 of `natural` against `baseline`."""

FIELDS = 500
PAIRS = 1000
REGULARS = 4
DEALS = 32
MATCHES = 1000
ESTIMATES = 5000

Floats = NDArray[np.float64]


class Way(StrEnum):
    """The way in which the pair with few boards is linked to the others of the event."""

    EACH_OTHER = "each other"
    SAME = "one regular, same deals"
    OTHERS = "two regulars, other deals"


def swings(flat: float, mean: float = 0.0) -> Floats:
    """Return the probabilities of -24 to 24 IMPs.

    They are those of `flat` boards and the sizes above, tilted exponentially to the given mean.
    """
    sizes = np.zeros(LARGEST)
    sizes[: len(SIZES)] = SIZES
    sizes *= (1 - flat) / 2 / sizes.sum()
    base = np.concatenate([sizes[::-1], [flat], sizes])
    values = np.arange(-LARGEST, LARGEST + 1)
    low, high = -1.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        tilted = base * np.exp(middle * values)
        tilted /= tilted.sum()
        low, high = (middle, high) if tilted @ values < mean else (low, middle)
    return np.asarray(tilted)


def draw(chances: Floats, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int_]:
    return rng.choice(np.arange(-LARGEST, LARGEST + 1), shape, p=chances)


def margins(strengths: Floats, deals: int, rng: np.random.Generator) -> NDArray[np.int_]:
    """Return the IMPs of every entry against every other on every deal, [entry, entry, deal].

    On most deals an entry does as all others do. On some it gains or loses the same amount in all
    its matches; and a part as large is that of the single match. Stronger and weaker entries gain
    or lose more often.
    """
    size = len(strengths)
    own = np.array([draw(swings(0.8, strength), (deals,), rng) for strength in strengths])
    match = draw(swings(0.8), (size, size, deals), rng)
    margin = own[:, None, :] - own[None, :, :] + match
    return np.asarray(np.clip(margin, -LARGEST, LARGEST))


def observations(margin: NDArray[np.int_], *, shared: bool) -> Iterator[Observation]:
    """Yield the observations of a round robin; unless `shared`, every match has its own deals."""
    size, _, deals = margin.shape
    for number, (one, other) in enumerate(combinations(range(size), 2)):
        for deal in range(deals):
            cluster = deal if shared else (number, deal)
            yield Observation(str(one), str(other), cluster, int(margin[one, other, deal]))


def ratings(rng: np.random.Generator) -> str:
    rows = []
    for size, deals, spread, shared in (
        *((4, deals, spread, True) for deals in (8, 16, 64) for spread in (0.0, 3.0)),
        *((8, deals, spread, True) for deals in (8, 16, 64) for spread in (0.0, 3.0)),
        (4, 8, 3.0, False),
        (6, 16, 3.0, False),
    ):
        strengths = np.linspace(-spread, spread, size)
        truth = _truth(strengths, rng)
        covered, widths, differences = [], [], []
        flat = 0.0
        for _ in range(FIELDS):
            if shared:
                margin = margins(strengths, deals, rng)
            else:
                # Different deals for each match: as many deals as boards, each used once.
                margin = _fresh(strengths, deals, rng)
            flat += float((margin[np.triu_indices(size, 1)] == 0).mean()) / FIELDS
            [field] = rate(observations(margin, shared=shared))
            for rating in field.ratings:
                interval = rating.estimate.interval
                assert interval is not None
                covered.append(interval[0] <= truth[int(rating.entry)] <= interval[1])
                widths.append((interval[1] - interval[0]) / 2)
            best = field.difference("0", str(size - 1)).interval
            assert best is not None
            differences.append(best[0] <= truth[0] - truth[-1] <= best[1])
        rows.append(
            [
                str(size),
                str(deals),
                "same" if shared else "own",
                f"{truth[-1] - truth[0]:.1f}",
                f"{100 * flat:.0f} %",
                f"{100 * np.mean(covered):.1f} %",
                f"{100 * np.mean(differences):.1f} %",
                f"{np.mean(widths):.2f}",
            ]
        )
    heads = ["entries", "boards", "deals", "best - worst", "flat", "ratings covered"]
    return table([*heads, "differences covered", "half width"], rows)


def _truth(strengths: Floats, rng: np.random.Generator) -> Floats:
    """Return the ratings that a very long round robin would give."""
    margin = margins(strengths, 100_000, rng).mean(axis=2)
    upper = np.triu(margin, 1)
    return np.asarray((upper.sum(axis=1) - upper.sum(axis=0)) / len(strengths))


def _fresh(strengths: Floats, deals: int, rng: np.random.Generator) -> NDArray[np.int_]:
    size = len(strengths)
    margin = np.zeros((size, size, deals), dtype=int)
    for one, other in combinations(range(size), 2):
        margin[one, other] = margins(strengths, deals, rng)[one, other]
    return margin


def pairs(rng: np.random.Generator) -> str:
    """Return the table for two entries that few boards link to an event of `REGULARS` others."""
    rows = []
    for way in Way:
        for boards in (4, 5, 6, 8, 12, 16):
            for lead in (0.0, 3.0):
                strengths = np.array([lead, 0.0, *np.linspace(-2, 2, REGULARS)])
                truth = _difference(strengths, rng)
                told, covered, apart = [], [], []
                for _ in range(PAIRS):
                    [field] = rate(_event_of_a_pair(strengths, boards, way, rng))
                    found = field.difference("0", "1")
                    assert found.standard_error is not None
                    assert found.degrees is not None
                    reach = two_sided_t(SHARE, found.degrees) * found.standard_error
                    told.append(found.interval is not None)
                    covered.append(abs(found.value - truth) <= reach)
                    apart.append(found.p_value is not None and found.p_value < 0.05)
                shares = (f"{100 * np.mean(each):.1f} %" for each in (covered, told, apart))
                rows.append([way, str(boards), f"{abs(truth):.1f}", *shares])
    return table(["the pair met", "boards", "difference", "covered", "told", "p < 0.05"], rows)


def _event_of_a_pair(
    strengths: Floats, boards: int, way: Way, rng: np.random.Generator
) -> Iterator[Observation]:
    """Yield the regulars' round robin over `DEALS` deals, and the pair's few boards."""
    margin = margins(strengths, DEALS, rng)
    regulars = range(2, len(strengths))
    few, many = range(boards), range(DEALS)
    if way == Way.EACH_OTHER:
        matches = [(0, 1, few), *((1, other, many) for other in regulars)]
    elif way == Way.SAME:
        matches = [(0, 2, few), (1, 2, few)]
    else:
        matches = [(0, 2, few), (1, 3, range(boards, 2 * boards))]
    matches += [(one, other, many) for one, other in combinations(regulars, 2)]
    for one, other, deals in matches:
        for deal in deals:
            yield Observation(str(one), str(other), deal, int(margin[one, other, deal]))


def _difference(strengths: Floats, rng: np.random.Generator) -> float:
    """Return how much better the first of the pair is, over very many boards."""
    return float(margins(strengths[:2], 100_000, rng)[0, 1].mean())


def sequential(rng: np.random.Generator) -> str:
    rows = []
    for sprt, flat in ((Sprt(0, 0.5), 0.5), (Sprt(0, 1), 0.7), (Sprt(0, 2), 0.4)):
        for mean in (-sprt.imp1, 0.0, sprt.imp1 / 2, sprt.imp1, 2 * sprt.imp1):
            chances = swings(flat, mean)
            values = np.arange(-LARGEST, LARGEST + 1)
            deviation = float(np.sqrt(chances @ values**2 - mean**2))
            accepted, boards = 0, []
            for _ in range(MATCHES):
                progress = Progress(sprt)
                while progress.verdict == Verdict.GO_ON:
                    for swing in draw(chances, (100,), rng).tolist():
                        if progress.add(swing) != Verdict.GO_ON:
                            break
                accepted += progress.verdict == Verdict.ACCEPT_H1
                boards.append(progress.boards)
            share = accepted / MATCHES
            error = np.sqrt(share * (1 - share) / MATCHES)
            rows.append(
                [
                    f"{sprt.imp0:g} / {sprt.imp1:g}",
                    f"{100 * flat:.0f} %",
                    f"{deviation:.1f}",
                    f"{mean:g}",
                    f"{100 * share:.1f} ± {100 * error:.1f} %",
                    f"{np.mean(boards):,.0f} ± {np.std(boards) / np.sqrt(MATCHES):,.0f}",
                    f"{mean_boards(sprt, mean, deviation):,.0f}",
                    f"{np.percentile(boards, 95):,.0f}",
                ]
            )
    heads = ["H0 / H1", "flat at 0", "s.d.", "true mean", "H1 accepted", "boards", "Wald's"]
    return table([*heads, "95 % end by"], rows)


def controls(rng: np.random.Generator) -> str:
    """Return how well the controlled estimate does with three other deals for each deal."""
    rows = []
    chances = swings(0.5, 1.0)
    for correlation in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        for deals in (16, 32, 64, 200):
            quantile = two_sided_t(0.95, deals - 1)
            found = [_control(chances, correlation, deals, rng) for _ in range(ESTIMATES)]
            plain, controlled, errors, plain_errors, seen = np.array(found).T
            achieved, bias = float(seen.mean()), float(controlled.mean()) - 1.0
            rows.append(
                [
                    f"{achieved:.2f}",
                    str(deals),
                    f"{bias:+.3f} ± {controlled.std() / np.sqrt(ESTIMATES):.3f}",
                    f"{100 * np.mean(abs(controlled - 1) <= quantile * errors):.1f} %",
                    f"{100 * np.mean(abs(plain - 1) <= quantile * plain_errors):.1f} %",
                    f"{plain.var() / controlled.var():.2f}",
                    f"{1 / (1 - achieved**2 * OTHERS / (1 + OTHERS)):.2f}",
                ]
            )
    heads = ["correlation", "deals", "bias, IMPs/board", "95 % covered", "without control"]
    return table([*heads, "gain in boards", "at best"], rows)


def _control(
    chances: Floats, correlation: float, deals: int, rng: np.random.Generator
) -> tuple[float, ...]:
    """Return the plain and the controlled mean of a match, their errors, and the correlation."""
    target, stand_ins = _pair(chances, correlation, deals, rng)
    elsewhere = draw(chances, (OTHERS * deals,), rng)
    same, others = stand_ins[:, None].tolist(), elsewhere[:, None].tolist()
    found = control(target.tolist(), same, others, expected=[1.0])
    plain, controlled = found.raw, found.controlled
    assert plain.mean is not None
    assert plain.standard_error is not None
    assert controlled.mean is not None
    assert controlled.standard_error is not None
    errors = controlled.standard_error, plain.standard_error
    return plain.mean, controlled.mean, *errors, found.correlation


def _pair(
    chances: Floats, correlation: float, deals: int, rng: np.random.Generator
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the swings of two matches on the same deals, each with these probabilities."""
    one, other = rng.normal(size=(2, deals))
    other = correlation * one + np.sqrt(1 - correlation**2) * other
    ends = [NormalDist().inv_cdf(min(1 - 1e-12, max(1e-12, end))) for end in chances.cumsum()]
    return np.searchsorted(ends, one) - LARGEST, np.searchsorted(ends, other) - LARGEST


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    simulated = {"ratings": ratings, "sequential": sequential, "control": controls, "pairs": pairs}
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the simulations; default: %(default)s"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=simulated,
        default=[*simulated],
        help="parts to measure; default: all",
    )
    options = parser.parse_args(arguments)
    for number, (part, simulate) in enumerate(simulated.items()):
        if part in options.only:
            print(f"\n{part}\n")
            print(simulate(np.random.default_rng((options.seed, number))), flush=True)


if __name__ == "__main__":
    main()
