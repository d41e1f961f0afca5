"""Measure the tables of BridgeHand2Vec (Sztyber-Betley, Kołodziej, Betley, Duszak, ECAI 2023).

    python -m research.papers.hand2vec [--net FILE.npz ...] [--size FILE.npz ...] [--seed 1]
        [--quick] [--out DIR]

`--net` gives weights that `arena train hand2vec` made with several seeds, to measure the effect of
the seed; the first is studied closely. The default is the net that ships. `--size` gives weights of
other `--dimensions`, and of 8, made in the same number of steps. The data is `hand2vec/` and
`wbridge5/` below ARENA_DATA. Nothing is chosen by the pairs on which nets are measured.

The parts are the accuracy of the means of tricks (`hand2vec_accuracy`), the space of the vectors
(`hand2vec_space`), opening bids (`hand2vec_openings`), what calls tell of a hidden hand
(`hand2vec_worlds`), and agents that learn to guess the contract (`hand2vec_contracts`). The tables
are printed, and are in DIR/hand2vec.html with plots. The results are kept in DIR/hand2vec.jsonl,
and the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import figure, table
from benchmarks.running import interrupted
from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bots.library.hand2vec.net import Hand2VecNet
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.openings.data import Openings, OpeningsError, read_openings
from bridge_arena.bots.library.tricks.data import Known, MeansError, read_means
from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import recorded
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from research.page import Curves, Section, curves_plot, write_page
from research.papers import hand2vec_accuracy as accuracy
from research.papers import hand2vec_contracts as contracts
from research.papers import hand2vec_openings as openings
from research.papers import hand2vec_space as space
from research.papers import hand2vec_worlds as worlds
from research.papers.hand2vec_plots import map_plots, sizes_plot

FOLDER = Path(os.environ.get("ARENA_DATA") or "../shared/data")
DATA = FOLDER / "hand2vec"
CALLS = FOLDER / "wbridge5" / "games-1-8000.pbn"

TITLE, SUBTITLE = "BridgeHand2Vec", "hands as vectors"
PAPER = (
    "Sztyber-Betley, Kołodziej, Betley and Duszak, BridgeHand2Vec: Bridge Hand Representation "
    "(ECAI 2023)"
)
UNUSABLE = ArraysError, MeansError, OpeningsError, RecordedTextError, UnusableError

LEARNED = (
    *("cards, logistic", "points and lengths, kernel"),
    *("vector, nearest", "vector, kernel", "vector, points and lengths, kernel"),
)
"""The ways to classify openings of which there are learning curves."""

WEIGHED = LEARNED[1], "heuristics, kernel", LEARNED[3], LEARNED[4]
"""The ways to weigh worlds, beside ranges."""


@dataclass(frozen=True)
class Scale:
    """The amount of work; None stands for all there is."""

    pairs: int | None  # the pairs that are measured
    hands: int  # the hands that are studied in the space
    opened: int | None  # the hands with openings
    rounds: int  # the rounds of cross-validation
    games: int | None  # the games whose first calls are studied
    steps: int  # the steps of the agents that guess contracts
    seeds: int  # the seeds of these agents


FULL = Scale(None, 200_000, None, 3, None, 400, 5)
QUICK = Scale(500, 200, 120, 1, 100, 5, 2)


class Bench:
    """The parts, each of which is done once and kept."""

    def __init__(
        self, nets: Sequence[Path], sizes: Sequence[Path], scale: Scale, seed: int, kept: Checkpoint
    ) -> None:
        """Read it all. Raises ArraysError, MeansError, OpeningsError, OSError, UnusableError."""
        self._shas = {path: recorded([path])[0]["sha256"] for path in (*nets, *sizes)}
        self._nets = {sha: Hand2VecNet.read(path) for path, sha in self._shas.items()}
        self._seeds = [self._shas[path] for path in nets]
        self._sizes = [self._shas[path] for path in sizes]
        self._scale, self._seed, self._kept = scale, seed, kept
        self._openings = read_openings(DATA / "openings-train-1000.csv", scale.opened)

    @property
    def net(self) -> Hand2VecNet:
        """The net that is studied closely."""
        return self._nets[self._seeds[0]]

    @cached_property
    def known(self) -> Known:
        known = read_means(DATA / "hands-validate-50000.csv")
        return known.rows(slice(0, self._scale.pairs))

    @cached_property
    def calls(self) -> Openings:
        return worlds.read_calls(CALLS, self._scale.games)

    @cached_property
    def boards(self) -> contracts.Boards:
        number = self._scale.steps * contracts.SHOWN + contracts.TESTED
        return contracts.boards(shipped_tricks(), np.random.default_rng(self._seed), number)

    def sections(self) -> list[Section]:
        """Return the sections of all parts."""
        return [
            self._accuracy(),
            *self._by_size(),
            self._space(),
            self._found(),
            self._worlds(),
            self._guessed(),
        ]

    def _get(self, unit: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the result of a unit, and do the unit if it is not kept."""
        if self._kept.get(unit) is None:
            self._kept.save(unit, **work())
            print(unit, file=sys.stderr, flush=True)
        found = self._kept.get(unit)
        assert found is not None
        return found

    def _measured(self, sha: str, *, in_all_orders: bool = False) -> accuracy.Accuracy:
        def work() -> dict[str, Any]:
            estimate = accuracy.in_all_orders if in_all_orders else Hand2VecNet.estimate
            mean = estimate(self._nets[sha], self.known.hands, self.known.partners)
            return accuracy.accuracy(mean, self.known.tricks).facts()

        unit = f"accuracy/{sha}{'/orders' if in_all_orders else ''}"
        return accuracy.Accuracy.of(self._get(unit, work))

    def _accuracy(self) -> Section:
        def best() -> dict[str, Any]:
            estimate = accuracy.estimated(shipped_tricks(), self.known)
            least = accuracy.floor(estimate, self.known.tricks, np.random.default_rng(self._seed))
            mine = accuracy.accuracy(estimate.mean, self.known.tricks)
            return {"tricks": mine.facts(), "floor": least.facts()}

        found = self._get("accuracy/tricks", best)
        tricks, least = (accuracy.Accuracy.of(found[name]) for name in ("tricks", "floor"))
        nets = [self._measured(sha) for sha in self._seeds]
        turned = [self._measured(sha, in_all_orders=True) for sha in self._seeds]
        name = f"`hand2vec`, {self.net.dimensions} numbers"
        if len(nets) > 1:
            name += f", {len(nets)} seeds"
        named = {name: nets, "… mean of the 24 orders of suits": turned}
        offs = [f"{each.off:.4f}" for each in (*nets, tricks, least)]
        return Section(
            "Tricks",
            f"{len(self.known):,} pairs of hands with mean tricks over ten layouts, not learned "
            f"from. Root mean square errors: {', '.join(offs[:-2])}; `tricks` {offs[-2]}; true "
            f"means {offs[-1]}.",
            [accuracy.shares_table(named, tricks, least, strain) for strain in accuracy.STRAINS],
        )

    def _by_size(self) -> list[Section]:
        if not self._sizes:
            return []
        errors: dict[int, list[float]] = {}
        for sha in self._sizes:
            errors.setdefault(self._nets[sha].dimensions, []).append(self._measured(sha).off)
        rows = [
            [str(size), ", ".join(f"{each:.4f}" for each in errors[size])]
            for size in sorted(errors)
        ]
        found = table(["numbers of a vector", "root mean square error, tricks"], rows)
        plots = {"Error by size": sizes_plot(errors)}
        return [Section("Size", "Nets of as many steps each.", [found], plots)]

    def _space(self) -> Section:
        def work() -> dict[str, Any]:
            hands = space.pool(self._seed, self._scale.hands)
            vectors = self.net.vectors(hands)
            return {
                "tables": [
                    space.spread_table(vectors),
                    space.correlation_table(hands, vectors),
                    space.nearest_table(self.net, hands, vectors),
                    space.worth_table(self.net, shipped_tricks(), self._seed),
                ],
                "maps": {
                    each.name: np.round(each.places.astype(float), 3).tolist()
                    for each in space.maps(hands, vectors, self._seed)
                },
            }

        found = self._get("space", work)
        hands = space.pool(self._seed, self._scale.hands)[: space.MAPPED]
        drawn = [
            space.Map(name, np.array(places, np.float32), hands)
            for name, places in found["maps"].items()
        ]
        others = [
            self._get(f"agreement/{sha}", partial(self._agree, sha)) for sha in self._seeds[1:]
        ]
        agreement = ", ".join(f"{each['distances']:.3f}" for each in others)
        text = f"Over {self._scale.hands:,} random hands."
        if agreement:
            text += f" Distances by nets of other seeds go with these: correlation {agreement}."
        return Section("The space", text, found["tables"], map_plots(drawn))

    def _found(self) -> Section:
        every = self._openings
        judged: dict[str, openings.Judged] = {}
        curves: dict[str, dict[int, openings.Array]] = {}
        ways = openings.ways(self.net)
        for way in ways:
            found = self._get(f"openings/{way.name}", partial(self._judge, way))
            judged[way.name] = openings.Judged.of(found)
            if way.name in LEARNED:
                taught = self._get(f"curve/{way.name}", partial(self._teach, way))
                curves[way.name] = {int(size): np.array(taught[size]) for size in taught}
        papers = {way.name: way.paper for way in ways}
        plotted = {
            name: {
                draw: {size: float(shares[draw]) for size, shares in of.items()}
                for draw in range(openings.DRAWS)
            }
            for name, of in curves.items()
        }
        return Section(
            "Openings",
            f"{len(every):,} hands, {self._scale.rounds} cross-validations of {openings.FOLDS} "
            f"parts; always Pass finds {100 * (every.calls == 'PASS').mean():.1f} %.",
            [
                openings.openings_table(judged, papers, openings.by_rules(every)),
                openings.curves_table(curves),
            ],
            {"Found by hands that taught": curves_plot(plotted, "hands", "right, per cent")},
        )

    def _agree(self, sha: str) -> dict[str, Any]:
        return {"distances": space.agreement(self.net, self._nets[sha], self._seed)}

    def _judge(self, way: openings.Way) -> dict[str, Any]:
        return openings.judged(way, self._openings, self._seed, self._scale.rounds).facts()

    def _teach(self, way: openings.Way) -> dict[str, Any]:
        found = openings.curve(way, self._openings, self._seed)
        return {str(size): shares.tolist() for size, shares in found.items()}

    def _worlds(self) -> Section:
        ways = {way.name: way for way in openings.ways(self.net) if way.name in WEIGHED}
        tables = []
        for who, calls in (("WBridge5", lambda: self.calls), ("natural", self._natural_calls)):
            found = {
                name: self._get(f"worlds/{who}/{name}", partial(self._weigh, calls, ways.get(name)))
                for name in (WEIGHED[0], "ranges", *WEIGHED[1:])
            }
            tables.append(
                worlds.bits_table(who, {name: np.array(found[name]["bits"]) for name in found})
            )
        return Section(
            "Weighing worlds",
            "What the first call of WBridge5, and that of natural with the same hands, tells of "
            "the hand, in bits.",
            tables,
        )

    def _natural_calls(self) -> Openings:
        return worlds.natural_calls(self.calls.hands)

    def _weigh(self, calls: Callable[[], Openings], way: openings.Way | None) -> dict[str, Any]:
        """Weigh calls in a way, or by ranges where `way` is None."""
        if way is None:
            return {"bits": worlds.bits_by_ranges(calls(), self._seed).tolist()}
        return {"bits": worlds.bits_by_way(way, calls(), self._seed).tolist()}

    def _guessed(self) -> Section:
        curves: Curves = {}
        for seed in range(1, self._scale.seeds + 1):
            for name, seen in contracts.inputs(self.net).items():
                found = self._get(f"contracts/{name}/{seed}", partial(self._guess, seen, seed))
                of = {int(step): reward for step, reward in found.items() if step != "passing"}
                curves.setdefault(name, {})[seed] = of
        passing = self._kept.get("contracts/cards/1")
        assert passing is not None
        areas = {
            name: np.array([np.mean(list(one.values())) for one in of.values()])
            for name, of in curves.items()
        }
        mean = "; ".join(f"{name} {figure(area, 1)}" for name, area in areas.items())
        more = ", than ".join(
            f"{name} by {figure(areas['vector'] - area, 1, '+')}"
            for name, area in areas.items()
            if name != "vector"
        )
        return Section(
            "Contracts from one hand",
            f"{self._scale.seeds} seeds, {contracts.SHOWN:,} new hands a step; rewards in points, "
            f"0 at best, of {contracts.TESTED:,} other hands. Mean of all steps: {mean}; vector "
            f"more than {more}.",
            [contracts.curves_table(curves, passing["passing"])],
            {"Reward by steps": curves_plot(curves, "steps", "points less the best")},
        )

    def _guess(self, seen: Callable[[Any], Any], seed: int) -> dict[str, Any]:
        tested = self.boards.rows(slice(0, contracts.TESTED))
        taught = contracts.in_order(self.boards.rows(slice(contracts.TESTED, None)), seed)
        found = contracts.learned(seen, taught, tested, seed)
        passing = float(tested.rewards[:, 0].mean())
        return {str(step): reward for step, reward in found.items()} | {"passing": passing}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--net",
        type=Path,
        action="append",
        metavar="FILE.npz",
        default=[],
        help="net to measure; repeatable; default: the one that ships",
    )
    parser.add_argument(
        "--size",
        type=Path,
        action="append",
        metavar="FILE.npz",
        default=[],
        help="net of another number of dimensions, for the table of sizes; repeatable",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of all random choices; default: %(default)s"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="run small versions of all parts, to see that they work",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/hand2vec"),
        metavar="DIR",
        help="folder for tables and plots; default: %(default)s",
    )
    options = parser.parse_args()
    with resources.as_file(
        resources.files("bridge_arena.bots.library.hand2vec") / "weights.npz"
    ) as shipped:
        nets = options.net or [shipped]
        try:
            (first,) = recorded(nets[:1])
            scale = QUICK if options.quick else FULL
            setup = {"net": first["sha256"], "seed": str(options.seed), "scale": str(scale)}
            options.out.mkdir(parents=True, exist_ok=True)
            with Checkpoint(options.out / "hand2vec.jsonl", setup) as kept:
                sections = Bench(nets, options.size, scale, options.seed, kept).sections()
            write_page(options.out / "hand2vec.html", TITLE, SUBTITLE, PAPER, sections)
        except (*UNUSABLE, CheckpointError, OSError) as error:
            parser.error(str(error))
        except KeyboardInterrupt:
            return interrupted()
    print("\n\n".join(map(str, sections)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
