"""Format the tables of `research.papers.yeh` as markdown, with the paper's figures and ours.

A cost is in IMPs for a pair of hands. `est.` is that of the test pairs, by the estimate of tricks:
the mean over the seeds' networks ± their standard deviation, as in the paper. `true` is that of
solved pairs: the mean over the seeds ± the standard error over the pairs.

Differences are paired: each pair's cost is the mean over the seeds. To the variance of the mean
difference is added that of the seeds, from the standard deviation over seeds pooled over all
settings with several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from bridge_arena.reports.common.wording import p_text
from bridge_arena.tournaments.statistics.significance import two_sided_p
from research.papers.yeh_openings import SYSTEMS
from research.papers.yeh_training import Setting

CALLS = (2, 3, 4, 5)

EXPLORATIONS: dict[tuple[str, float], str] = {
    ("greedy", 0.001): "2.9628 ± .0257, 2.7748 ± .0328, 2.7648 ± .0290, 2.7650 ± .0031",
    ("greedy", 0.005): "2.9582 ± .0036, 2.8201 ± .0282, 2.7773 ± .0419, 2.7510 ± .0457",
    ("greedy", 0.01): "2.9857 ± .0227, 2.8080 ± .0113, 2.7696 ± .0179, 2.7716 ± .0305",
    ("greedy", 0.05): "3.0125 ± .0689, 2.8331 ± .0413, 2.8408 ± .0367, 2.8328 ± .0079",
    ("greedy", 0.1): "3.0575 ± .0092, 2.8758 ± .0240, 2.8679 ± .0228, 3.0035 ± .1720",
    ("greedy", 0.0): "2.9600 ± .0372, 2.7914 ± .0080, 2.7559 ± .0616, 2.7949 ± .0358",
    ("ucb", 0.05): "2.9329 ± .0069, 2.7776 ± .0128, 2.7451 ± .0055, 2.7695 ± .0143",
    ("ucb", 0.1): "2.9391 ± .0279, 2.7289 ± .0595, 2.6984 ± .0207, 2.7397 ± .0187",
    ("ucb", 0.2): "2.9542 ± .0052, 2.8042 ± .0358, 2.7183 ± .0171, 2.7465 ± .0221",
}
"""Table I by how it explores: the paper's costs with 2, 3, 4 and 5 bids."""

BELLMAN = (2.9308, 2.8585, 2.8795, 2.9225)
PENETRATIVE = (2.9329, 2.7289, 2.6984, 2.7397)
"""Table II."""

PARTS = (
    "2.8013 ± .0368, 2.9150 ± .0049, 2.9329 ± .0069",
    "2.6725 ± .0392, 2.7363 ± .0465, 2.7289 ± .0595",
    "2.5992 ± .0474, 2.6700 ± .0245, 2.6984 ± .0207",
    "2.6442 ± .0261, 2.7150 ± .0123, 2.7397 ± .0187",
)
"""Table III: training, validation and test pairs with 2 to 5 bids."""

COUPLED = {
    (4, 0.1): (2.7495, 2.7074, 2.7474),
    (4, 1.0): (2.7839, 2.7425, 2.7776),
    (5, 0.1): (2.7432, 2.7192, 2.7425),
    (5, 1.0): (2.7850, 2.7433, 2.7925),
}
"""Table V, the systems in their order."""

FEATURES = {
    4: {"": 2.6984, "lowest": 2.7225, "median": 2.6910, "highest": 2.6850},
    5: {"": 2.7397, "lowest": 2.7450, "median": 2.7175, "highest": 2.6950},
}
"""Table VII."""


@dataclass(frozen=True)
class Run:
    """The result of one training.

    `training` and `validation` are mean costs in IMPs; `test` and `true` have the cost of each test
    pair, and of each solved pair.
    """

    seed: int
    epochs: int
    seconds: float
    training: float
    validation: float
    test: NDArray[np.float32]
    true: NDArray[np.float32]


def chosen(calls: int) -> Setting:
    """Return the setting that the paper continues with (section IV-A).

    Its table II says α = 0.1 for two bids too, but has the cost of 0.05.
    """
    return Setting(calls, amount=0.05 if calls == 2 else 0.1)


def grid(table: str) -> list[Setting]:
    """Return the settings of a table: I, II, III, V or VII."""
    if table == "I":
        return [
            Setting(calls, explore, amount)
            for explore, amount in sorted(EXPLORATIONS, key=lambda each: each != ("ucb", 0.1))
            for calls in CALLS
        ]
    if table == "II":
        return [
            replace(chosen(calls), penetrative=penetrative)
            for penetrative in (True, False)
            for calls in CALLS
        ]
    if table == "III":
        return [chosen(calls) for calls in CALLS]
    if table == "V":
        return [
            Setting(calls, opening=system, human=human)
            for calls, human in COUPLED
            for system in SYSTEMS
        ]
    return [
        Setting(calls, features=level) for calls, levels in FEATURES.items() for level in levels
    ]


@dataclass
class Results:
    """All runs so far, by setting."""

    runs: dict[Setting, list[Run]] = field(default_factory=dict)

    def cell(self, setting: Setting) -> str:
        """Return the mean of test pairs ± s.d. over seeds, and that of solved pairs ± s.e."""
        runs = self.runs.get(setting)
        if not runs:
            return "- | -"
        means = [float(run.test.mean()) for run in runs]
        spread = f" ± {stdev(means):.4f}" if len(means) > 1 else ""
        return f"{fmean(means):.4f}{spread} | {_true(runs)}"

    @cached_property
    def pooled(self) -> tuple[float, int] | None:
        """The standard deviation over seeds, and its degrees of freedom.

        None stands for no setting with several seeds.
        """
        squares, degrees = 0.0, 0
        for runs in self.runs.values():
            if len(runs) > 1:
                means = [float(run.test.mean()) for run in runs]
                squares += (len(means) - 1) * stdev(means) ** 2
                degrees += len(means) - 1
        return (sqrt(squares / degrees), degrees) if degrees else None

    def difference(self, first: Setting, second: Setting) -> str:
        """Return the extra cost of the first, estimated and on solved pairs, with p-values."""
        ones, others = self.runs.get(first), self.runs.get(second)
        if not ones or not others:
            return "- | - | - | -"
        cells: list[str] = []
        for what in ("test", "true"):
            off = _mean_of(ones, what) - _mean_of(others, what)
            if len(off) < 2:
                cells += ["-", "-"]
                continue
            variance, degrees = float(off.var(ddof=1)) / len(off), len(off) - 1
            if self.pooled is not None:
                spread, degrees = self.pooled
                variance += spread**2 * (1 / len(ones) + 1 / len(others))
            error = sqrt(variance)
            p = p_text(two_sided_p(float(off.mean()) / error, degrees)) if error else "-"
            cells += [f"{off.mean():+.4f} ± {error:.4f}", p]
        return " | ".join(cells)


def _mean_of(runs: Sequence[Run], what: str) -> NDArray[np.float64]:
    """Return each pair's mean cost over the seeds."""
    means: NDArray[np.float64] = np.mean([getattr(run, what) for run in runs], axis=0, dtype=float)
    return means


def _true(runs: Sequence[Run]) -> str:
    costs = _mean_of(runs, "true")
    if len(costs) < 2:
        return "-"
    return f"{costs.mean():.3f} ± {costs.std(ddof=1) / sqrt(len(costs)):.3f}"


def _head(words: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(words)} |", "| --- " * len(words) + "|"]


def table_i(results: Results) -> str:
    words = ["exploration"]
    for calls in CALLS:
        words += [f"{calls} bids: paper", "est.", "true"]
    lines = _head(words)
    for (explore, amount), paper in EXPLORATIONS.items():
        name = f"UCB1, α = {amount:g}" if explore == "ucb" else f"ε-greedy, ε = {amount:g}"
        cells = [
            f"{theirs} | {results.cell(Setting(calls, explore, amount))}"
            for calls, theirs in zip(CALLS, paper.split(", "), strict=True)
        ]
        lines.append(f"| {name if amount else 'none'} | {' | '.join(cells)} |")
    return "\n".join(lines)


def table_ii(results: Results) -> str:
    lines = _head(["bids", "Bellman: paper", "est.", "true", "penetrative: paper", "est.", "true"])
    for calls, bellman, penetrative in zip(CALLS, BELLMAN, PENETRATIVE, strict=True):
        one = results.cell(replace(chosen(calls), penetrative=False))
        two = results.cell(chosen(calls))
        lines.append(f"| {calls} | {bellman} | {one} | {penetrative} | {two} |")
    return "\n".join(lines)


def table_iii(results: Results) -> str:
    lines = _head(
        [
            *("bids", "training: paper", "est.", "validation: paper", "est."),
            *("test: paper", "est.", "true", "epochs", "CPU minutes"),
        ]
    )
    for calls, paper in zip(CALLS, PARTS, strict=True):
        runs = results.runs.get(chosen(calls), [])
        training, validation, test = paper.split(", ")
        cells = [
            training,
            _plain([run.training for run in runs]),
            validation,
            _plain([run.validation for run in runs]),
            test,
            results.cell(chosen(calls)),
            f"{fmean(run.epochs for run in runs):.0f}" if runs else "-",
            f"{fmean(run.seconds for run in runs) / 60:.1f}" if runs else "-",
        ]
        lines.append(f"| {calls} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _plain(values: Sequence[float]) -> str:
    if not values:
        return "-"
    spread = f" ± {stdev(values):.4f}" if len(values) > 1 else ""
    return f"{fmean(values):.4f}{spread}"


def table_v(results: Results) -> str:
    words = ["bids", "ε-human"]
    for system in SYSTEMS:
        words += [f"{system}: paper", "est.", "true"]
    lines = _head(words)
    for (calls, human), paper in COUPLED.items():
        cells = [
            f"{theirs} | {results.cell(Setting(calls, opening=system, human=human))}"
            for system, theirs in zip(SYSTEMS, paper, strict=True)
        ]
        lines.append(f"| {calls} | {human:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def table_vii(results: Results) -> str:
    lines = _head(["bids", "features", "paper", "est.", "true"])
    for calls, levels in FEATURES.items():
        for level, paper in levels.items():
            cell = results.cell(Setting(calls, features=level))
            lines.append(f"| {calls} | {level or 'none'} | {paper:.4f} | {cell} |")
    return "\n".join(lines)


def differences(results: Results) -> str:
    """Test the differences that the paper claims, and return the table."""
    lines = _head(["costs more", "than", "est.", "p", "true", "p"])
    pairs = [(Setting(calls, "greedy", 0.0), chosen(calls)) for calls in CALLS]
    pairs += [(Setting(calls, "greedy", 0.1), chosen(calls)) for calls in CALLS]
    pairs += [(replace(chosen(calls), penetrative=False), chosen(calls)) for calls in CALLS]
    pairs += [(chosen(calls), Setting(4)) for calls in (2, 3, 5)]
    pairs += [(setting, Setting(setting.calls)) for setting in grid("V")]
    pairs += [
        (Setting(calls), Setting(calls, features=level))
        for calls, levels in FEATURES.items()
        for level in levels
        if level
    ]
    lines += [
        f"| {one.name} | {other.name} | {results.difference(one, other)} |"
        for one, other in pairs
        if one in results.runs and other in results.runs
    ]
    if results.pooled is None:
        lines += ["", "One seed each: what seeds differ is not in these errors."]
    else:
        spread, degrees = results.pooled
        lines += ["", f"Seeds spread by {spread:.4f} IMPs ({degrees} degrees of freedom)."]
    return "\n".join(lines)
