"""Where the replays of boards lie: the addresses to which reports link.

The pages themselves are made by `web.replays`, above this room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bridge_arena.bridge.board import Board

FOLDER = "boards"
"""Beside a report."""

LIST = "index"
"""The name of the page there that lists the boards of a match, or those that pairs and individuals
played."""

MATCHES = "matches"
"""The name of the page there that lists the matches of events."""

TABLES = 64
"""Tables that one page shows; what more there are have further pages."""


def page_names(boards: Iterable[Board], prefix: str = "") -> dict[Board, str]:
    """Return the name of each board's page: `board-7`; the next board of the same number is
    `board-7-2`."""
    seen: Counter[int] = Counter()
    names: dict[Board, str] = {}
    for board in boards:
        seen[board.number] += 1
        again = f"-{seen[board.number]}" if seen[board.number] > 1 else ""
        names[board] = f"{prefix}board-{board.number}{again}"
    return names


def address_of(name: str, table: int = 0) -> str:
    """Return the address of the page on which a table is, by its place from 0."""
    start = table - table % TABLES
    return f"{name}-from-{start + 1}.html" if start else f"{name}.html"


def place_of(name: str, table: int) -> str:
    """Return the address of a table, by its place from 0."""
    return f"{address_of(name, table)}#table={table % TABLES + 1}"
