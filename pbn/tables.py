"""Supplemental sections as tables: columns from the header, rows of cells (PBN 2.1, section 5.2).

`PbnTable` has the cells as they are written; `rows_of` finds them by the names of their columns, as
real files have them. This module does not interpret the cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge_arena.base.recorded_text import capped
from bridge_arena.pbn.model import LONGEST_LINE, Game, Section
from bridge_arena.pbn.read.lexer import unescape

TABLES = frozenset(
    "ActionTable AuctionTimeTable InstantScoreTable OptimumPlayTable OptimumResultTable "
    "PlayTimeTable ScoreTable TotalScoreTable".split()
)
"""The tables that the standard defines (sections 5.3 to 5.10)."""

_COLUMN = re.compile(
    r"(?P<order>[+-]?)(?P<name>[^\\]*)(?:\\(?P<width>[0-9]+)(?P<align>[LR]?))?", re.S
)

_OTHER_NAMES = {"Suit": "Denomination", "Tricks": "Result"}
"""The standard's names of columns that files name otherwise."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str  # the column's name
    order: str = ""  # the sign of its order: `+` descending, `-` ascending, or empty
    # The least width of its cells; 0 if the header gives none, or one wider than a line.
    width: int = 0
    align: str = ""  # the alignment of its cells: L, R, or empty

    @classmethod
    def parse(cls, text: str) -> Column:
        r"""Return a column of a header, `[+|-]Name[\width[L|R]]`; any other text is all name."""
        match = _COLUMN.fullmatch(text)
        if match is None:
            return cls(text)
        width = capped(match["width"] or "0")
        width = width if width <= LONGEST_LINE else 0
        return cls(match["name"], match["order"], width, match["align"] or "")

    def __str__(self) -> str:
        width = f"\\{self.width}{self.align}" if self.width else ""
        return f"{self.order}{self.name}{width}"

    def padded(self, cell: str) -> str:
        """Return a cell filled up to the column's width."""
        return cell.rjust(self.width) if self.align == "R" else cell.ljust(self.width)


@dataclass(frozen=True, slots=True)
class PbnTable:
    """The columns and rows of a table; the cells are as in the file, strings with their quotes.

    Every row has as many cells as there are columns; only the last may have fewer, if the file has
    too few.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, header: str, cells: Sequence[str]) -> PbnTable:
        """Return the table of a header, the value of the section's tag, and its cells."""
        columns = tuple(map(Column.parse, header.split(";")))
        width = len(columns)
        rows = (tuple(cells[at : at + width]) for at in range(0, len(cells), width))
        return cls(columns, tuple(rows))

    @property
    def header(self) -> str:
        """The value of the section's tag."""
        return ";".join(map(str, self.columns))

    def lines(self) -> Iterable[str]:
        """Yield the rows as text, padded to the columns' widths if these fit on a line."""
        widths = [column.width for column in self.columns]
        is_padded = any(widths) and sum(widths) + len(widths) <= LONGEST_LINE + 1
        for row in self.rows:
            cells = zip(self.columns, row, strict=False)
            yield " ".join([column.padded(cell) for column, cell in cells] if is_padded else row)


def cells_of(section: Section) -> list[str]:
    """Return the tokens of a section without comments, which the standard forbids in tables."""
    return [token for token in section.tokens if token[0] not in "{;"]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    line: int  # the line of its first cell
    cells: Mapping[str, str]  # the cells by column, without quotes

    def text(self, column: str) -> str:
        """Return a cell; empty if there is none, or if it is `?` or `-`."""
        text = self.cells.get(column, "").strip()
        return "" if text in ("?", "-") else text


def rows_of(game: Game, name: str) -> Iterator[Row]:
    """Yield the rows of a table; none if there is no such section.

    Columns are separated by semicolons, or by spaces if there is no semicolon.
    """
    section = game.section(name)
    if section is None:
        return
    header = game.get(name)
    texts = header.split(";") if ";" in header else header.split()
    names = [Column.parse(text.strip()).name for text in texts]
    names = [_OTHER_NAMES.get(name, name) for name in names]
    if not names:
        return
    cells = [
        (unescape(token[1:-1]) if token[0] == '"' else token, line)
        for token, line in zip(section.tokens, section.lines, strict=True)
        if token[0] not in "{;"
    ]
    for at in range(0, len(cells), len(names)):
        row = cells[at : at + len(names)]
        yield Row(row[0][1], dict(zip(names, (cell for cell, _ in row), strict=False)))
