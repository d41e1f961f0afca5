"""The files of a leaderboard, each written as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.reports.common.columns import csv_text
from bridge_arena.reports.common.values import json_file
from bridge_arena.reports.leaderboard import page
from bridge_arena.reports.leaderboard.columns import CSV
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.summary import summary

PAGE = "leaderboard.html"
TABLE = "leaderboard.csv"
SUMMARY = "leaderboard.json"


def write_leaderboard(board: Leaderboard, folder: Path, up: str = "") -> None:
    """Write `leaderboard.html`, `leaderboard.csv` and `leaderboard.json`.

    `web.replays` writes the replays to which the page links.

    Args:
        board: The figures.
        folder: The folder for the files.
        up: The address of the page that lists events; "" if there is none.

    Raises:
        OSError: A file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / SUMMARY, json_file(summary(board)))
    replace_file(folder / TABLE, csv_text(CSV, board.entries).encode())
    replace_file(folder / PAGE, page.render(board, up).encode())
