"""What the commands share that train a bot: the folder, the progress, and how they end."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console

from bots.learning.run import TrainingError, TrainingRun
from oracle.solved_deals import SUFFIX
from tournaments.commands.errors import InterruptedCommandError, UnusableError
from tournaments.commands.progress import progress_bar
from tournaments.commands.signals import sigterm_as_ctrl_c

Out = Annotated[Path, typer.Option(metavar="DIR", help="folder for weights, curve and checkpoint")]
Resume = Annotated[bool, typer.Option("--resume", help="go on with the training in DIR")]
Steps = Annotated[int, typer.Option(min=1, help="steps of the optimizer")]
Seed = Annotated[int, typer.Option(help="of all that is drawn at random")]


def training_module(name: str) -> ModuleType:
    """A module that needs the extra for training. Raises UnusableError where it is missing."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "numba"):
            raise
        raise UnusableError(
            f"training needs {error.name}, of the extra: pip install bridge-arena[train]"
        ) from None


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


@contextmanager
def training_run(
    command: str, out: Path, settings: Mapping[str, object], steps: int, *, resume: bool
) -> Iterator[tuple[TrainingRun, Callable[[int], None]]]:
    """The run of a folder, and what is told the steps that are done; they are shown.

    `command`: the words that go on with it, without `--resume`. Raises UnusableError,
    InterruptedCommandError.
    """
    try:
        run = TrainingRun(out, settings, resume=resume)
        with sigterm_as_ctrl_c(), progress_bar(Console(stderr=True)) as progress:
            task = progress.add_task("training", total=steps)
            yield run, lambda done: progress.update(task, completed=done)
    except TrainingError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"cannot write {error.filename or out}: {error.strerror}") from None
    except KeyboardInterrupt:
        words = command if resume else f"{command} --resume"
        raise InterruptedCommandError(f"interrupted; go on with: {words}") from None


def words(name: str, options: Mapping[str, object]) -> str:
    """The command line that trains a bot."""
    given = [word for option, value in options.items() for word in (f"--{option}", str(value))]
    return shlex.join(["arena", "train", name, *given])
