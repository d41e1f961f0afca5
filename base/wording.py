"""Texts for people: counts, lines of a terminal, cells of a spreadsheet, messages."""

from __future__ import annotations

import os
import re
from errno import errorcode
from typing import TypeVar

T = TypeVar("T")

_FORMULA = re.compile(r"[=+\-@\t\r].", re.DOTALL)
"""The beginning of what a spreadsheet may take for a formula; a sign alone is none."""


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun: `1 board`, `2 boards`; `nouns` is the plural without `s`."""
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or noun + 's'}"


def one_line(text: str, most: int | None = None) -> str:
    """Return a text of others as a line for terminals and logs, cut to a length if one is given.

    A blank stands for each character that cannot be printed.
    """
    return "".join(letter if letter.isprintable() else " " for letter in text[:most])


def duration(seconds: float) -> str:
    """Return a time in the unit that leaves one or two digits before the point."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def time_left(seconds: float, done: float, left: float) -> str:
    """Return about how long the rest takes at the pace so far; "" if nothing is done or left.

    It took `seconds` to get as far as `done`, in the unit of `left`.
    """
    return f"about {duration(seconds / done * left)} left" if done > 0 and left > 0 else ""


def as_text(cell: T) -> T | str:
    """Return a cell of a CSV file so that a spreadsheet shows a text as it is.

    A text, which anybody may have chosen, gets an apostrophe before it if it would be a formula.
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def cannot_listen(place: object, error: OSError) -> str:
    """Return the line that says why nothing can listen on a host and port, or a path."""
    # The error's own text may repeat the address, but only it explains a name that is not found.
    is_known = error.errno in errorcode
    reason = os.strerror(error.errno or 0) if is_known else error.strerror or str(error)
    return f"cannot listen on {place}: {reason}"
