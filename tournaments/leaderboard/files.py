"""The files of a leaderboard, each written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tournaments.files import replace_file
from tournaments.leaderboard import page
from tournaments.leaderboard.figures import leaderboard
from tournaments.leaderboard.links import FOLDER
from tournaments.leaderboard.replays import replays
from tournaments.leaderboard.summary import summary
from tournaments.leaderboard.table import csv_text
from tournaments.played import EventResults

PAGE = "leaderboard.html"
TABLE = "leaderboard.csv"
SUMMARY = "leaderboard.json"


def write_leaderboard(results: Sequence[EventResults], folder: Path) -> None:
    """Write `leaderboard.html`, `leaderboard.csv`, `leaderboard.json` and `boards/*.html`.

    The page comes last, when all it links to is there. Raises ValueError for records that
    are not of their event, before anything is written, and OSError.
    """
    board = leaderboard(results)
    text = json.dumps(summary(board), indent=2, ensure_ascii=False)
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    for address, replay in replays(board):
        replace_file(folder / address, replay.encode())
    replace_file(folder / SUMMARY, f"{text}\n".encode())
    replace_file(folder / TABLE, csv_text(board).encode())
    replace_file(folder / PAGE, page.render(board).encode())
