"""The parts that the commands share that train a bot: data, folder, progress, interruption."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module, resources
from math import isnan, nan
from pathlib import Path
from typing import TypeVar

from bridge_arena.bots.library.learning.arrays import ArraysError, joined
from bridge_arena.bots.library.learning.run import TrainingError, TrainingRun
from bridge_arena.bots.library.openings.data import Openings, OpeningsError, read_openings
from bridge_arena.bots.library.tricks.data import Known, MeansError, read_means
from bridge_arena.bots.library.tricks.net import TricksNet, shipped
from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError, unusable
from bridge_arena.commands.common.folders import alone
from bridge_arena.commands.common.progress import LongWork, Step
from bridge_arena.commands.common.signals import sigterm_as_ctrl_c
from bridge_arena.oracle.solved_deals import SUFFIX, SolvedDeals, SolvedDealsError, read

_Net = TypeVar("_Net")
_Part = TypeVar("_Part")


def computing_on(device: str) -> str:
    """Have torch compute on a device, and say on which one."""
    devices = import_module("bridge_arena.bots.library.learning.device")
    with unusable(ValueError):
        computing: str = devices.compute_on(device)
    print(f"torch computes on {devices.product(computing)}")
    return computing


def deal_files(*paths: Path) -> list[Path]:
    """Return the files of solved deals of paths, at least one of each that is a folder."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix in (SUFFIX, ".txt"))
            if not inside:
                raise UnusableError(f"there are no solved deals in {path}")
            files += inside
        else:
            files.append(path)
    return files


def to_learn_from(files: Iterable[Path], checked: Iterable[Path]) -> list[Path]:
    """Return the files in their order, each once, without those to measure on (`checked`)."""
    kept: dict[Path, Path] = {}
    for file in files:
        kept.setdefault(file.resolve(), file)
    for file in checked:
        kept.pop(file.resolve(), None)
    return list(kept.values())


def solved_deals(files: list[Path]) -> SolvedDeals:
    """Read all deals of the files, at least one. Raises UnusableError."""
    with unusable(SolvedDealsError, reading=True):
        parts = list(read(files))
    if not files:
        raise UnusableError("there are no solved deals but those to measure on")
    if not parts:
        raise UnusableError(f"there are no solved deals in {', '.join(map(str, files))}")
    return SolvedDeals.joined(parts)


def deals_to_learn_from(
    paths: Iterable[Path], check: Path
) -> tuple[SolvedDeals, SolvedDeals, dict[str, object]]:
    """Return the deals to learn from, those to measure on, and both for a run's record."""
    checked = deal_files(check)
    files = to_learn_from(deal_files(*paths), checked)
    held_back, solved = solved_deals(checked), solved_deals(files)
    data: dict[str, object] = {"deals": recorded(files), "check": recorded(checked)}
    data |= {"solved_deals": len(solved), "checked_deals": len(held_back)}
    return solved, held_back, data


def mean_tricks(files: list[Path]) -> Known:
    """Read all pairs with mean tricks of the files, at least one. Raises UnusableError."""
    if not files:
        raise UnusableError("there are no mean tricks but those to measure on")
    with unusable(MeansError, reading=True):
        return joined(map(read_means, files))


def net_of(path: Path, read: Callable[[Path], _Net], what: str) -> _Net:
    """Return what `read` makes of a file of weights."""
    try:
        with unusable(reading=True):
            return read(path)
    except ArraysError as error:
        raise UnusableError(f"no {what}: {error}") from None


def known_openings(path: Path) -> Openings:
    """Read hands with openings. Raises UnusableError."""
    with unusable(OpeningsError, reading=True):
        return read_openings(path)


def recorded(files: Iterable[Path]) -> list[dict[str, str]]:
    """Return the names and SHA-256 of files, for a run's record. Raises UnusableError."""
    with unusable(reading=True):
        return [_recorded(file.name, file.read_bytes()) for file in files]


def recorded_together(name: str, files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of files one after another, under one name. Raises UnusableError."""
    with unusable(reading=True):
        return _recorded(name, b"".join(file.read_bytes() for file in files))


def recorded_shipped(package: str, *names: str) -> dict[str, str]:
    """Return the SHA-256 of a file that ships in a package, under the name `shipped`."""
    return _recorded("shipped", resources.files(package).joinpath(*names).read_bytes())


def _recorded(name: str, data: bytes) -> dict[str, str]:
    return {"name": name, "sha256": hashlib.sha256(data).hexdigest()}


def estimate_of_tricks(path: Path | None) -> tuple[TricksNet, dict[str, str]]:
    """Return the estimate of a file, or the one that ships, with name and SHA-256 for a record."""
    if path is None:
        return shipped(), recorded_shipped("bridge_arena.bots.library.tricks", "weights.npz")
    (entry,) = recorded([path])
    return net_of(path, TricksNet.read, "estimate of tricks"), entry


def estimate_for(
    pairs: int, path: Path | None
) -> tuple[TricksNet, dict[str, str]] | tuple[None, None]:
    """Read the estimate of tricks for a number of random pairs; twice None where there are none."""
    if pairs:
        return estimate_of_tricks(path)
    if path is not None:
        raise UnusableError("--tricks estimates the tricks of --pairs, and there are none")
    return None, None


class ShownRun(TrainingRun):
    """A training run with a bar for each of its phases, which shows a figure of the curve."""

    def __init__(
        self,
        long_work: LongWork,
        figure: str,
        folder: Path,
        trains: str,
        settings: Mapping[str, object],
        *,
        resume: bool,
    ) -> None:
        super().__init__(folder, trains, settings, resume=resume)
        self._long_work = long_work
        self._figure = figure

    def phase(self, name: str, steps: int) -> Callable[[int], None]:
        """Return the callback for a phase, whose bar appears when it is first called."""
        step: Step | None = None

        def on_progress(done: int) -> None:
            nonlocal step
            # What an earlier run has done is not counted in the speed.
            step = step or self._long_work.begin(name, steps, done=done)
            shown = self.latest.get(self._figure, nan)
            figure = "" if isnan(shown) else f": {self._figure.replace('_', ' ')} {shown:.4g}"
            step.show(done, f"{name}{figure}")

        return on_progress


def counted(parts: Iterable[_Part], on_part: Callable[[int], None]) -> Iterator[_Part]:
    """Yield the parts, and call `on_part` before each with its number."""
    for number, part in enumerate(parts, start=1):
        on_part(number)
        yield part


@contextmanager
def training_run(
    trains: str,
    out: Path,
    options: Mapping[str, object],
    settings: Mapping[str, object],
    figure: str,
    *,
    resume: bool,
) -> Iterator[ShownRun]:
    """Hold the training run of a folder in the context, with progress bars."""
    try:
        with alone(out):
            long_work = LongWork()
            run = ShownRun(long_work, figure, out, trains, settings, resume=resume)
            try:
                with sigterm_as_ctrl_c(), long_work:
                    yield run
            except KeyboardInterrupt:
                again = f"{_words(trains, {'out': out, **options})} --resume"
                raise InterruptedCommandError(
                    f"interrupted; go on with: {again}"
                    if run.is_saved
                    else f"interrupted before the first checkpoint; go on with: {again}"
                ) from None
    except TrainingError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"{error.filename or out}: {error.strerror}") from None


def _words(name: str, options: Mapping[str, object]) -> str:
    """Return the command line that trains a bot; values may be lists, and None is left out."""
    given = [
        word
        for option, values in options.items()
        for value in (values if isinstance(values, list) else [values])
        if value is not None
        for word in (f"--{option}", str(value))
    ]
    return shlex.join(["arena", "train", name, *given])
