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
