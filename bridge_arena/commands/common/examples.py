"""Examples of commands: they stand in the docstrings of commands, and end the help."""

from __future__ import annotations

import inspect
from collections.abc import Callable

_HEADING = "Examples:"


def told_apart(command: Callable[..., object]) -> tuple[str, str]:
    """Return the help of a command, and its examples as the help shows them.

    Args:
        command: A function whose docstring may have a section `Examples:`, the last, with a
            command line on each line.
    """
    help_, _, examples = (inspect.getdoc(command) or "").partition(f"\n\n{_HEADING}\n")
    # The mark keeps the lines as they are.
    return help_, f"\b\n{_HEADING}\n{examples}" if examples else ""


def examples_of(command: Callable[..., object]) -> list[str]:
    """Return the command lines that the docstring of a command has as examples."""
    _, examples = told_apart(command)
    return [line.strip() for line in examples.splitlines()[2:]]
