"""Read Prorok's text in several ways, one thing changed at a time, and compare what is learned.

    python -m research.papers.prorok_readings [--quick] [--only READING...] [--out FILE.jsonl]

He learned from 440,060 deals, each with the result of one layout (sections 3.1 and 3.2). So do
these tables: the results are drawn from the shipped estimate of tricks. They are tested on
`dd/deals-0054.txt` to `-0056.txt`, from which this estimate did not learn.

After 100 million examples at his rate of 20/1024 the rate falls, 40 million examples at each, as in
his table 4. With `--long` there are instead as many examples as in the caption of his table 5, 562
epochs of ten million, all at his rate, and nothing falls; these results need a file of their own.

"The leader's row" asks what his deals were worth if a table of tricks by leader was read as one by
declarer: the only large library of solved deals of his time is such a table. Then East's side takes
what it takes with East on lead, which is `LEAD` tricks more in the mean. The same mistake is made
with the test deals.

He printed 19 of the 128 rows of his opening table. "SAYC's openings" shows what a table matters: it
opens by a human system instead of all 128 rows, which opens fewer weak hands.

The results are kept in the file, and the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import timed
from benchmarks.running import interrupted
from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.library.learning.scores import expected_points, points_of, points_table
from bridge_arena.bots.library.tricks.net import Estimate, shipped
from bridge_arena.bots.qtable.calls import STEPS
from bridge_arena.bots.qtable.examples import SCALE, Examples, of_solved
from bridge_arena.bots.qtable.opening import shipped_openings
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.solved_deals import SolvedDeals, SolvedDealsError, read
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from research.papers.prorok import DATA
from research.papers.prorok_learning import Settings
from research.papers.prorok_tables import SEEDS
from research.papers.prorok_work import Run, Sample, contracts_of
from research.papers.yeh_openings import SAYC, openings

TEST = "deals-005[456].txt"
DEALS = 440_060
"""His training examples, of which none has a hand of another shape."""

FALLING = (6, 3, 1)
"""Rates in 1/1024: below 5 his tables lost what they had learned."""

LEAD = (0.55, 0.53, 0.40, 0.48, 1.00)
"""Tricks that a side takes more with its own first hand on lead than as declarer.

The means of `dd/deals-0000.txt` and `-0001.txt` in clubs, diamonds, hearts, spades and notrump.
"""

_CHUNK = 20_000
_LEAST, _MOST = -32768, 32767


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of his text.

    `layout`: an example has the result of one layout, not the mean. `lead`: the tricks are those
    with East on lead. `deals`: the deals to learn from, all if there are fewer. `system`: a human
    system that opens, instead of his table.
    """

    settings: Settings = field(default_factory=lambda: Settings(20, 50, west=-200))
    layout: bool = True
    lead: bool = False
    deals: int = DEALS
    system: str | None = None


READINGS = {
    "whole points, one layout": Reading(),
    "tenths of points": Reading(Settings(20, 50, west=-200, scale=SCALE)),
    "expected scores": Reading(layout=False),
    "the leader's row": Reading(lead=True),
    "32,768 deals": Reading(deals=32_768),
    "first values 0": Reading(Settings(20, 50, west=0)),
    "first values 200": Reading(Settings(20, 50, west=200)),
    "SAYC's openings": Reading(system=SAYC),
}


@dataclass(frozen=True, slots=True)
class Scale:
    """The amount of work.

    It has the deals to learn from, the examples at 20/1024 and at each rate after, and how many of
    them, the last, are reported.
    """

    deals: int = DEALS
    first: int = 100_000_000
    falling: int = 40_000_000
    last: int = 5_000_000

    def sizes(self, rate: int) -> list[tuple[int, int]]:
        """Return the examples at each rate in order."""
        return [(self.first, rate), *((self.falling, slower) for slower in FALLING)]


@dataclass(frozen=True, slots=True)
class LongScale(Scale):
    """The amount of work of `epochs` epochs of ten million examples at one rate."""

    epochs: int = 562

    def sizes(self, rate: int) -> list[tuple[int, int]]:
        """Return the examples of each part of the course, fifty epochs but in the last."""
        whole, rest = divmod(self.epochs, 50)
        return [(500_000_000, rate)] * whole + [(rest * 10_000_000, rate)] * bool(rest)


QUICK = Scale(2_000, 10_000, 10_000, 1_000)


def of_layout(
    estimate: Estimate, mixing: NDArray[np.floating], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the scores of the first hand's contracts in one layout drawn for each pair."""
    off = rng.standard_normal((len(estimate.mean), 5)) @ mixing.T
    tricks = np.rint(estimate.mean[:, :, 0] + estimate.deviation[:, :, 0] * off)
    return points_of(tricks.clip(0, 13).astype(np.int64), points_table())


def of_estimate(estimate: Estimate) -> NDArray[np.float32]:
    """Return the expected scores of the first hand's contracts."""
    points: NDArray[np.float32] = expected_points(estimate.distribution()[:, :, :1])[:, 0]
    return points


def on_lead(deals: SolvedDeals) -> SolvedDeals:
    """Return deals in which each seat "declares" for the tricks of its side with it on lead."""
    declarers = [(seat - 1) % len(SEATS) for seat in SEATS]  # against whom each seat leads
    return replace(deals, tricks=13 - deals.tricks[:, :, declarers])


@cache
def deals(number: int, *, layout: bool, lead: bool = False) -> Sample:
    """Return random deals of his shapes with the scores of the contracts, East declaring."""
    net, rng = shipped(), np.random.default_rng(SEEDS[0])
    mixing = np.linalg.cholesky(net.correlation)
    layouts = np.random.default_rng(1)
    parts, found = list[Examples](), 0
    while found < number:
        hands, partners = random_pairs(rng, min(number, _CHUNK))
        blank = np.zeros((len(hands), 36), np.int16)
        kept = Sample.of(Examples(hands, partners, blank, np.arange(len(hands)))).examples
        estimate = net.estimate(kept.east, kept.west)
        if lead:
            more = np.array(LEAD, np.float32)[:, None]
            estimate = Estimate(estimate.mean + more, estimate.deviation)
        points: NDArray[np.int64] | NDArray[np.float32] = (
            of_layout(estimate, mixing, layouts) if layout else of_estimate(estimate)
        )
        scores = np.rint(points * SCALE).clip(_LEAST, _MOST).astype(np.int16)
        parts.append(Examples(kept.east, kept.west, scores, kept.deal))
        found += len(kept)
    every = joined(parts)
    return Sample.of(every.rows(np.arange(len(every)) < number))


def opening_steps(system: str | None, train: Sample) -> NDArray[np.int8]:
    """Return the opening step of each state: of his table, or of a hand in `train` by a system."""
    steps = shipped_openings()
    if system:
        steps[train.east] = openings(system, train.examples.east).clip(max=STEPS - 1)
    return steps


def learn(reading: Reading, scale: Scale, solved: Sequence[SolvedDeals]) -> dict[str, object]:
    """Learn by a reading, and return its course, and what it scores on what it learned from."""
    number = min(scale.deals, reading.deals)
    train = deals(number, layout=reading.layout, lead=reading.lead)
    test = Sample.of(of_solved(map(on_lead, solved) if reading.lead else solved))
    run = Run(reading.settings, SEEDS[0], opening_steps(reading.system, train))
    course, done = list[dict[str, object]](), 0
    for number, rate in scale.sizes(reading.settings.rate):
        parts = [(number - scale.last, rate), (scale.last, rate)]
        _, epoch = run.epochs(train, test, parts)
        learned = train.points(contracts_of(run.bid(train))).mean()
        done += number
        course.append({**asdict(epoch), "examples": done, "learned": float(learned)})
    return {"course": course}


def report(checkpoint: Checkpoint) -> Iterator[str]:
    """Yield the table of what is done."""
    head = "reading", "rate", "millions", "training", "the same deals without exploration", "test"
    yield f"| {' | '.join(head)} |"
    yield "| --- " * len(head) + "|"
    for name in READINGS:
        found = checkpoint.get(name)
        for facts in found["course"] if found else ():
            points = " | ".join(f"{facts[key]:.1f}" for key in ("training", "learned", "test"))
            millions = f"{facts['examples'] / 1e6:,.0f}"
            yield f"| {name} | {facts['rate']}/1024 | {millions} | {points} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="do little, to see that it works")
    size.add_argument(
        "--long", action="store_true", help="learn from as many examples as he, at one rate"
    )
    parser.add_argument(
        "--only", nargs="+", choices=READINGS, default=READINGS, metavar="READING", help="readings"
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder of solved deals; default: %(default)s"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/prorok-readings.jsonl"),
        help="file of the results, which a second run continues; default: %(default)s",
    )
    options = parser.parse_args()
    # A background job is ended by SIGTERM, a foreground one by Ctrl-C: both may go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    scale = QUICK if options.quick else LongScale() if options.long else Scale()
    files = sorted(options.data.glob(TEST))
    if not files:
        parser.error(f"there are no solved deals {TEST} in {options.data}")
    try:
        solved = list(read(files[: 1 if options.quick else None]))
        options.out.parent.mkdir(parents=True, exist_ok=True)
        checkpoint = Checkpoint(options.out, {"benchmark": "readings", "scale": str(scale)})
    except (SolvedDealsError, CheckpointError, OSError) as error:
        parser.error(str(error))
    with checkpoint:
        try:
            for name in options.only:
                if checkpoint.get(name) is None:
                    reading = READINGS[name]
                    found, seconds = timed(partial(learn, reading, scale, solved))
                    checkpoint.save(name, **found, seconds=seconds)
        except KeyboardInterrupt:
            return interrupted()
        print("\n".join(report(checkpoint)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
