"""Measure a rebuilt bidder of Yeh, Hsieh and Lin, Automatic Bridge Bidding Using Deep RL.

    python -m research.papers.yeh [--only TABLE ...] [--bids N ...] [--seeds 2]
                             [--deals FILE ...] [--training N] [--quick]
                             [--change NAME=NUMBER ...] [--report] [--out FILE.jsonl]

These parts are as in the paper (Automatic Bridge Bidding Using Deep Reinforcement Learning):

- the input, the 52 cards of the hand and the 36 bids so far;
- a network with three layers of 128 for each of 2 to 5 bids;
- penetrative Bellman targets, or Bellman's, which know the cost where the next bid is the last;
  UCB1 counted by network, or ε-greedy;
- a repeated bid agrees; illegal bids cost 1.2 in training, and are not made in the test;
- costs in IMPs over 25 against the best contract, the mean of five layouts, where the stronger of
  the two hands declares;
- RMSprop, and a memory of states from which minibatches are drawn.

A contract's cost is taken in each layout and then averaged
(`bots.library.learning.scores.costs_of`), so that the best contract of a pair may have a cost. In
the paper it has none, c(a) = [c'(a) - min c'(a)] / 25 (section IV). But always passing, which costs
4.99 there, would by this formula cost 3.9 on pairs like ours; here it costs 4.8.

These parts differ from the paper, to save time:

- Costs are those of layouts drawn from an estimate of tricks, which are not solved.
- Of each state's bids, only the five that seem best and about three random ones are rolled.
- Networks change after 1,024 pairs instead of one; minibatches are of 256 instead of 50; each state
  is drawn four times, from a memory of the last 2,048; and the rate falls to 0.
- In the first two epochs a falling share of the pairs is bid at random, which fills the memories of
  late bids.
- There are 6 epochs, to whose end the training always goes, as the rate falls until then; the
  networks of the epoch with the best validation count. The paper stops early; its times suggest
  about 15 epochs for two bids, 30 for three, 50 for four and 90 for five.

RMSprop's decay and momentum are the paper's; its rate is not.

The answers that decide what a bid leads to are the best legal ones, as in the test. The paper does
not say so. An illegal answer that seems cheap would lend its cost to the bid before it, though the
test never makes it. With legal ones, Bellman's targets for two bids are the penetrative ones.

`--change` changes numbers of the training (`Effort` in `yeh_training.py`), such as `epochs=50` or
`memory=16384`, and `--training` the number of pairs: each change needs a file of its own.

`--deals` names files of solved deals (`oracle.solved_deals`): North and South of each are a pair
for a further test. Each deal counts as a pair of its own, so the files have one layout of each.

Each training is a unit. Its figures are added to the file, and its weights, in half precision, to
the folder beside it, which also has the pairs. The same command goes on after an interruption.
`--report` trains nothing, and prints the tables of the units that are done.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import torch

from benchmarks.running import interrupted
from bridge_arena.bots.library.learning.hands import spades_first
from bridge_arena.bots.library.learning.pairs import Pairs
from bridge_arena.bots.library.learning.scores import CONTRACTS
from bridge_arena.commands.train.common import recorded, recorded_shipped
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from bridge_arena.recorded.solving.shards import pairs_of
from research.papers.yeh_data import Data, Numbers, deals_of, read_data
from research.papers.yeh_features import features
from research.papers.yeh_meanings import opening_table, partner_errors, partner_examples
from research.papers.yeh_nets import QNets
from research.papers.yeh_openings import SYSTEMS, openings
from research.papers.yeh_tables import (
    CALLS,
    Results,
    Run,
    differences,
    grid,
    table_i,
    table_ii,
    table_iii,
    table_v,
    table_vii,
)
from research.papers.yeh_training import Deals, Effort, Setting, cost_of, train

TABLES = {"I": table_i, "II": table_ii, "III": table_iii, "V": table_v, "VII": table_vii}
ORDER = ("III", "II", "VII", "V", "I")
"""In which they are trained; what is in several is trained once."""

QUICK = Numbers(1_024, 300, 300)

NUMBERS: dict[str, type[int] | type[float]] = {
    each.name: float if isinstance(each.default, float) else int for each in fields(Effort)
}
"""The types of the numbers of a training."""


@dataclass(frozen=True)
class Bench:
    """The data to train with, and the paths of the results."""

    data: Data
    true: Deals
    effort: Effort
    folder: Path
    checkpoint: Checkpoint

    def weights(self, setting: Setting, seed: int) -> Path:
        return self.folder / f"{unit_of(setting, seed)}.npz"

    def fitted(self, deals: Deals, setting: Setting) -> Deals:
        """Return the pairs with the data about them that a setting needs."""
        two = [spades_first(deals.hands[:, which].numpy().astype(np.bool_)) for which in (0, 1)]
        if setting.opening:
            deals = replace(deals, openings=torch.from_numpy(openings(setting.opening, two[0])))
        if setting.features:
            told = [features(setting.features, each, self.effort.honours) for each in two]
            deals = replace(deals, features=torch.from_numpy(np.stack(told, axis=1)))
        return deals


def unit_of(setting: Setting, seed: int) -> str:
    return f"{setting.name}-seed{seed}"


def train_unit(bench: Bench, setting: Setting, seed: int) -> None:
    """Train once, and keep the result. Raises OSError, CheckpointError."""
    name, started = unit_of(setting, seed), time.process_time()

    def told(epoch: int, cost: float) -> None:
        minutes = (time.process_time() - started) / 60
        print(f"{name}: epoch {epoch}, validation {cost:.4f}, {minutes:.1f} min", file=sys.stderr)

    data = bench.data
    trained = train(
        setting,
        bench.effort,
        bench.fitted(data.training, setting),
        bench.fitted(data.validation, setting),
        seed,
        told,
    )
    seconds = time.process_time() - started
    weights = {key: value.half().numpy() for key, value in trained.nets.state_dict().items()}
    with bench.weights(setting, seed).open("wb") as file:
        np.savez(file, **weights)
    nets = read_nets(bench.weights(setting, seed))
    costs = {
        part: float(cost_of(nets, setting, bench.fitted(deals, setting)).mean())
        for part, deals in (
            ("training", data.training),
            ("validation", data.validation),
            ("test", data.test),
        )
    }
    bench.checkpoint.save(
        name, epochs=len(trained.curve), seconds=seconds, curve=trained.curve, **costs
    )


def read_nets(path: Path) -> QNets:
    """Read the networks of a file. Raises OSError."""
    with np.load(path) as file:
        state = {key: torch.from_numpy(file[key].astype(np.float32)) for key in file.files}
    calls, _, outputs = state["biases.3"].shape
    nets = QNets(calls, outputs - CONTRACTS).requires_grad_(requires_grad=False)
    nets.load_state_dict(state)
    return nets


def results_of(bench: Bench, settings: Sequence[Setting], seeds: Sequence[int]) -> Results:
    """Test what was trained so far on all pairs that there are."""
    results = Results()
    for setting in settings:
        test, true = (bench.fitted(deals, setting) for deals in (bench.data.test, bench.true))
        runs: list[Run] = []
        for seed in seeds:
            facts = bench.checkpoint.get(unit_of(setting, seed))
            if facts is None:
                continue
            nets = read_nets(bench.weights(setting, seed))
            run = Run(
                seed,
                facts["epochs"],
                facts["seconds"],
                facts["training"],
                facts["validation"],
                cost_of(nets, setting, test).numpy(),
                cost_of(nets, setting, true).numpy(),
            )
            runs.append(run)
        if runs:
            results.runs[setting] = runs
    return results


def report(
    bench: Bench, tables: Sequence[str], settings: Sequence[Setting], seeds: Sequence[int]
) -> None:
    results = results_of(bench, settings, seeds)
    test, true = bench.data.test.costs[:, 0], bench.true.costs[:, 0]
    print(f"Always Pass: {test.mean():.4f} by the estimate, {len(test):,} pairs")
    if len(true):
        print(f"and {true.mean():.4f} on {len(true):,} solved pairs")
    for table in tables:
        print(f"\nTable {table}\n\n{TABLES[table](results)}")
    print(f"\nDifferences\n\n{differences(results)}")
    soft = {
        system: Setting(opening=system, human=0.1) if system else Setting()
        for system in ("", *reversed(SYSTEMS))
    }
    learned = {
        system: read_nets(bench.weights(setting, results.runs[setting][0].seed))
        for system, setting in soft.items()
        if setting in results.runs
    }
    if learned:
        print(f"\nTable VI\n\n{opening_table(learned, seeds[0])}")
    telling = Setting(features="median")
    if telling in results.runs:
        nets = read_nets(bench.weights(telling, results.runs[telling][0].seed))
        print(f"\nTable VIII\n\n{partner_examples(nets, bench.data.test, seeds[0])}")
        print(f"\n{partner_errors(nets, bench.data.test)}")


def units(tables: Sequence[str], bids: Sequence[int]) -> list[Setting]:
    """Return the settings of some tables with some numbers of bids, each once."""
    every = (setting for table in ORDER if table in tables for setting in grid(table))
    return list(dict.fromkeys(setting for setting in every if setting.calls in bids))


def changed(text: str) -> tuple[str, float]:
    """Return the name and the value of a number of the training. Raises ArgumentTypeError."""
    name, _, value = text.partition("=")
    if name not in NUMBERS:
        raise argparse.ArgumentTypeError(f"{text}: NAME is one of {', '.join(NUMBERS)}")
    try:
        number = NUMBERS[name](value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: {value!r} is no number for {name}") from None
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: the number is 0 or more")
    return name, number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--only",
        nargs="+",
        choices=TABLES,
        default=list(TABLES),
        metavar="TABLE",
        help="tables of the paper to rebuild; default: all",
    )
    parser.add_argument(
        "--seeds", type=int, default=2, help="number of seeds, from 1 on; default: %(default)s"
    )
    parser.add_argument(
        "--bids",
        nargs="+",
        action="extend",
        type=int,
        choices=CALLS,
        metavar="N",
        help="numbers of bids, 2 to 5, to rebuild; default: all",
    )
    parser.add_argument(
        "--change",
        nargs="+",
        action="extend",
        type=changed,
        default=[],
        metavar="NAME=NUMBER",
        help=f"numbers of the training to change: {', '.join(NUMBERS)}",
    )
    parser.add_argument(
        "--deals",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="files of solved deals, one layout each, to test on North and South as well",
    )
    parser.add_argument(
        "--training",
        type=int,
        metavar="N",
        help=f"pairs to train with; default: {Numbers().training:,}, as in the paper",
    )
    parser.add_argument(
        "--quick", action="store_true", help="train one epoch on a hundredth of the pairs"
    )
    parser.add_argument(
        "--report", action="store_true", help="train nothing, and report the results that are there"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.jsonl",
        help="file of the results, which a second run continues",
    )
    options = parser.parse_args()
    if options.seeds < 1:
        parser.error("at least one seed is needed")
    bids: list[int] = options.bids or list(CALLS)
    out = options.out or Path("runs/yeh-quick.jsonl" if options.quick else "runs/yeh.jsonl")
    try:
        effort = replace(Effort(epochs=1) if options.quick else Effort(), **dict(options.change))
    except ValueError as error:
        parser.error(str(error))
    numbers = QUICK if options.quick else Numbers()
    if options.training is not None:
        numbers = replace(numbers, training=options.training)
    if effort.batch > numbers.training:
        parser.error(f"a batch of {effort.batch} is more than the {numbers.training:,} pairs")
    # A background job is ended by SIGTERM, a foreground one by Ctrl-C: both may go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    torch.set_num_threads(1)
    try:
        folder = out.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        data = read_data(folder / "pairs.npz", numbers)
        true = deals_of(pairs_of(options.deals) if options.deals else no_pairs())
        checkpoint = Checkpoint(
            out,
            {
                "benchmark": "yeh",
                "effort": str(effort),
                "tricks": recorded_shipped("bridge_arena.bots.library.tricks", "weights.npz")[
                    "sha256"
                ],
                "pairs": recorded([folder / "pairs.npz"])[0]["sha256"],
            },
        )
    except KeyboardInterrupt:
        return interrupted()
    except (CheckpointError, OSError, ValueError) as error:
        parser.error(str(error))
    with checkpoint:
        bench = Bench(data, true, effort, folder, checkpoint)
        seeds, settings = range(1, options.seeds + 1), units(options.only, bids)
        try:
            for seed in () if options.report else seeds:
                for setting in settings:
                    if checkpoint.get(unit_of(setting, seed)) is None:
                        train_unit(bench, setting, seed)
            report(bench, [table for table in TABLES if table in options.only], settings, seeds)
        except KeyboardInterrupt:
            return interrupted()
        except (CheckpointError, OSError) as error:
            print(f"yeh: {error}", file=sys.stderr)
            return 1
    return 0


def no_pairs() -> Pairs:
    return Pairs(np.zeros((0, 2, 52), np.uint8), np.zeros((0, CONTRACTS), np.float32))


if __name__ == "__main__":
    sys.exit(main())
