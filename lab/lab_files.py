"""The files of an experiment's report, each written as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.base.whole_files import replace_file
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.page import render
from bridge_arena.reports.common.values import json_file, values

PAGE = "lab.html"
SUMMARY = "lab.json"


def write_lab_files(figures: LabFigures, folder: Path) -> None:
    """Write `lab.json`, whose keys are documented in docs/lab.md, and `lab.html`.

    Raises:
        OSError: A file cannot be written.
    """
    replace_file(folder / SUMMARY, json_file(values(figures)))
    replace_file(folder / PAGE, render(figures).encode())
