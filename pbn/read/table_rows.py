"""The rows of a supplemental section by the names of its columns, as real files have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.lexer import unescape
from bridge_arena.pbn.tables import Column

_OTHER_NAMES = {"Suit": "Denomination", "Tricks": "Result"}
"""Columns under other names than the standard's."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row, and the line of its first cell. `cells`: by column, without quotes."""

    line: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """A cell; empty where there is none, or where it says `?` or `-`."""
        text = self.cells.get(column, "").strip()
        return "" if text in ("?", "-") else text


def rows_of(game: Game, name: str) -> Iterator[Row]:
    """The rows of a table; none where there is no such section. Columns are separated by
    semicolons, or by blanks where there is no semicolon."""
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
