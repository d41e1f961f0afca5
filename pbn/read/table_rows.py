"""The rows of a table by the names of its columns, as real files have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.lexer import unescape
from bridge_arena.pbn.tables import Column

_OTHER_NAMES = {"Suit": "Denomination", "Tricks": "Result"}
"""The standard's names of columns that files name otherwise."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        line: The line of its first cell.
        cells: The cells by column, without quotes.
    """

    line: int
    cells: Mapping[str, str]

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
    names = [_OTHER_NAMES.get(each, each) for each in names]
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
