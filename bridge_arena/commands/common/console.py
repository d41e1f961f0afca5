"""The console that commands print tables, text and the progress of long work on."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


def warn(console: Console, line: str) -> None:
    """Print a warning while a command works."""
    console.print(Text(f"arena: {line}", style="yellow"), soft_wrap=True)


def output_console() -> Console:
    """Return the console on standard output.

    It folds text on a terminal only: a program that reads a file or pipe finds each line whole.
    Tables have the same width everywhere.
    """
    return Console(soft_wrap=not sys.stdout.isatty())


def progress_bar(console: Console, measure: ProgressColumn | None = None) -> Progress:
    """Make a bar that disappears at the end, and is not shown where there is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        measure or _Rate(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        # A file or pipe gets what is printed meanwhile.
        redirect_stdout=sys.stdout.isatty(),
        disable=not console.is_terminal,
    )


class _Rate(ProgressColumn):
    """Units per second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f}/s")
