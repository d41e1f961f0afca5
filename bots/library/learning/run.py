"""A training run: its folder, with settings, curve and checkpoint, and the loop of all trainings.

record.json    what is trained, its settings, seed and data, and the versions it ran on
curve.csv      a row of figures every so many steps
curve.svg      the same, drawn as the training goes
checkpoint     what the trainer needs to continue, in its own form
"""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Callable, Container, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.files import replace_file, replacing
from bridge_arena.base.plots import FIRST, Plot, document, thinned
from bridge_arena.bots.library.learning.arrays import UNREADABLE, Arrays, ArraysError, write_arrays
from bridge_arena.bots.library.learning.hands import Hands, random_pairs

_PACKAGES = ("bridge-arena", "numpy", "numba", "torch", "pytorch-optimizer")

WEIGHTS = "weights.npz"
"""The file of a run that holds what was learned."""

_BETWEEN_PLOTS = 10.0
"""Seconds, at least, between two plots of the curve."""


class TrainingError(Exception):
    """The error of a run that cannot begin or continue in its folder."""


class Course(Protocol):
    """What learns step by step, and goes on from a file."""

    @property
    def done(self) -> int:
        """The number of steps done."""

    def learn(self) -> dict[str, float]:
        """Take a step, or several, and return figures of it."""

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return a row of the curve."""

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""

    def write(self, path: Path) -> None:
        """Write all that the next steps depend on."""

    def write_weights(self, path: Path) -> None:
        """Write what was learned, as the bot reads it, and what belongs beside it."""


class TrainingRun:
    """A training run in a folder; `resume` says whether it continues one that is there.

    `settings`, of JSON's types, identify the run; `latest` are the figures of the curve's last row.

    Raises TrainingError if the folder holds a run that is not to be continued, or another one, or
    one with a damaged record, or no run to continue; and OSError.
    """

    def __init__(
        self, folder: Path, trains: str, settings: Mapping[str, object], *, resume: bool
    ) -> None:
        self.folder = folder
        self.settings = dict(settings)
        self._trains = trains
        self.latest: Mapping[str, float] = {}
        self._curve = folder / "curve.csv"
        self._checkpoint = folder / "checkpoint"
        record = folder / "record.json"
        if record.exists():
            if not resume:
                raise TrainingError(f"{folder} holds a training run: --resume, or another folder")
            begun = _flat(_begun(record, trains))
            wanted = _flat(json.loads(json.dumps(self.settings)))
            changed = [
                _change(name, begun.get(name), wanted.get(name))
                for name in sorted(begun.keys() | wanted.keys())
                if begun.get(name) != wanted.get(name)
            ]
            if changed:
                raise TrainingError(f"{folder} was begun with other settings: {', '.join(changed)}")
            # A damaged curve is reported now, not after some hours of training.
            self.latest = (self.curve() or [{}])[-1]
        elif self.is_saved or self._curve.exists():
            raise TrainingError(f"{folder} holds a training run that lacks its {record.name}")
        elif resume:
            raise TrainingError(f"{folder}: there is no training run to go on with")
        elif (folder / WEIGHTS).exists():
            raise TrainingError(f"{folder} holds a {WEIGHTS} of no training run")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            kept = {"trains": trains, "settings": self.settings, "versions": versions()}
            text = json.dumps(kept, indent=2)
            replace_file(record, f"{text}\n".encode())

    def go_on(self, read: Callable[[Path], object]) -> None:
        """Call `read` with the last checkpoint, if there is one; TrainingError if it is damaged."""
        if not self.is_saved:
            return
        try:
            read(self._checkpoint)
        except UNREADABLE as error:
            text = f"{self._checkpoint} is damaged: without it the run begins again"
            raise TrainingError(text) from error

    @property
    def is_saved(self) -> bool:
        """Whether there is a checkpoint to continue from."""
        return self._checkpoint.exists()

    def save(self, write: Callable[[Path], None]) -> None:
        """Replace the checkpoint by what `write` puts into the file that it is given."""
        with replacing(self._checkpoint) as unfinished:
            write(unfinished)

    def note(self, step: int, **figures: float) -> None:
        """Add a row to the curve, and drop rows of later steps that an interruption left."""
        rows = [row for row in self.curve() if row["step"] < step]
        self.latest = figures
        rows.append({"step": step, **figures})
        if rows[0].keys() != rows[-1].keys():
            raise self._damaged_curve()
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[-1]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        replace_file(self._curve, text.getvalue().encode())

    def curve(self) -> list[dict[str, float]]:
        """Return the figures of each row so far, by name, with its `step`; or TrainingError."""
        if not self._curve.exists():
            return []
        try:
            with self._curve.open(newline="", encoding="utf-8") as file:
                rows = [
                    {"step": int(row.pop("step")), **{name: float(row[name]) for name in row}}
                    for row in csv.DictReader(file)
                ]
        except (ValueError, TypeError, KeyError, csv.Error) as error:
            raise self._damaged_curve() from error
        return rows

    def _damaged_curve(self) -> TrainingError:
        return TrainingError(f"{self._curve} is damaged")

    def draw(self) -> None:
        """Draw the curve: each figure over the steps."""
        rows = self.curve()
        names = [name for name in rows[-1] if name != "step"] if rows else []
        if not names:
            return
        plots = [
            Plot(name.replace("_", " "), "steps", height=140, has_zero=False) for name in names
        ]
        for plot, name in zip(plots, names, strict=True):
            points = [(rows[at]["step"], rows[at][name]) for at in thinned(len(rows))]
            plot.line(points, FIRST)
            plot.dots(points[-1:], FIRST)
        text = document(f"Training of {self._trains}", plots)
        replace_file(self.folder / "curve.svg", text.encode())

    def train(
        self,
        course: Course,
        steps: int,
        every: int,
        on_progress: Callable[[int], None],
        *,
        ends: Container[int] = (),
        kept: int = 1,
    ) -> Path:
        """Learn to the end, from the last checkpoint if there is one; return the weights' file.

        The curve has a row every so many steps, and a checkpoint is saved after `kept` rows; at the
        last step and at `ends` there are both. `on_progress` gets the number of steps done, at the
        start and after each. The same steps follow a checkpoint as without it, if `learn` draws its
        random numbers from those of its step. Raises TrainingError if the run cannot go on.
        """
        self.go_on(course.read)
        on_progress(course.done)
        figures: dict[str, list[float]] = {}
        drawn = monotonic()
        while course.done < steps:
            for name, figure in course.learn().items():
                figures.setdefault(name, []).append(figure)
            done = course.done
            if done % every == 0 or done == steps or done in ends:
                means = {name: float(np.mean(values)) for name, values in figures.items()}
                self.note(done, **course.row(means))
                figures = {}
                if done == steps or monotonic() - drawn > _BETWEEN_PLOTS:
                    self.draw()
                    drawn = monotonic()
                if done % (every * kept) == 0 or done == steps or done in ends:
                    self.save(course.write)
            on_progress(done)
        weights = self.folder / WEIGHTS
        course.write_weights(weights)
        return weights


def measured_pairs(
    rng: np.random.Generator,
    pairs: int,
    chunk: int,
    folder: Path | None,
    measure: Callable[[Hands, Hands], NDArray[Any]],
    *shape: int | None,
) -> Iterator[tuple[Hands, Hands, NDArray[Any]]]:
    """Yield random pairs of hands and what is measured of them, `chunk` pairs at a time.

    The folder keeps what was measured, so that nothing is measured twice; None keeps nothing. What
    `measure` returns for hands and partners, n×52 each, has `shape` after its first dimension; None
    allows any size. Raises TrainingError if a file of the folder is damaged.
    """
    for first in range(0, pairs, chunk):
        hands, partners = random_pairs(rng, min(chunk, pairs - first))
        path = folder and folder / f"pairs-{first // chunk:05d}.npz"
        if path and path.exists():
            try:
                measured = Arrays(path).numbers("made", len(hands), *shape)
            except ArraysError as error:
                raise TrainingError(f"{error}: without the file it is made again") from None
        else:
            measured = measure(hands, partners)
            if path:
                path.parent.mkdir(exist_ok=True)
                write_arrays(path, {"made": measured})
        yield hands, partners, measured


def _begun(record: Path, trains: str) -> dict[str, object]:
    """Return the settings that a run was begun with, or raise TrainingError or OSError."""
    try:
        kept = json.loads(record.read_text(encoding="utf-8"))
        begun, settings = kept["trains"], kept["settings"]
    except (ValueError, TypeError, KeyError, RecursionError):
        begun = settings = None
    if not isinstance(settings, dict):
        raise TrainingError(f"{record} does not say what run was begun")
    if begun != trains:
        raise TrainingError(f"{record.parent} holds a training of {begun}, not of {trains}")
    return settings


def _change(name: str, begun: object, now: object) -> str:
    """Return the text of a changed setting; for one of several values, its name only."""
    if isinstance(begun, list | dict | None) or isinstance(now, list | dict | None):
        return name
    return f"{name} {begun}, not {now}"


def _flat(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings with those in a nested mapping under NAME.PART."""
    flat: dict[str, object] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{part}": part_value for part, part_value in value.items()}
        else:
            flat[name] = value
    return flat


def versions() -> dict[str, str]:
    """Return the versions of Python and of the installed packages that training depends on."""
    installed = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            continue
    return installed
