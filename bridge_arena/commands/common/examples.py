"""The examples of commands, which stand in their docstrings and end their help."""

from __future__ import annotations

import inspect
from collections.abc import Callable

_HEADING = "Examples:"


def help_and_examples(command: Callable[..., object]) -> tuple[str, str]:
    """Return the help of a command, and its examples as the help shows them; "" for none.

    A section `Examples:` is the last of the docstring, and has a command line on each line.
    """
    help_, _, examples = (inspect.getdoc(command) or "").partition(f"\n\n{_HEADING}\n")
    # The mark \b keeps the lines from being wrapped.
    return help_, f"\b\n{_HEADING}\n{examples}" if examples else ""


def examples_of(command: Callable[..., object]) -> list[str]:
    """Return the command lines that the docstring of a command has as examples."""
    _, examples = help_and_examples(command)
    return [line.strip() for line in examples.splitlines()[2:]]
