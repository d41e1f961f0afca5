"""The loop of all trainings: learn step by step, and now and then note, draw and save."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path
from time import monotonic
from typing import Protocol

import numpy as np

from bridge_arena.bots.library.learning.run import TrainingRun

_BETWEEN_PLOTS = 10.0
"""Seconds, at least, between two plots of the curve: one takes as long as many steps."""


class Course(Protocol):
    """What learns step by step, and goes on from a file."""

    @property
    def done(self) -> int:
        """The number of steps done."""

    def learn(self) -> dict[str, float]:
        """Take a step, or several, and return figures of it."""

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return a row of the curve.

        Args:
            means: The means of the figures of the steps since the row before.

        Returns:
            The figures of the row, always of the same names.
        """

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""

    def write(self, path: Path) -> None:
        """Write all that the next steps depend on."""


def follow(
    run: TrainingRun,
    course: Course,
    steps: int,
    every: int,
    told: Callable[[int], None],
    *,
    ends: Container[int] = (),
    kept: int = 1,
) -> None:
    """Learn to the end, from the last checkpoint if there is one.

    The same steps follow a checkpoint as without it, if `learn` draws its random numbers from
    those of its step.

    Args:
        run: The folder of the run, with its curve and checkpoints.
        course: What learns.
        steps: The number of steps.
        every: The steps between two rows of the curve; the last step has one too.
        told: Called with the number of steps done, at the start and after each.
        ends: Other steps with a row.
        kept: The rows of the curve from one checkpoint to the next.

    Raises:
        TrainingError: The folder's run cannot be continued.
        OSError: A file cannot be read or written.
    """
    run.go_on(course.read)
    told(course.done)
    figures: dict[str, list[float]] = {}
    drawn = monotonic()
    while course.done < steps:
        for name, figure in course.learn().items():
            figures.setdefault(name, []).append(figure)
        done = course.done
        if done % every == 0 or done == steps or done in ends:
            means = {name: float(np.mean(found)) for name, found in figures.items()}
            run.note(done, **course.row(means))
            figures = {}
            if done == steps or monotonic() - drawn > _BETWEEN_PLOTS:
                run.draw()
                drawn = monotonic()
            if done % (every * kept) == 0 or done == steps or done in ends:
                run.save(course.write)
        told(done)
