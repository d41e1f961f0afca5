"""Training of the table that ships, compiled: rounds of learning by tiles, kept in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bots.library.learning.loop import follow
from bridge_arena.bots.library.learning.run import TrainingError, TrainingRun
from bridge_arena.bots.qtable import tiles
from bridge_arena.bots.qtable.bidding_table import WEIGHTS
from bridge_arena.bots.qtable.cells import cells, opening_steps
from bridge_arena.bots.qtable.examples import SCALE, Examples
from bridge_arena.bots.qtable.meanings import AUCTIONS, table_of
from bridge_arena.bots.qtable.randomness import new_state

ROUND = 250_000
"""Examples of a round."""

KEPT_EVERY = 10
"""Rounds between two checkpoints."""

_ROWS = 256
"""Rows of the values that are copied at once."""

_CHECKED = 40_000
"""Examples, of those held back, on which the curve is measured."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Examples as the compiled loops take them.

    Attributes:
        opened: The opening step of each example.
        east: The cell of each East hand.
        west: The cell of each West hand.
        scores: The scores, as in `Examples`.
    """

    opened: NDArray[np.int8]
    east: NDArray[np.int32]
    west: NDArray[np.int32]
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

    def __len__(self) -> int:
        return len(self.opened)

    def first(self, number: int) -> Prepared:
        """Return the first `number` examples, or all if there are fewer."""
        few = slice(number)
        return Prepared(self.opened[few], self.east[few], self.west[few], self.scores[few])

    def points(self, contracts: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return what contracts score, one for each example."""
        found: NDArray[np.float64] = self.scores[np.arange(len(contracts)), contracts] / SCALE
        return found


def split(examples: Examples, share: int = 20) -> tuple[Examples, Examples]:
    """Return the examples to learn from, and those held back to check with.

    All examples of a deal (`Examples.deal`) stay together, as do twenty deals in a row.

    Args:
        examples: All examples.
        share: One deal in so many is held back.

    Returns:
        The two parts.
    """
    held = examples.deal // 20 % share == share - 1
    return examples.where(~held), examples.where(held)


class Learner:
    """Values that are being learned, from the beginning or a checkpoint.

    Args:
        settings: The settings of the learning.
        rounds: How many rounds there are in all.
        seed: The seed of the random numbers.

    Attributes:
        tiles_of: The rows of each cell.
        values: The values.
        done: The number of rounds done.
    """

    def __init__(self, settings: tiles.TileSettings, rounds: int, seed: int) -> None:
        self.tiles_of, rows = tiles.tiles_of_cells()
        self.values = tiles.new_values(rows)
        self.done = 0
        self._settings = settings
        self._rounds = rounds
        self._seed = seed

    def learn(self, examples: Prepared) -> float:
        """Take a round and return its mean points; an interruption does not change a round."""
        begin, end = (self._at(done / self._rounds) for done in (self.done, self.done + 1))
        found: float = tiles.learn(
            self.values,
            self.tiles_of,
            examples.opened,
            examples.east,
            examples.west,
            examples.scores,
            ROUND,
            begin,
            end,
            new_state(np.random.default_rng([self._seed, self.done])),
        )
        self.done += 1
        return found

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
    """The course of a learner.

    Args:
        learner: The learner.
        examples: The examples to learn from.
        checked: The examples on which the curve is measured.
    """

    def __init__(self, learner: Learner, examples: Prepared, checked: Prepared) -> None:
        self.read, self.write = learner.read, learner.write
        self._learner, self._examples, self._checked = learner, examples, checked

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


def train(
    run: TrainingRun,
    settings: tiles.TileSettings,
    openings: NDArray[np.int8],
    examples: Iterable[Examples],
    rounds: int,
    seed: int,
    told: Callable[[int], None],
) -> Path:
    """Train the table in a folder, from the last checkpoint if there is one.

    Args:
        run: The folder of the run, with its curve and checkpoints.
        settings: The settings of the learning.
        openings: The opening step of each of Prorok's states.
        examples: The examples, in parts.
        rounds: How many rounds to take.
        seed: The seed of the random numbers.
        told: Called with the number of rounds done, at the start and after every round, and once
            more when the meanings of the calls have been measured.

    Returns:
        The file of the table.

    Raises:
        TrainingError: There are too few examples.
    """
    prepared, checked = _prepared(examples, openings)
    if not len(checked):
        raise TrainingError("too few deals: with fewer than 400 none is held back to measure it")
    learner = Learner(settings, rounds, seed)
    follow(run, Rounds(learner, prepared, checked), rounds, 1, told, kept=KEPT_EVERY)
    weights = run.folder / WEIGHTS
    rng = np.random.default_rng([seed, rounds])
    table_of(learner.values, openings, rng, AUCTIONS).write(weights)
    told(rounds + 1)
    return weights


def _prepared(
    examples: Iterable[Examples], openings: NDArray[np.int8]
) -> tuple[Prepared, Prepared]:
    """Return the examples to learn from and those to check with, without their hands."""
    learned_from: list[Prepared] = []
    held: list[Prepared] = []
    for part in examples:
        for some, whole in zip(split(part), (learned_from, held), strict=True):
            whole.append(Prepared.of(some, openings))
    return joined(learned_from), joined(held).first(_CHECKED)
