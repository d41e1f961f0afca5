"""Cells of CSV files that people open in spreadsheets."""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")

_FORMULA = re.compile(r"[=+\-@\t\r].", re.DOTALL)
"""The beginning of what a spreadsheet may take for a formula; a sign alone is none."""


def as_text(cell: T) -> T | str:
    """Return a cell so that a spreadsheet shows a text as it is.

    Args:
        cell: The cell: a name or text that anybody may have chosen, or something else.

    Returns:
        The cell; a text that would be a formula has an apostrophe before it.
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
