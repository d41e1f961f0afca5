"""The files of a match report, each written as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.reports.common.values import json_file, values
from bridge_arena.reports.match.figures import MatchFigures
from bridge_arena.reports.match.page import render

SUMMARY = "summary.json"
REPORT = "report.html"


def write_match_report(figures: MatchFigures, folder: Path, up: str = "") -> None:
    """Write `summary.json` and `report.html`.

    Args:
        figures: The figures.
        folder: The folder for the files.
        up: The address of the page that lists events; "" if there is none.
    """
    replace_file(folder / SUMMARY, json_file(values(figures)))
    replace_file(folder / REPORT, render(figures, up).encode())
