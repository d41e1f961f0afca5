"""The files of a bench: a page, and its figures as JSON."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.bench.figures import Bench
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.values import Json, json_file, values

PAGE = "bench.html"
SUMMARY = "summary.json"


def write_bench(bench: Bench, folder: Path) -> None:
    """Write `bench.html` and `summary.json`.

    Args:
        bench: The figures.
        folder: The folder for the files.

    Raises:
        OSError: A file cannot be written.
    """
    replace_file(folder / SUMMARY, json_file(summary(bench)))
    replace_file(folder / PAGE, render(bench).encode())


def render(bench: Bench) -> str:
    """Return the page; the same figures give the same bytes."""
    environment = templates(Path(__file__).parent)
    return environment.get_template("bench.html").render(bench=bench, roles=list(Role))


def summary(bench: Bench) -> Json:
    """Return all figures, ready for `json.dumps`, without anything about single boards."""
    found = values(bench)
    for model in found["models"]:
        del model["explanations"]["worst"]
    return found
