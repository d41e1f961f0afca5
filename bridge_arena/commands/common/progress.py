"""A bar that shows the progress and the speed of long work."""

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


def progress_bar(console: Console) -> Progress:
    """Make a bar that disappears at the end, and is not shown where there is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
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
