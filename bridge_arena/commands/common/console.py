"""The console that commands print tables and text on."""

from __future__ import annotations

import sys

from rich.console import Console
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
