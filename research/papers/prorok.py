"""Measure Prorok's Q-tables (Large Scale Q-tables, 2001), and better tables.

    python -m research.papers.prorok --tricks FILE.npz [--quick] [--out FILE.jsonl]

Two hands bid without opponents. East deals and declares, nobody is vulnerable, and contracts down
more than two count as doubled. They learn from random pairs of hands, with each hand as East; the
points are those expected by an estimate of tricks. They are tested on the last seven files of
solved deals (`dd/deals-005?.txt`), with every seat as East once. The estimate must not have learned
from the test deals either: it is made from the first seven files by

    arena train tricks --deals ../shared/data/dd/deals-0000.txt ... --deals .../deals-0006.txt
        --means .../hand2vec/hands-train-50000.csv --check .../hands-validate-50000.csv

The units are his grid of rates, explorations and first values with his seeds, and its two best
cells with as many examples as he had; a long run; two runs with a falling rate, in whole numbers
and in floats; an improved table from the same examples, and the one that ships; and the speed. An
observation is a deal: the mean of those of its four examples in which both hands have one of his
128 shapes. A folder beside the file, with its name, has the examples, and the bidding system of the
long run as text, with sample auctions.

The results are kept in the file, and the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.figures import timed
from benchmarks.running import PROCESSES, interrupted
from benchmarks.uncontested import contracts_by_system
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.learning.arrays import joined, write_arrays
from bridge_arena.bots.qtable import tiles
from bridge_arena.bots.qtable.bidding_table import BiddingTable
from bridge_arena.bots.qtable.bidding_table import shipped as shipped_table
from bridge_arena.bots.qtable.examples import Examples, estimated, of_solved
from bridge_arena.bots.qtable.opening import SHIPPED, read_openings, shipped_openings
from bridge_arena.bots.qtable.training import AUCTIONS, ROUND, Learner, Prepared, table_of
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import estimate_of_tricks, recorded, recorded_shipped
from bridge_arena.oracle.solved_deals import SolvedDealsError, read
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from research.papers import prorok_text
from research.papers.prorok_learning import Settings
from research.papers.prorok_tables import (
    EXPLORATIONS,
    FALLING,
    FIRST_VALUES,
    RATES,
    SEEDS,
    WHOLE,
    WHOLE_SEEDS,
    cell_name,
    report,
    whole_name,
)
from research.papers.prorok_work import (
    Run,
    Sample,
    best_known,
    contracts_of,
    speed_of,
)

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data") / "dd"
TEST = "deals-005?.txt"

SHOWN = 60
"""Auctions that are written down."""

LAST = 10
"""Test evaluations of a run whose mean is reported, as he did."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The amount of work.

    It has the `pairs` to learn from; the examples of an epoch and the epochs of a `cell`, of a
    `whole` one, with as many examples as his, and of the `long` run; the examples of an epoch of
    the rate's fall, `decay`; the `rounds` of the improved table; the files of test deals; the pairs
    that show the `meanings`; and the examples for the `speed`.
    """

    pairs: int = 700_000
    cell: tuple[int, int] = (5_000_000, 20)
    whole: tuple[int, int] = (100_000_000, 20)
    long: tuple[int, int] = (100_000_000, 50)
    decay: int = 50_000_000
    rounds: int = 40
    test_files: int = 7
    meanings: int = AUCTIONS
    speed: int = 20_000_000


QUICK = Scale(10_000, (10_000, 4), (10_000, 4), (20_000, 20), 10_000, 2, 1, 4_000, 100_000)


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup: the amount of work, and the paths of data and results."""

    scale: Scale
    openings: Path | None
    tricks: Path
    data: Path
    folder: Path

    def test_files(self) -> list[Path]:
        """Return the files of test deals. Raises UnusableError where there are none."""
        files = sorted(self.data.glob(TEST))[: self.scale.test_files]
        if not files:
            raise UnusableError(f"there are no solved deals {TEST} in {self.data}")
        return files


class Bench:
    """The units of work, each of which gives facts to be kept."""

    def __init__(self, setup: Setup) -> None:
        """Read the test deals and the opening table.

        Raises SolvedDealsError, OpeningTableError, OSError, and UnusableError where there is no
        estimate or are no test deals.
        """
        self._scale = setup.scale
        self._openings = read_openings(setup.openings) if setup.openings else shipped_openings()
        self._net, estimate = estimate_of_tricks(setup.tricks)
        self._estimate = estimate["sha256"]
        self._folder = setup.folder
        self.everything = of_solved(read(setup.test_files()))
        self.test = Sample.of(self.everything)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._train = Sample.of(self._examples())

    def units(self) -> dict[str, Callable[[], dict[str, object]]]:
        """Return all units, the long run and the best cells before the grid."""
        scale = self._scale
        units: dict[str, Callable[[], dict[str, object]]] = {
            "improved": self._improved,
            "long": self._long,
            "natural": self._natural,
            "known": self._known,
        }
        for first, seed in product(WHOLE, WHOLE_SEEDS):
            settings = Settings(RATES[-1], EXPLORATIONS[-1], west=first)
            units[whole_name(settings, seed)] = partial(self._cell, settings, seed, scale.whole)
        units["decay/whole"] = partial(self._decay, rounding=True)
        units["decay/float"] = partial(self._decay, rounding=False)
        for first, rate, exploration, seed in product(FIRST_VALUES, RATES, EXPLORATIONS, SEEDS):
            settings = Settings(rate, exploration, west=first)
            units[cell_name(settings, seed)] = partial(self._cell, settings, seed, scale.cell)
        return units

    def _examples(self) -> Examples:
        """Return the examples to learn from, which are kept."""
        path = self._folder / f"examples-{self._scale.pairs}-{self._estimate[:12]}.npz"
        if path.exists():
            with np.load(path) as file:
                east, west = (
                    np.unpackbits(file[name], axis=1, count=52).astype(np.bool_)
                    for name in ("east", "west")
                )
                return Examples(east, west, file["scores"], file["deal"])
        rng = np.random.default_rng(SEEDS[0])
        examples = joined(estimated(self._net, rng, self._scale.pairs))
        packed = {
            name: np.packbits(hands, axis=1)
            for name, hands in (("east", examples.east), ("west", examples.west))
        }
        write_arrays(path, {**packed, "scores": examples.scores, "deal": examples.deal})
        return examples

    def _cell(self, settings: Settings, seed: int, size: tuple[int, int]) -> dict[str, object]:
        """Do a run of the grid; the facts are its last evaluations."""
        number, epochs = size
        run = Run(settings, seed, self._openings)
        done = list(run.epochs(self._train, self.test, [(number, settings.rate)] * epochs))
        return {
            "training": float(np.mean([epoch.training for epoch in done[-LAST:]])),
            "test": float(np.mean([epoch.test for epoch in done[-LAST:]])),
        }

    def _long(self) -> dict[str, object]:
        """Do a run with the settings of his longest, and write its system as text.

        The facts are its course and contracts.
        """
        settings = Settings(20, 50, west=-200)
        number, epochs = self._scale.long
        run = Run(settings, SEEDS[0], self._openings)
        course = list(run.epochs(self._train, self.test, [(number, settings.rate)] * epochs))
        made = run.bid(self.test)
        first = settings.east * settings.scale, settings.west * settings.scale
        texts = {
            "responses": prorok_text.responses(run.values, self._openings, first[1]),
            "rebids": prorok_text.rebids(run.values, self._openings, first),
            "auctions": prorok_text.auctions(self.test.examples, made[:SHOWN]),
        }
        for name, lines in texts.items():
            (self._folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
        learned = self._train.points(contracts_of(run.bid(self._train))).mean()
        return {
            "course": [asdict(epoch) for epoch in course],
            "contracts": contracts_of(made).tolist(),
            "learned": float(learned),
        }

    def _decay(self, *, rounding: bool) -> dict[str, object]:
        """Do a run whose rate falls to 1, with three epochs at each of his rates but the first."""
        rates = [20] * 5 + [rate for rate in FALLING for _ in range(3)]
        run = Run(Settings(20, 50, west=-200), SEEDS[0], self._openings, rounding)
        sizes = [(self._scale.decay, rate) for rate in rates]
        return {"course": [asdict(each) for each in run.epochs(self._train, self.test, sizes)]}

    def _improved(self) -> dict[str, object]:
        """Train the improved table from the examples that Prorok's tables learn from."""
        learner = Learner(tiles.TileSettings(), self._scale.rounds, SEEDS[0])
        prepared = Prepared.of(self._train.examples, self._openings)
        for _ in range(self._scale.rounds):
            learner.learn(prepared)
        rng = np.random.default_rng(SEEDS[0])
        table = table_of(learner.values, self._openings, rng, self._scale.meanings)
        return {
            "everything": self._bid(table),
            "learned": float(learner.points(prepared).mean()),
            "examples": ROUND * self._scale.rounds,
        }

    def shipped(self) -> list[int]:
        """Bid with the table that ships, which is quick, and not kept as the table may change."""
        return self._bid(shipped_table())

    def _bid(self, table: BiddingTable) -> list[int]:
        made = table.bid(self.everything.east, self.everything.west)
        contracts: list[int] = contracts_of(made).tolist()
        return contracts

    def _natural(self) -> dict[str, object]:
        return {
            "everything": list(
                contracts_by_system(system("natural"), self.everything.east, self.everything.west)
            )
        }

    def _known(self) -> dict[str, object]:
        return {"everything": best_known(self._net, self.everything).tolist()}

    def speed(self) -> dict[str, object]:
        """Measure the speed of one process alone, then of two at a time."""
        one = speed_of(self._train, self._openings, self._scale.speed, SEEDS[0])
        with ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork")) as pool:
            several = [
                pool.submit(speed_of, self._train, self._openings, self._scale.speed, seed)
                for seed in SEEDS[:PROCESSES]
            ]
            return {"one": asdict(one), "two": [asdict(each.result()) for each in several]}


@lru_cache(maxsize=1)
def bench_of(setup: Setup) -> Bench:
    """Return the bench of a process. Raises as Bench does."""
    return Bench(setup)


def do(setup: Setup, unit: str) -> tuple[str, dict[str, object]]:
    """Do a unit, and return its facts with the seconds of processor time that it took."""
    found, seconds = timed(bench_of(setup).units()[unit])
    return unit, {**found, "seconds": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--tricks", type=Path, metavar="FILE.npz", required=True, help="estimate of tricks"
    )
    parser.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="file of the opening bids; default: those that ship",
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder of solved deals; default: %(default)s"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="run small versions of all experiments, to see that they work",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/prorok.jsonl"),
        help="file of the results, which a second run continues; default: %(default)s",
    )
    options = parser.parse_args()
    # A background job is ended by SIGTERM, a foreground one by Ctrl-C: both may go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    setup = Setup(
        QUICK if options.quick else Scale(),
        options.openings,
        options.tricks,
        options.data,
        options.out.with_suffix(""),
    )
    try:
        checkpoint = Checkpoint(options.out, {"benchmark": "prorok", **same(setup)})
        bench = bench_of(setup)
    except (UnusableError, SolvedDealsError, CheckpointError, OSError, ValueError) as error:
        parser.error(str(error))
    with checkpoint:
        try:
            work(
                setup, [unit for unit in bench.units() if checkpoint.get(unit) is None], checkpoint
            )
            if checkpoint.get("speed") is None:
                checkpoint.save("speed", **bench.speed())
        except KeyboardInterrupt:
            return interrupted()
        print(report(checkpoint, bench.shipped(), bench.test, bench.everything))
    return 0


def same(setup: Setup) -> dict[str, str]:
    """Return what must not change between runs. Raises UnusableError."""
    _, estimate = estimate_of_tricks(setup.tricks)
    if setup.openings:
        (openings,) = recorded([setup.openings])
    else:
        openings = recorded_shipped("bridge_arena.bots.qtable", "tables", SHIPPED)
    return {
        "scale": str(setup.scale),
        "settings": str(Settings()),
        "tricks": estimate["sha256"],
        "openings": openings["sha256"],
        "test": ", ".join(each["sha256"] for each in recorded(setup.test_files())),
    }


def work(setup: Setup, units: Sequence[str], checkpoint: Checkpoint) -> None:
    """Do units in several processes, which an interrupt ends at once."""
    context = get_context("spawn")
    with context.Pool(PROCESSES, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        done = pool.imap_unordered(partial(do, setup), units)
        for number, (unit, found) in enumerate(done, start=1):
            checkpoint.save(unit, **found)
            text = f"{number} of {len(units)}: {unit}, {found['seconds']:.0f} s"
            print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
