"""Report Hadjur's benchmark: tables and plots of the units that are done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import sqrt
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import table
from bridge_arena.base.plots import Plot
from bridge_arena.bots.library.minibridge.game import DEFENCES
from bridge_arena.bots.qplay.learning import QPlaySettings
from bridge_arena.recorded.checkpoint import Checkpoint
from research.page import Curves, Section, curves_plot
from research.papers.hadjur_rules import RULED
from research.papers.hadjur_twelve import Study
from research.papers.hadjur_work import (
    DECLARERS,
    HANDS,
    NETS,
    READINGS,
    RULES,
    SPREADS,
    STUDIES,
    Facts,
    Scale,
    curve_name,
    merged_name,
    study_name,
    table_name,
    wins_of,
)

Wins = NDArray[np.float64]
"""1 for each seed and test deal that was won, else 0."""

BANDS = "Bands in plots are standard errors over seeds; the test deals are the same everywhere."

_NAMES = {"qlearning": "Q-learning", "sarsa": "SARSA"}


def two_way(won: Wins) -> tuple[float, float]:
    """Return the mean and its standard error over seeds (rows) and deals (columns).

    It is clustered both ways. With one seed it is that over the deals.
    """
    seeds, deals = won.shape
    mean = float(won.mean())
    of_deals = float(won.mean(axis=0).var(ddof=1)) / deals
    if seeds == 1:
        return mean, sqrt(of_deals)
    of_seeds = float(won.mean(axis=1).var(ddof=1)) / seeds
    of_cells = float(won.var(ddof=1)) / won.size
    return mean, sqrt(max(of_deals + of_seeds - of_cells, of_deals, of_seeds))


class Results:
    """The units that are done; names have `{seed}` or `{start}` for the part that differs."""

    def __init__(self, checkpoint: Checkpoint, scale: Scale) -> None:
        self.get = checkpoint.get
        self.scale = scale

    def seeds(self, name: str) -> list[Facts]:
        """Return the facts of the seeds that are done."""
        every = [self.get(name.format(seed=seed)) for seed in range(1, self.scale.seeds + 1)]
        return [facts for facts in every if facts is not None]

    def wins(self, found: Iterable[Facts]) -> Wins:
        """Return the wins of seeds (rows) by deal (columns)."""
        return np.array([wins_of(facts, self.scale.deals) for facts in found], np.float64)

    def points(self, name: str) -> list[tuple[int, list[Facts]]]:
        """Return the sizes of a curve, each with the facts of its seeds."""
        every = [facts["points"] for facts in self.seeds(name)]
        return [(at[0]["games"], list(at)) for at in zip(*every, strict=True)]

    def margins(self, name: str) -> NDArray[np.int64] | None:
        """Return the margins on the test deals, as far as chunks are done in a row."""
        found: list[int] = []
        for start in range(0, self.scale.deals, self.scale.chunk):
            facts = self.get(name.format(start=start))
            if facts is None:
                break
            found += facts["margins"]
        return np.array(found) if found else None


def sections(checkpoint: Checkpoint, scale: Scale, units: Sequence[str]) -> list[Section]:
    """Return all sections of the report."""
    results = Results(checkpoint, scale)
    done = sum(checkpoint.get(unit) is not None for unit in units)
    told = f"{done} of {len(units)} units are done; {scale.deals} test deals, {scale.seeds} seeds."
    return [
        Section("Games a CPU-second", told, [_speed(results)]),
        Section("A random declarer, by the defenders", "", [_random(results)]),
        Section("Declarers by a rule or two", "", [_ruled(results)]),
        Section(
            "Contracts made, per cent, by games learned",
            BANDS,
            [_curves(results, _percent_of)],
            _plots(results, "contracts made, per cent", _won_of, _chance(results)),
        ),
        Section(
            "States known, per cent of declarer's cards",
            BANDS,
            [_curves(results, _known_share)],
            _plots(results, "states known, per cent", _known_of, {}),
        ),
        Section("Differences after the last game, points of per cent", "", [_differences(results)]),
        Section("Tables after the last game", "", [_sizes(results)]),
        Section("Longer", "", [_long(results)]),
        Section("Other readings, after the last game", "", [_readings(results)]),
        Section("Deep Q-networks", "", [_nets(results)]),
        Section("Declarers at the table", "", [_declarers(results)]),
        Section("The game of twelve cards: games until, median", "", [_twelve(results)]),
    ]


def _percent(won: Wins, sign: str = "") -> str:
    if not won.size:
        return ""
    mean, error = two_way(won)
    return f"{100 * mean:{sign}.1f} ± {100 * error:.1f}"


def _won_of(results: Results, found: list[Facts]) -> list[float]:
    """Return the win rate of each seed, in per cent."""
    return [100 * float(each) for each in results.wins(found).mean(axis=1)]


def _known_of(_: Results, found: list[Facts]) -> list[float]:
    """Return the share of decisions in known states of each seed, in per cent."""
    return [100 * facts["known"] for facts in found]


def _percent_of(results: Results, found: list[Facts]) -> str:
    return _percent(results.wins(found))


def _known_share(results: Results, found: list[Facts]) -> str:
    return _over_seeds(_known_of(results, found), 1)


def _over_seeds(values: Sequence[float], digits: int, sign: str = "") -> str:
    """Return the mean, with its standard error over the seeds where there are several."""
    mean = f"{np.mean(values):{sign}.{digits}f}"
    if len(values) < 2:
        return mean
    return f"{mean} ± {np.std(values, ddof=1) / sqrt(len(values)):.{digits}f}"


def _speed(results: Results) -> str:
    speed = results.get("speed")
    if speed is None:
        return ""
    heads = ["a random declarer's on test deals", "made to learn from", "learned"]
    return table(heads, [[f"{speed[key]:,.0f}" for key in ("played", "made", "learned")]])


def _random(results: Results) -> str:
    rows = []
    for defence in DEFENCES:
        found = results.seeds(f"random/{defence}/{{seed}}")
        if found:
            above = _over_seeds([100 * facts["above"] for facts in found], 1)
            margin = _over_seeds([facts["margin"] for facts in found], 2, "+")
            rows.append([f"`{defence}`", _percent_of(results, found), above, margin])
    return table(["defenders", "made, %", "overtricks, %", "margin, tricks"], rows)


def _ruled(results: Results) -> str:
    rows = []
    for name in RULED:
        found = results.seeds(f"ruled/{name}/{{seed}}")
        if found:
            margin = _over_seeds([facts["margin"] for facts in found], 2, "+")
            rows.append([name, _percent_of(results, found), margin])
    return table(["rule", "made, %", "margin, tricks"], rows)


def _label(settings: QPlaySettings) -> str:
    of = f"{_NAMES[settings.rule]}, {settings.hands}"
    return of if settings.spread else f"{of}, no spread"


def _names(results: Results) -> dict[str, str]:
    """Return the curves by their titles."""
    found: dict[str, str] = {}
    for rule, hands, spread in product(RULES, HANDS, SPREADS):
        settings = QPlaySettings(rule=rule, hands=hands, spread=spread)
        label = _label(settings)
        found[label] = curve_name(settings, "{seed}")
        found[f"{label}, merged"] = merged_name(settings, "{seed}")
    return {label: name for label, name in found.items() if results.seeds(name)}


def _curves(results: Results, shown: Callable[[Results, list[Facts]], str]) -> str:
    sizes = results.scale.sizes
    rows = []
    for label, name in _names(results).items():
        points = dict(results.points(name))
        rows.append([label, *(shown(results, points[at]) if at in points else "" for at in sizes)])
    return table(["learned", *(f"{size:,}" for size in sizes)], rows)


def _plots(
    results: Results, up: str, of: Callable[[Results, list[Facts]], list[float]], more: Curves
) -> dict[str, Plot]:
    """Return plots of what the tables learned with hands known and unknown, and of `more`."""
    plots: dict[str, Plot] = {}
    for hands in HANDS:
        curves: Curves = {}
        for rule, spread in product(RULES, SPREADS):
            settings = QPlaySettings(rule=rule, hands=hands, spread=spread)
            for games, facts in results.points(curve_name(settings, "{seed}")):
                every = curves.setdefault(_label(settings), {})
                for number, value in enumerate(of(results, facts)):
                    every.setdefault(number, {})[games] = value
        if curves:
            plots[f"Hands {hands}"] = curves_plot(curves | more, "games learned", up)
    return plots


def _chance(results: Results) -> Curves:
    """Return the flat curve of a random declarer."""
    found = results.seeds("random/follow/{seed}")
    if not found:
        return {}
    ends = results.scale.sizes[0], results.scale.sizes[-1]
    of_seeds = enumerate(_won_of(results, found))
    return {"a random declarer": {seed: dict.fromkeys(ends, won) for seed, won in of_seeds}}


def _last(results: Results, name: str) -> Wins:
    points = results.points(name)
    return results.wins(points[-1][1]) if points else np.zeros((0, 0))


def _differences(results: Results) -> str:
    names = _names(results)
    pairs = [(f"Q-learning, {hands}", f"SARSA, {hands}") for hands in HANDS]
    pairs += [(f"{name}, known", f"{name}, unknown") for name in _NAMES.values()]
    for name, hands in product(_NAMES.values(), HANDS):
        label = f"{name}, {hands}"
        pairs += [(label, f"{label}, no spread"), (label, f"{label}, merged")]
        pairs.append((f"{label}, no spread", f"{label}, no spread, merged"))
    rows = []
    for one, other in pairs:
        if one in names and other in names:
            first, second = _last(results, names[one]), _last(results, names[other])
            seeds = min(len(first), len(second))
            rows.append([one, other, _percent(first[:seeds] - second[:seeds], "+")])
    random = results.wins(results.seeds("random/follow/{seed}"))
    for one in ("Q-learning, known", "SARSA, known"):
        if one in names and len(random):
            first = _last(results, names[one])
            seeds = min(len(first), len(random))
            rows.append([one, "a random declarer", _percent(first[:seeds] - random[:seeds], "+")])
    return table(["declarer", "less", "contracts, paired"], rows)


def _sizes(results: Results) -> str:
    rows = []
    for label, name in _names(results).items():
        found = [facts for facts in results.seeds(name) if "states" in facts]
        if found:
            figures = {
                key: np.mean([facts[key] for facts in found])
                for key in ("states", "pairs", "seconds")
            }
            rows.append(
                [
                    label,
                    f"{figures['states']:,.0f}",
                    f"{figures['pairs']:,.0f}",
                    _over_seeds([100 * facts["points"][-1]["decided"] for facts in found], 1),
                    _over_seeds([100 * facts["again"] for facts in found], 1),
                    f"{figures['seconds']:.0f}",
                ]
            )
    luck = [100 * facts["again"] for facts in results.seeds("luck/{seed}")]
    if luck:
        rows.append(["a random declarer", "", "", "", _over_seeds(luck, 1), ""])
    heads = ["learned", "states", "values", "cards decided, %", "made on learned deals, %"]
    return table([*heads, "CPU s"], rows)


def _long(results: Results) -> str:
    rows = []
    for hands in HANDS:
        points = results.points(f"long/{hands}/{{seed}}")
        for size, found in points:
            shown = [f"{size:,}", str(len(found)), _percent_of(results, found)]
            rows.append([f"Q-learning, {hands}", *shown, _known_share(results, found)])
    return table(["learned", "games", "seeds", "made, %", "states known, %"], rows)


def _readings(results: Results) -> str:
    names = _names(results)
    rows = []
    for rule in RULES:
        plain = names.get(f"{_NAMES[rule]}, known")
        if plain is not None:
            rows.append([f"{_NAMES[rule]}, known", "as above", _percent(_last(results, plain)), ""])
        for reading, changes in READINGS.items():
            found = results.seeds(f"reading/{reading}/{rule}/{{seed}}")
            if found:
                defence = changes.get("defence", "follow")
                rows.append(
                    [
                        f"{_NAMES[rule]}, known",
                        reading,
                        _percent_of(results, found),
                        _gain(results, found, defence),
                    ]
                )
    return table(["learned", "reading", "made, %", "over a random declarer"], rows)


def _gain(results: Results, found: list[Facts], defence: str) -> str:
    """Return the contracts made beyond a random declarer's against the same defenders, paired."""
    random = results.wins(results.seeds(f"random/{defence}/{{seed}}"))
    seeds = min(len(found), len(random))
    return _percent(results.wins(found[:seeds]) - random[:seeds], "+") if seeds else ""


def _nets(results: Results) -> str:
    rows = []
    for name, changes in NETS.items():
        found = results.seeds(f"dqn/{name}/{{seed}}")
        if found:
            defence = changes.get("defence", "follow")
            gain = _gain(results, found, defence)
            rows.append([name, str(len(found)), _percent_of(results, found), gain])
    return table(["reading", "seeds", "made, %", "over a random declarer"], rows)


def _declarers(results: Results) -> str:
    rows = []
    for spec in DECLARERS:
        above = results.margins(table_name(spec, "{start}"))
        if above is not None:
            rows.append(_row(f"`{spec}`", above))
    solved = results.margins("solved/{start}")
    if solved is not None:
        rows.append(_row("double dummy, all four", solved))
    return table(["declarer", "deals", "made, %", "margin, tricks"], rows)


def _row(name: str, above: NDArray[np.int64]) -> list[str]:
    error = above.std(ddof=1) / sqrt(len(above))
    made = _percent((above >= 0)[None].astype(np.float64))
    return [name, f"{len(above):,}", made, f"{above.mean():+.2f} ± {error:.2f}"]


def _twelve(results: Results) -> str:
    """Return the table of the studies of the game of twelve cards.

    It has each study by both rules, and Q-learning that learns a game from its end against SARSA
    that learns it from its beginning.
    """
    rows: list[list[str]] = []
    for how in [*STUDIES, None]:
        backward, forward = (1.0, "won", "backward"), (1.0, "won", "forward")
        label = "ε = {}, {}, {}".format(*how) if how else "Q-learning backward, SARSA forward"
        pair = [
            results.get(study_name(Study(rule, *which)))  # type: ignore[arg-type]
            for rule, which in zip(RULES, (how, how) if how else (backward, forward), strict=True)
        ]
        both = [facts for facts in pair if facts is not None]
        if len(both) == len(RULES):
            rows += _until(label, both, results.scale.twelve_games + 1)
    heads = ["learned", "until", *(_NAMES[rule] for rule in RULES), "ratio"]
    return table(heads, rows)


def _until(label: str, both: list[Facts], never: int) -> Iterator[list[str]]:
    """Yield the rows of a pair of studies."""
    for figure in ("back", "most", "first", "stays", "tried"):
        one, other = (
            np.array([[each[figure] or never for each in deal] for deal in facts["deals"]])
            for facts in both
        )
        yield [label, figure, _games(one, never), _games(other, never), ratio(other, one)]


def _games(games: NDArray[np.int64], never: int) -> str:
    """Return the median over deals and seeds, and the share that was never reached."""
    middle = median(games.ravel().tolist())
    missed = 100 * (games == never).mean()
    text = f"{middle:.0f}" if middle < never else "never"
    return f"{text} ({missed:.0f} %)" if missed else text


def ratio(one: NDArray[np.int64], other: NDArray[np.int64]) -> str:
    """Return the geometric mean over deals of the ratio of games, with two standard errors.

    What was never reached counts as if reached at the end.
    """
    logs = (np.log(one) - np.log(other)).mean(axis=1)
    middle, error = logs.mean(), logs.std(ddof=1) / sqrt(len(logs))
    low, high = np.exp(middle - 2 * error), np.exp(middle + 2 * error)
    return f"{np.exp(middle):.2f} ({low:.2f} to {high:.2f})"
