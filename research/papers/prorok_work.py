"""Do the work of the benchmark of Prorok's tables: runs of his learning, and other bidders."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.scores import expected_points
from bridge_arena.bots.library.tricks.net import TricksNet
from bridge_arena.bots.qtable.examples import SCALE, Examples
from bridge_arena.bots.qtable.tiles import State, below, new_state
from research.papers import prorok_learning
from research.papers.prorok_learning import Settings, Values
from research.papers.prorok_states import states

Contracts = NDArray[np.int64]
"""Reached by each of some examples, 0..35."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Examples whose hands both have one of Prorok's shapes, and the states of the hands."""

    examples: Examples
    east: NDArray[np.int16]
    west: NDArray[np.int16]

    @classmethod
    def of(cls, examples: Examples) -> Sample:
        east, west = states(examples.east), states(examples.west)
        kept = (east >= 0) & (west >= 0)
        return cls(examples.rows(kept), east[kept], west[kept])

    def points(self, contracts: Contracts) -> NDArray[np.float64]:
        """Return the scores of contracts."""
        found: NDArray[np.float64] = (
            self.examples.scores[np.arange(len(contracts)), contracts] / SCALE
        )
        return found

    def scores(self, scale: int) -> NDArray[np.int16]:
        """Return the scores of all contracts, a point being `scale`."""
        found: NDArray[np.int16] = np.rint(self.examples.scores * (scale / SCALE)).astype(np.int16)
        return found


@dataclass(frozen=True, slots=True)
class Epoch:
    """The mean points of a run after an epoch.

    They are those of the epoch's examples, with exploration, and of the test, without.
    """

    examples: int
    rate: int
    training: float
    test: float


@dataclass
class Run:
    """A run of Prorok's learning."""

    settings: Settings
    seed: int
    openings: NDArray[np.int8]
    rounding: bool = True

    def __post_init__(self) -> None:
        self.values: Values = prorok_learning.new_values(self.settings)
        if not self.rounding:
            self.values = self.values.astype(np.float32)
        self._state = new_state(np.random.default_rng(self.seed))

    def epochs(
        self, train: Sample, test: Sample, sizes: Iterable[tuple[int, int]]
    ) -> Iterator[Epoch]:
        """Learn epoch by epoch; `sizes` has the examples of each, and its rate in 1/1024."""
        done = 0
        scores = train.scores(self.settings.scale)
        for number, rate in sizes:
            training = prorok_learning.learn(
                self.values,
                self.openings,
                train.east,
                train.west,
                scores,
                number,
                rate,
                self.settings.exploration,
                self.rounding,
                self._state,
            )
            done += number
            found = test.points(contracts_of(self.bid(test)))
            yield Epoch(done, rate, training / self.settings.scale, float(found.mean()))

    def bid(self, sample: Sample) -> NDArray[np.int8]:
        """Return the steps of the auctions of a sample."""
        made: NDArray[np.int8] = prorok_learning.bid(
            self.values, self.openings, sample.east, sample.west, self._state
        )
        return made


def contracts_of(made: NDArray[np.integer]) -> Contracts:
    """Return the contracts of auctions in steps."""
    contracts: Contracts = np.maximum(made, 0).sum(axis=1, dtype=np.int64)
    return contracts


def best_known(net: TricksNet, examples: Examples) -> Contracts:
    """Return the contracts with the most expected points of known hands, by the estimate."""
    found: list[NDArray[np.int64]] = []
    for first in range(0, len(examples), 10_000):
        part = slice(first, first + 10_000)
        estimate = net.estimate(examples.east[part], examples.west[part])
        found.append(expected_points(estimate.distribution()[:, :, 0]).argmax(axis=1))
    return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class Speed:
    """The examples per second of processor time and of the clock, and the limit of the memory.

    The limit is measured in the same seconds.
    """

    learned: float
    by_the_clock: float
    reads: float


def speed_of(train: Sample, openings: NDArray[np.int8], examples: int, seed: int) -> Speed:
    """Measure the speed of learning after a warm-up.

    Beside it is the speed of reading three rows of the same tables at random places per example.
    """
    run = Run(Settings(), seed, openings)
    nothing = replace(train)
    for _ in run.epochs(train, nothing, [(examples, run.settings.rate)]):
        pass
    state = new_state(np.random.default_rng(seed))
    read_rows(run.values, 1000, state)
    clock, processor = time.perf_counter(), time.process_time()
    prorok_learning.learn(
        run.values,
        openings,
        train.east,
        train.west,
        train.scores(run.settings.scale),
        examples,
        run.settings.rate,
        run.settings.exploration,
        True,  # noqa: FBT003
        state,
    )
    learned, by_the_clock = time.process_time() - processor, time.perf_counter() - clock
    processor = time.process_time()
    read_rows(run.values, examples, state)
    reads = time.process_time() - processor
    return Speed(examples / learned, examples / by_the_clock, examples / reads)


@njit(cache=True)
def read_rows(values: Values, number: int, state: State) -> int:
    """Return the sum of three rows at random places, `number` times."""
    total = 0
    for _ in range(3 * number):
        row = values[below(state, values.shape[0]), below(state, values.shape[1])]
        for value in row:
            total += value
    return total
