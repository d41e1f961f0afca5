"""Reads what the docstring of a class says of the class and of its attributes."""

from __future__ import annotations

import inspect
import re


def summary(described: type) -> str:
    """Return the first paragraph of a class's docstring."""
    return " ".join(inspect.cleandoc(described.__doc__ or "").partition("\n\n")[0].split())


def attributes(described: type) -> dict[str, str]:
    """Return the meaning of each attribute that a class, or a class that it builds on, describes.

    Args:
        described: A class with a section `Attributes:` in its docstring.

    Returns:
        The texts, each on one line, by the attributes' names.
    """
    found: dict[str, str] = {}
    for base in reversed(described.__mro__):
        text = inspect.cleandoc(base.__dict__.get("__doc__") or "")
        _, _, section = text.partition("\nAttributes:\n")
        for name, meaning in re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", section, re.MULTILINE):
            found[name] = " ".join(meaning.split())
    return found
