"""The addresses of the replays of boards, to which reports link.

`web.replays`, a room above this one, writes the pages themselves: one for all boards of a folder,
which shows the board that its address names, and lists of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bridge_arena.bridge.board import Board

FOLDER = "boards"
"""The name of the folder beside a report."""

PAGE = "board.html"
"""The page of all boards of the folder."""

LIST = "index"
"""The name of the page that lists the boards of a match, or those that pairs and individuals
played."""

MATCHES = "matches"
"""The name of the page that lists the matches of events."""

TABLES = 64
"""The most tables that are shown of a board at once; further tables have names of their own."""


def page_names(boards: Iterable[Board], prefix: str = "") -> dict[Board, str]:
    """Return the name of each board, such as `board-7`.

    The next board of the same number has `board-7-2`.
    """
    boards_of: Counter[int] = Counter()
    names: dict[Board, str] = {}
    for board in boards:
        boards_of[board.number] += 1
        again = f"-{boards_of[board.number]}" if boards_of[board.number] > 1 else ""
        names[board] = f"{prefix}{page_name(board.number)}{again}"
    return names


def page_name(number: int) -> str:
    """Return the name of the only board with a number."""
    return f"board-{number}"


def part_name(name: str, table: int = 0) -> str:
    """Return the name of the part of a board that has a table, whose place is counted from 0."""
    return _part(name, table - table % TABLES)


def _part(name: str, start: int) -> str:
    return f"{name}-from-{start + 1}" if start else name


def list_address(name: str, start: int = 0) -> str:
    """Return the address of the part of a list that begins with an item, counted from 0."""
    return f"{_part(name, start)}.html"


def board_address(name: str) -> str:
    """Return the address of a board, or of a part of it."""
    return f"{PAGE}#board={name}"


def place_of(name: str, table: int) -> str:
    """Return the address of a table of a board; places are counted from 0."""
    return f"{board_address(part_name(name, table))}&table={table % TABLES + 1}"


def step_of(name: str, table: int, step: int) -> str:
    """Return the address of a step (from 1) at a table (from 0), relative to the report."""
    return f"{FOLDER}/{place_of(name, table)}&step={step}"
