"""The strict check of supplemental sections, which are tables (PBN 2.1, section 3.6)."""

from __future__ import annotations

from math import inf

from bridge_arena.pbn.strict.finding import Fault, error


class StrictTable:
    """The cells of one table, checked against its header.

    Attributes:
        count: The number of cells so far.
    """

    def __init__(self, header: str) -> None:
        columns = header.split(";")
        # The sign of each column's order, and the limit for its next value.
        self._signs = [column[:1] for column in columns]
        self._limits = [inf if sign == "+" else 0.0 for sign in self._signs]
        # Cells so far.
        self.count = 0

    def cell(self, text: str) -> Fault | None:
        """Check a cell, and return the fault."""
        column = self.count % len(self._signs)
        self.count += 1
        sign = self._signs[column]
        if sign not in ("+", "-") or text == "-":
            return None
        try:
            value = float(text)
        except ValueError:
            return error(f"bad table order: {text} in a sorted column")
        limit = self._limits[column]
        # By the verifier, an ascending column must even begin above zero.
        if value > limit if sign == "+" else value < limit or not value:
            return error(f"bad table order: {text}")
        self._limits[column] = value
        return None

    def verify(self) -> Fault | None:
        """Check at the end of the table that all rows are full, and return the fault."""
        if self.count % len(self._signs):
            return error(f"bad table: {self.count} cells in {len(self._signs)} columns")
        return None
