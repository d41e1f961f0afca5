"""What the commands share that train a bot: the data, the folder, the progress, and how they
end."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module, resources
from pathlib import Path
from types import ModuleType
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from bridge_arena.bots.library.learning.arrays import ArraysError, joined
from bridge_arena.bots.library.learning.run import TrainingError, TrainingRun
from bridge_arena.bots.library.tricks.data import Known, MeansError, read_means
from bridge_arena.bots.library.tricks.net import TricksNet, shipped
from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError
from bridge_arena.commands.common.progress import progress_bar
from bridge_arena.commands.common.signals import sigterm_as_ctrl_c
from bridge_arena.commands.train.folder_lock import BusyError, alone
from bridge_arena.oracle.solved_deals import SUFFIX, SolvedDeals, SolvedDealsError, read

Out = Annotated[Path, typer.Option(metavar="DIR", help="folder for weights, curve and checkpoint")]
Resume = Annotated[bool, typer.Option("--resume", help="go on with the training in DIR")]
Steps = Annotated[int, typer.Option(min=1, help="steps of the optimizer")]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="of all that is drawn at random")]

Device = Annotated[
    str, typer.Option(metavar="DEVICE", help="where torch computes: cpu, or cuda for a GPU")
]


def training_module(name: str, device: str = "cpu") -> ModuleType:
    """A module that needs the extra for training, where torch computes on a device. Raises
    UnusableError where torch cannot."""
    try:
        # To be told of a device costs time at every tensor that is made, of the processor too.
        if device != "cpu":
            import_module("bridge_arena.bots.library.learning.device").compute_on(device)
        return import_module(name)
    except ValueError as error:
        raise UnusableError(str(error)) from None


def deal_files(path: Path) -> list[Path]:
    """The files of solved deals that a path stands for: itself, or all of a folder.

    Raises UnusableError where there is nothing.
    """
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in (SUFFIX, ".txt"))
    if not found:
        raise UnusableError(f"there are no solved deals in {path}")
    return found


def to_learn_from(files: Iterable[Path], checked: Iterable[Path]) -> list[Path]:
    """Files in their order, each once, without those that are to measure on."""
    known = {file.resolve() for file in checked}
    kept: list[Path] = []
    for file in files:
        if file.resolve() not in known:
            known.add(file.resolve())
            kept.append(file)
    return kept


def solved_deals(files: list[Path]) -> SolvedDeals:
    """All deals of some files, at least one. Raises UnusableError."""
    try:
        parts = list(read(files))
    except SolvedDealsError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None
    if not files:
        raise UnusableError("there are no solved deals but those to measure on")
    if not parts:
        raise UnusableError(f"there are no solved deals in {', '.join(map(str, files))}")
    return SolvedDeals(
        np.concatenate([part.seats for part in parts]),
        np.concatenate([part.tricks for part in parts]),
    )


def mean_tricks(files: list[Path]) -> Known:
    """All pairs with mean tricks of some files, at least one. Raises UnusableError."""
    if not files:
        raise UnusableError("there are no mean tricks but those to measure on")
    try:
        return joined(map(read_means, files))
    except MeansError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None


def recorded(files: Iterable[Path]) -> list[dict[str, str]]:
    """What a run's record holds of files: name and SHA-256. Raises UnusableError."""
    try:
        return [_recorded(file.name, file.read_bytes()) for file in files]
    except OSError as error:
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None


def recorded_shipped(package: str, *names: str) -> dict[str, str]:
    """As `recorded`, of a file that ships in a package, under the name shipped."""
    return _recorded("shipped", resources.files(package).joinpath(*names).read_bytes())


def _recorded(name: str, data: bytes) -> dict[str, str]:
    return {"name": name, "sha256": hashlib.sha256(data).hexdigest()}


def estimate_of_tricks(path: Path | None) -> tuple[TricksNet, dict[str, str]]:
    """That of a file, or that which ships, and what a run's record holds of it.

    Raises UnusableError.
    """
    if path is None:
        return shipped(), recorded_shipped("bridge_arena.bots.library.tricks", "weights.npz")
    (found,) = recorded([path])
    try:
        return TricksNet.read(path), found
    except ArraysError as error:
        raise UnusableError(f"no estimate of tricks: {error}") from None


def estimate_for(
    pairs: int, path: Path | None
) -> tuple[TricksNet, dict[str, str]] | tuple[None, None]:
    """That by which so many random pairs are estimated; none where there are none.

    Raises UnusableError, also for a file that nothing would be asked of.
    """
    if pairs:
        return estimate_of_tricks(path)
    if path is not None:
        raise UnusableError("--tricks estimates the tricks of --pairs, and there are none")
    return None, None


@contextmanager
def training_run(
    trains: str,
    out: Path,
    options: Mapping[str, object],
    settings: Mapping[str, object],
    steps: int,
    *,
    resume: bool,
) -> Iterator[tuple[TrainingRun, Callable[[int], None]]]:
    """The run of a folder, and what is told the steps that are done; they are shown.

    `trains`: what `arena train` trains; `options`: of the command that goes on with it, beside
    `--out` and `--resume`. Raises UnusableError, InterruptedCommandError.
    """
    try:
        run = TrainingRun(out, trains, settings, resume=resume)
        try:
            with alone(out), sigterm_as_ctrl_c(), progress_bar(Console(stderr=True)) as progress:
                task = progress.add_task("training", total=steps)
                yield run, lambda done: progress.update(task, completed=done)
        except KeyboardInterrupt:
            again = f"{_words(trains, {'out': out, **options})} --resume"
            raise InterruptedCommandError(
                f"interrupted; go on with: {again}"
                if run.is_saved
                else f"interrupted before the first checkpoint; go on with: {again}"
            ) from None
    except (TrainingError, BusyError) as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"{error.filename or out}: {error.strerror}") from None


def _words(name: str, options: Mapping[str, object]) -> str:
    """The command line that trains a bot: options with a value, several in a list, or None."""
    given = [
        word
        for option, values in options.items()
        for value in (values if isinstance(values, list) else [values])
        if value is not None
        for word in (f"--{option}", str(value))
    ]
    return shlex.join(["arena", "train", name, *given])
