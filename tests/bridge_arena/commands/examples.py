"""The examples that the docstrings of commands have."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.commands.common.examples import help_and_examples


def examples_of(command: Callable[..., object]) -> list[str]:
    """Return the command lines that the docstring of a command has as examples."""
    _, examples = help_and_examples(command)
    return [line.strip() for line in examples.splitlines()[2:]]
