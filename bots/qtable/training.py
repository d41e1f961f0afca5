"""Training of the table that ships, compiled: rounds of learning by tiles, kept in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Rows, joined
from bridge_arena.bots.library.learning.hands import Hands, points_and_lengths, random_pairs
from bridge_arena.bots.library.learning.run import TrainingError
from bridge_arena.bots.qtable import tiles
from bridge_arena.bots.qtable.bidding_table import BiddingTable
from bridge_arena.bots.qtable.calls import FIRST, STEPS, TURNS, contract_after, steps_of
from bridge_arena.bots.qtable.cells import CELLS, cells, opening_steps
from bridge_arena.bots.qtable.examples import SCALE, Examples
from bridge_arena.bots.qtable.tiles import Values, best_steps, new_state, tiles_of_cells

AUCTIONS = 1_000_000
"""Pairs of hands that are bid to see what the calls mean."""

OUTSIDE = 1 / 400
"""The share of hands that a range leaves out at either end."""

_RARE = 20
"""The number of times that a situation must occur to be kept."""

ROUND = 250_000
"""Examples of a round."""

KEPT_EVERY = 10
"""Rounds between two checkpoints."""

_ROWS = 256
"""Rows of the values that are copied at once."""

_CHECKED = 40_000
"""Examples, of those held back, on which the curve is measured."""


def table_of(
    values: Values, openings: NDArray[np.int8], rng: np.random.Generator, pairs: int
) -> BiddingTable:
    """Return the table of the best steps, in situations that random pairs reach often enough."""
    east, west = random_pairs(rng, pairs)
    held = (cells(west), cells(east))
    tiles_of, _ = tiles_of_cells()
    place = opening_steps(east, openings)
    made = np.full((pairs, TURNS), -1, np.int64)
    made[:, 0] = place
    going = np.arange(pairs)
    known: list[int] = []
    steps: list[NDArray[np.uint8]] = []
    for turn in range(1, TURNS):
        numbers, which, often = np.unique(
            FIRST[turn] + place[going], return_inverse=True, return_counts=True
        )
        kept = often >= _RARE
        best = np.zeros((len(numbers), CELLS), np.uint8)
        for row in np.flatnonzero(kept):
            contract = contract_after(steps_of(int(numbers[row])))
            best[row] = best_steps(values, tiles_of, int(numbers[row]), contract)
            known.append(int(numbers[row]))
            steps.append(best[row])
        chosen = best[which, held[turn == 2][going]].astype(np.int64)
        chosen = np.where(kept[which], chosen, 0)
        made[going, turn] = np.where(kept[which], chosen, -1)
        place[going] = place[going] * STEPS + chosen
        going = going[chosen > 0]
    number = len(known) + 1
    table = BiddingTable(
        openings,
        np.array(known, np.int16),
        np.array(steps),
        np.zeros((number, STEPS), np.int32),
        np.zeros((number, STEPS, 5, 2), np.uint8),
        np.zeros((number, STEPS), np.float32),
    )
    counts, ranges, passed = meanings(east, west, made, table)
    return replace(table, seen=counts, ranges=ranges, passed=passed)


def meanings(
    east: Hands, west: Hands, made: NDArray[np.int64], table: BiddingTable
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32]]:
    """Return `seen`, `ranges` and `passed` of a table, from auctions.

    `made` are the steps of the auctions, n×4; -1 if none is made or the situation is not known.
    """
    rows = table.rows() + 1
    counts, ranges = np.zeros_like(table.seen), np.zeros_like(table.ranges)
    passed = np.zeros_like(table.passed)
    of_east, of_west = points_and_lengths(east), points_and_lengths(west)
    place = np.zeros(len(made), np.int64)
    for turn in range(TURNS):
        row = rows[FIRST[turn] + place] if turn else np.zeros(len(made), np.int64)
        here = (made[:, turn] >= 0) & ((row > 0) if turn else True)
        if not here.any():
            break
        measured = of_west if turn % 2 else of_east
        key = (row * STEPS + made[:, turn])[here]
        order = np.argsort(key, kind="stable")
        held = measured[here][order]
        starts = np.flatnonzero(np.diff(key[order], prepend=-1))
        following = made[here][order, turn + 1] if turn + 1 < TURNS else np.zeros(len(key))
        for first, last in zip(starts, [*starts[1:], len(key)], strict=True):
            at = divmod(int(key[order[first]]), STEPS)
            counts[at] = last - first
            ends = np.sort(held[first:last], axis=0)
            outside = int((last - first) * OUTSIDE)
            ranges[at] = np.stack([ends[outside], ends[-1 - outside]], axis=1)
            passed[at] = (following[first:last] <= 0).mean()
        place = place * STEPS + np.maximum(made[:, turn], 0)
    return counts, ranges, passed


@dataclass(frozen=True, slots=True)
class Prepared(Rows):
    """Examples as the compiled loops take them."""

    opened: NDArray[np.int8]  # the opening step of each example
    east: NDArray[np.int32]  # the cell of each East hand
    west: NDArray[np.int32]  # the cell of each West hand
    scores: NDArray[np.int16]

    @classmethod
    def of(cls, examples: Examples, openings: NDArray[np.int8]) -> Prepared:
        """Return examples in this form."""
        return cls(
            opening_steps(examples.east, openings).astype(np.int8),
            cells(examples.east).astype(np.int32),
            cells(examples.west).astype(np.int32),
            examples.scores,
        )

    def points(self, contracts: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return what contracts score, one for each example."""
        scored: NDArray[np.float64] = self.scores[np.arange(len(contracts)), contracts] / SCALE
        return scored


def split(examples: Examples, share: int = 20) -> tuple[Examples, Examples]:
    """Return the examples to learn from, and those held back to check with."""
    # All examples of a deal (`Examples.deal`) stay together, as do twenty deals in a row.
    held = examples.deal // 20 % share == share - 1
    return examples.rows(~held), examples.rows(held)


class Learner:
    """Values that are being learned, from the beginning or a checkpoint."""

    def __init__(self, settings: tiles.TileSettings, rounds: int, seed: int) -> None:
        self.tiles_of, rows = tiles.tiles_of_cells()
        self.values = tiles.new_values(rows)
        self.done = 0
        self._settings = settings
        self.rounds, self.seed = rounds, seed

    def learn(self, examples: Prepared) -> float:
        """Take a round and return its mean points; an interruption does not change a round."""
        begin, end = (self._at(done / self.rounds) for done in (self.done, self.done + 1))
        reached: float = tiles.learn(
            self.values,
            self.tiles_of,
            examples.opened,
            examples.east,
            examples.west,
            examples.scores,
            ROUND,
            begin,
            end,
            new_state(np.random.default_rng([self.seed, self.done])),
        )
        self.done += 1
        return reached

    def _at(self, share: float) -> tuple[float, float]:
        """Return rate and exploration after a share of the rounds."""
        # Both fall evenly, the rate to a fiftieth, the exploration to nothing.
        return self._settings.rate * (1 - 0.98 * share), self._settings.exploration * (1 - share)

    def points(self, examples: Prepared) -> NDArray[np.float64]:
        """Return what examples score by the current values."""
        contracts = tiles.bid(
            self.values, self.tiles_of, examples.opened, examples.east, examples.west
        )
        return examples.points(contracts)

    def write(self, path: Path) -> None:
        """Write the number of rounds, and the values of the situations that were learned."""
        with path.open("wb") as file:
            np.save(file, self.done)
            for some in self._parts():
                learned = some.any(axis=2)
                np.save(file, np.packbits(learned))
                np.save(file, some[learned])

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        with path.open("rb") as file:
            self.done = int(np.load(file))
            for some in self._parts():
                learned = np.unpackbits(np.load(file), count=some[..., 0].size)
                some[learned.reshape(some.shape[:2]).view(np.bool_)] = np.load(file)

    def _parts(self) -> Iterator[tiles.Values]:
        """Yield the rows in parts, as a copy of all of them takes as much memory again."""
        for first in range(0, len(self.values), _ROWS):
            yield self.values[first : first + _ROWS]


class Rounds:
    """The course of a learner; TrainingError if there are too few examples."""

    def __init__(
        self, learner: Learner, openings: NDArray[np.int8], examples: Iterable[Examples]
    ) -> None:
        self.read, self.write = learner.read, learner.write
        self._learner, self._openings = learner, openings
        self._examples, self._checked = _prepared(examples, openings)
        if not len(self._checked):
            text = "too few deals: with fewer than 400 none is held back to measure it"
            raise TrainingError(text)

    @property
    def done(self) -> int:
        """The number of rounds done."""
        return self._learner.done

    def learn(self) -> dict[str, float]:
        """Take a round and return its mean points."""
        return {"learning": self._learner.learn(self._examples)}

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the mean points in learning, and on the examples held back."""
        return {**means, "checked": float(self._learner.points(self._checked).mean())}

    def write_weights(self, path: Path) -> None:
        """Write the table of the steps with the highest values."""
        learner = self._learner
        rng = np.random.default_rng([learner.seed, learner.rounds])
        table_of(learner.values, self._openings, rng, AUCTIONS).write(path)


def _prepared(
    examples: Iterable[Examples], openings: NDArray[np.int8]
) -> tuple[Prepared, Prepared]:
    """Return the examples to learn from and those to check with, without their hands."""
    learned_from: list[Prepared] = []
    held: list[Prepared] = []
    for part in examples:
        for some, whole in zip(split(part), (learned_from, held), strict=True):
            whole.append(Prepared.of(some, openings))
    return joined(learned_from), joined(held).rows(slice(_CHECKED))
