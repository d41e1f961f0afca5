"""Supplemental sections as tables: columns from the header, rows of cells.

See PBN 2.1, section 5.2. This module does not interpret the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from bridge_arena.base.recorded_text import capped
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.write.layout import LONGEST_LINE

TABLES = frozenset(
    "ActionTable AuctionTimeTable InstantScoreTable OptimumPlayTable OptimumResultTable "
    "PlayTimeTable ScoreTable TotalScoreTable".split()
)
"""The tables that the standard defines (sections 5.3 to 5.10)."""

_COLUMN = re.compile(
    r"(?P<order>[+-]?)(?P<name>[^\\]*)(?:\\(?P<width>[0-9]+)(?P<align>[LR]?))?", re.S
)


class Order(Enum):
    """The order of a column, by its sign in the header."""

    NONE = ""
    DESCENDING = "+"
    ASCENDING = "-"


class Align(Enum):
    """The alignment of cells in a column of a given width, by its letter in the header."""

    ANY = ""
    LEFT = "L"
    RIGHT = "R"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: The column's name.
        order: Whether and how it is sorted.
        width: The least width of its cells; 0 if the header gives none, or one wider than a line.
        align: The alignment of its cells.
    """

    name: str
    order: Order = Order.NONE
    width: int = 0
    align: Align = Align.ANY

    @classmethod
    def parse(cls, text: str) -> Column:
        r"""Return a column of a header, `[+|-]Name[\width[L|R]]`; any other text is all name."""
        match = _COLUMN.fullmatch(text)
        if match is None:
            return cls(text)
        width = capped(match["width"] or "0")
        return cls(
            match["name"],
            Order(match["order"]),
            width if width <= LONGEST_LINE else 0,
            Align(match["align"] or ""),
        )

    def __str__(self) -> str:
        width = f"\\{self.width}{self.align.value}" if self.width else ""
        return f"{self.order.value}{self.name}{width}"

    def padded(self, cell: str) -> str:
        """Return a cell filled up to the column's width."""
        if self.align is Align.RIGHT:
            return cell.rjust(self.width)
        return cell.ljust(self.width)


@dataclass(frozen=True, slots=True)
class PbnTable:
    """The columns and rows of a table; the cells are as in the file, strings with their quotes.

    Every row has as many cells as there are columns; only the last may have fewer, if the file has
    too few.

    Attributes:
        columns: The columns.
        rows: The rows.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, header: str, cells: Sequence[str]) -> PbnTable:
        """Return the table of a header and its cells.

        Args:
            header: The value of the section's tag.
            cells: The cells, row by row.
        """
        columns = tuple(map(Column.parse, header.split(";")))
        width = len(columns)
        return cls(
            columns, tuple(tuple(cells[at : at + width]) for at in range(0, len(cells), width))
        )

    @property
    def header(self) -> str:
        """The value of the section's tag."""
        return ";".join(map(str, self.columns))

    def column(self, name: str) -> list[str]:
        """Return the cells of a column.

        Args:
            name: The column's name.

        Returns:
            The cells from the first row on.

        Raises:
            KeyError: There is no such column.
        """
        names = [column.name for column in self.columns]
        if name not in names:
            raise KeyError(name)
        at = names.index(name)
        return [row[at] for row in self.rows if at < len(row)]

    def lines(self) -> Iterable[str]:
        """Yield the rows as text, padded to the columns' widths if these fit on a line."""
        fits = sum(column.width + 1 for column in self.columns) <= LONGEST_LINE + 1
        for row in self.rows:
            cells = zip(self.columns, row, strict=False)
            yield " ".join(column.padded(cell) for column, cell in cells) if fits else " ".join(row)


def table_of(game: Game, name: str) -> PbnTable | None:
    """Return the supplemental section of a name as a table.

    The header is resolved if it is inherited. A comment among the cells, which the standard
    forbids, is no cell.

    Returns:
        The table; None if there is no such section.
    """
    section = game.section(name)
    if section is None:
        return None
    return PbnTable.of(game.get(name), cells_of(section))


def cells_of(section: Section) -> list[str]:
    """Return the tokens of a section without comments."""
    return [token for token in section.tokens if token[0] not in "{;"]
