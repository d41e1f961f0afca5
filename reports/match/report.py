"""The files of a match report: `report.html` and `summary.json`.

The page is self-contained: style, plots and tables inside, no scripts.
"""

from __future__ import annotations

from math import fsum
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common import rulings
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, list_address
from bridge_arena.reports.common.rulings import rulings_values
from bridge_arena.reports.common.values import Json, values, write_json
from bridge_arena.reports.match import wording
from bridge_arena.reports.match.figures import WORST, MatchFigures
from bridge_arena.reports.match.plots import draw
from bridge_arena.reports.match.sources import sources

SUMMARY = "summary.json"
REPORT = "report.html"

MOST_BOARDS = 100
"""The most boards in the table; of a longer match it has those with the biggest swings."""

MOST_DECIDING = 5
"""The most boards that are shown as those that decided the match."""


def render(figures: MatchFigures, up: str = "") -> str:
    """Return the page; the same figures give the same bytes.

    `up` is the address of the page that lists events; "" if there is none.
    """
    return (
        templates(Path(__file__).parent)
        .get_template("report.html")
        .render(
            figures=figures,
            rulings=rulings,
            up=up,
            shown=figures.biggest_swings(MOST_BOARDS),
            listed=f"{FOLDER}/{list_address(LIST)}",
            wording=wording,
            worst=WORST,
            roles=list(Role),
            plots=draw(figures),
            parts=sources(figures),
            deciding=[row for row in figures.swings[:MOST_DECIDING] if row.imps],
            total=lambda means: fsum(mean.total or 0.0 for mean in means.values()),
            how_texts=[*wording.how_texts(figures), wording.COMMANDS],
        )
    )


def summary(figures: MatchFigures) -> Json:
    """Return all figures, ready for `json.dumps`, with the verdict in words."""
    figures_values = {"verdict": wording.verdict(figures)} | values(figures)
    return figures_values | rulings_values(figures.rulings)


def write_match_report(figures: MatchFigures, folder: Path, up: str = "") -> None:
    """Write `summary.json` and `report.html`; `up` is as in `render`."""
    write_json(folder / SUMMARY, summary(figures))
    replace_file(folder / REPORT, render(figures, up).encode())
