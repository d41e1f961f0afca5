"""The files of a leaderboard, each written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bridge_arena.base.whole_files import replace_file
from bridge_arena.reports.common.values import json_file
from bridge_arena.reports.leaderboard import page
from bridge_arena.reports.leaderboard.csv_rows import csv_text
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.links import FOLDER
from bridge_arena.reports.leaderboard.replays import replays
from bridge_arena.reports.leaderboard.summary import summary
from bridge_arena.tournaments.schedule.event_results import EventResults

PAGE = "leaderboard.html"
TABLE = "leaderboard.csv"
SUMMARY = "leaderboard.json"


def write_leaderboard(results: Sequence[EventResults], folder: Path) -> None:
    """Write `leaderboard.html`, `leaderboard.csv`, `leaderboard.json` and `boards/*.html`.

    The page comes last, when all it links to is there. Raises ValueError for records that
    are not of their event, before anything is written, and OSError.
    """
    board = leaderboard(results)
    text = json_file(summary(board))
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    for address, replay in replays(board):
        replace_file(folder / address, replay.encode())
    replace_file(folder / SUMMARY, text)
    replace_file(folder / TABLE, csv_text(board).encode())
    replace_file(folder / PAGE, page.render(board).encode())
