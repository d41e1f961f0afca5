"""Report the benchmark of Prorok's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.qtable.examples import SCALE, Examples
from bridge_arena.recorded.checkpoint import Checkpoint
from research.papers.prorok_learning import Settings
from research.papers.prorok_states import states
from research.papers.prorok_work import Sample

RATES = EXPLORATIONS = (5, 10, 20)
FIRST_VALUES = (0, -200, 200)
SEEDS = (13579, 5799, 8642)
"""His."""

FALLING = (6, 5, 4, 3, 2, 1)
"""Rates of his table 4, where whole numbers break."""

BROKEN = (84.7, 83.4, 79.1, 67.3, 45.7, 35.6)
"""His training level when each of them is reached."""

PAPER = {
    0: ("27.2 ± 8.7", "27.6 ± 0.2", "30.7 ± 9.9", "24.9 ± 1.8", "40.4 ± 6.1", "41.7 ± 3.7",
        "33.8 ± 3.6", "50.1 ± 10.0", "63.6 ± 3.1"),
    -200: ("29.3 ± 5.1", "36.7 ± 13.6", "51.4 ± 6.9", "28.4 ± 5.6", "40.9 ± 6.2", "54.6 ± 3.2",
           "27.2 ± 2.4", "48.3 ± 8.3", "68.7 ± 4.9"),
}  # fmt: skip
"""His tables 2 and 3: rates down, explorations across."""

WHOLE = (0, -200)
"""First values of the cells that have as many examples as his: the best of each table."""

WHOLE_SEEDS = SEEDS[:2]
"""Each run takes some nine minutes of a processor."""

Array = NDArray[np.float64]


def cell_name(settings: Settings, seed: int) -> str:
    """Return the name of the unit of a run of the grid."""
    return f"cell/{settings.west}/{settings.rate}/{settings.exploration}/{seed}"


def whole_name(settings: Settings, seed: int) -> str:
    """Return the name of the unit of a run of the grid with as many examples as his."""
    return f"whole/{cell_name(settings, seed)}"


def report(done: Checkpoint, shipped: Sequence[int], test: Sample, everything: Examples) -> str:
    """Return all tables; every unit is in the checkpoint.

    `shipped` has the contracts of the table that ships.
    """
    lines = [
        *grid(done),
        "",
        *best_cells(done),
        "",
        *course(done),
        "",
        *decays(done),
        "",
        *comparison(done, shipped, test, everything),
        "",
        *speeds(done),
    ]
    return "\n".join(lines)


def facts(done: Checkpoint, unit: str) -> Mapping[str, Any]:
    found = done.get(unit)
    if found is None:
        raise KeyError(unit)
    return found


def grid(done: Checkpoint) -> Iterator[str]:
    """Yield the mean test points of each cell's runs, the s.d. over the seeds, and his."""
    yield "| first value | rate | ε = 0.005 | paper | ε = 0.010 | paper | ε = 0.020 | paper |"
    yield "| --- " * 8 + "|"
    for first in FIRST_VALUES:
        for row, rate in enumerate(RATES):
            cells: list[str] = []
            for column, exploration in enumerate(EXPLORATIONS):
                settings = Settings(rate, exploration, west=first)
                cells.append(cell(done, [cell_name(settings, seed) for seed in SEEDS]))
                cells.append(PAPER[first][3 * row + column] if first in PAPER else "-")
            yield f"| {first} | {rate}/1024 | {' | '.join(cells)} |"


def best_cells(done: Checkpoint) -> Iterator[str]:
    """Yield the same as `grid` for the cells with as many examples as his."""
    yield "| first value | rate | ε | ours | paper |"
    yield "| --- | --- | --- | --- | --- |"
    for first in WHOLE:
        rate, exploration = RATES[-1], EXPLORATIONS[-1]
        settings = Settings(rate, exploration, west=first)
        found = cell(done, [whole_name(settings, seed) for seed in WHOLE_SEEDS])
        yield f"| {first} | {rate}/1024 | {exploration / 1000} | {found} | {PAPER[first][-1]} |"


def cell(done: Checkpoint, units: Sequence[str]) -> str:
    """Return the mean test points of some runs, and the s.d. over them."""
    points = [facts(done, unit)["test"] for unit in units]
    return f"{fmean(points):.1f} ± {stdev(points):.1f}"


def course(done: Checkpoint) -> Iterator[str]:
    """Yield the course of the long run."""
    yield "| examples, millions | training | test |"
    yield "| --- | --- | --- |"
    epochs = facts(done, "long")["course"]
    for epoch in [*epochs[:1], *epochs[4::5]]:
        yield (
            f"| {epoch['examples'] / 1e6:,.0f} | {epoch['training']:.1f} | {epoch['test']:.1f} |"
        )


def decays(done: Checkpoint) -> Iterator[str]:
    """Yield the effect of the falling rate: the last epoch of each rate, and his levels."""
    yield "| rate | whole: training | test | floats: training | test | paper: training |"
    yield "| --- | --- | --- | --- | --- | --- |"
    kinds = [
        {epoch["rate"]: epoch for epoch in facts(done, f"decay/{kind}")["course"]}
        for kind in ("whole", "float")
    ]
    for rate, paper in zip((20, *FALLING), ("", *BROKEN), strict=True):
        pairs = [f"{kind[rate]['training']:.1f} | {kind[rate]['test']:.1f}" for kind in kinds]
        yield f"| {rate}/1024 | {' | '.join(pairs)} | {paper} |"


def comparison(
    done: Checkpoint, shipped: Sequence[int], test: Sample, everything: Examples
) -> Iterator[str]:
    """Yield the results of the bidders on the test deals, and their differences."""
    where = (states(everything.east) >= 0) & (states(everything.west) >= 0)
    rows = {
        "always pass": np.zeros(len(everything), np.int64),
        "`natural`, opponents passing": np.array(facts(done, "natural")["everything"]),
        "faithful, the long run": None,
        "improved, the same examples": np.array(facts(done, "improved")["everything"]),
        "improved, as it ships": np.array(shipped),
        "both hands known, by the estimate": np.array(facts(done, "known")["everything"]),
        "the best contract of each deal": everything.scores.argmax(axis=1),
    }
    faithful = np.array(facts(done, "long")["contracts"])
    by_deal: dict[str, tuple[Array, Array | None]] = {}
    for name, contracts in rows.items():
        if contracts is None:
            by_deal[name] = per_deal(test.examples, faithful), None
        else:
            both = per_deal(test.examples, contracts[where]), per_deal(everything, contracts)
            by_deal[name] = both
    number = len(next(iter(by_deal.values()))[0])
    every = len(np.unique(everything.deal))
    yield f"| bidder | his shapes, {number:,} deals | all hands, {every:,} deals |"
    yield "| --- | --- | --- |"
    for name, (some, all_) in by_deal.items():
        yield f"| {name} | {mean(some)} | {'-' if all_ is None else mean(all_)} |"
    yield ""
    yield "| bidder | less | his shapes | t | all hands | t |"
    yield "| --- | --- | --- | --- | --- | --- |"
    names = list(by_deal)
    for one, other in ((3, 2), (4, 3), (3, 1), (4, 1), (1, 2), (5, 4)):
        (some, all_), (less, less_all) = by_deal[names[one]], by_deal[names[other]]
        cells = [difference(some, less)]
        cells.append("- | -" if all_ is None or less_all is None else difference(all_, less_all))
        yield f"| {names[one]} | {names[other]} | {' | '.join(cells)} |"
    yield ""
    yield "| table | on the examples learned from | on the test deals |"
    yield "| --- | --- | --- |"
    for name, unit in ((names[2], "long"), (names[3], "improved")):
        yield f"| {name} | {facts(done, unit)['learned']:.1f} | {mean(by_deal[name][0])} |"


def per_deal(examples: Examples, contracts: NDArray[np.integer]) -> Array:
    """Return the mean points of the examples of each deal."""
    points = examples.scores[np.arange(len(contracts)), contracts] / SCALE
    _, which = np.unique(examples.deal, return_inverse=True)
    found: Array = np.bincount(which, points) / np.bincount(which)
    return found


def mean(values: Array) -> str:
    return f"{values.mean():.1f} ± {values.std(ddof=1) / len(values) ** 0.5:.1f}"


def difference(one: Array, other: Array) -> str:
    """Return the difference of paired observations as text, with its t."""
    differences = one - other
    error = differences.std(ddof=1) / len(differences) ** 0.5
    return f"{differences.mean():+.1f} ± {error:.1f} | {differences.mean() / error:.1f}"


def speeds(done: Checkpoint) -> Iterator[str]:
    """Yield the table of examples per second."""
    yield "| processes | million examples a CPU-second | by the clock | bare reads | ratio |"
    yield "| --- | --- | --- | --- | --- |"
    found = facts(done, "speed")
    alone: Sequence[Mapping[str, float]] = [found["one"]]
    for speeds_ in (alone, found["two"]):
        learned, clock, reads = (
            sum(speed[name] for speed in speeds_) / 1e6
            for name in ("learned", "by_the_clock", "reads")
        )
        yield (
            f"| {len(speeds_)} | {learned:.1f} | {clock:.1f} | {reads:.1f} | "
            f"{learned / reads:.2f} |"
        )
