"""The files of a match report: `report.html` and `summary.json`.

The page is self-contained: style, plots and tables inside, no scripts.
"""

from __future__ import annotations

from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, address_of
from bridge_arena.reports.common.values import json_file, values
from bridge_arena.reports.match import wording
from bridge_arena.reports.match.figures import WORST, MatchFigures

SUMMARY = "summary.json"
REPORT = "report.html"

MOST_BOARDS = 100
"""The most boards in the table; of a longer match it has those with the biggest swings."""

FEWEST_BOARDS = 3
"""The fewest boards with plots: fewer are told by the table of boards at a glance."""


def render(figures: MatchFigures, up: str = "") -> str:
    """Return the page; the same figures give the same bytes.

    `up` is the address of the page that lists events; "" if there is none.
    """
    return (
        templates(Path(__file__).parent)
        .get_template("report.html")
        .render(
            figures=figures,
            up=up,
            shown=figures.biggest_swings(MOST_BOARDS),
            listed=f"{FOLDER}/{address_of(LIST)}",
            wording=wording,
            worst=WORST,
            roles=list(Role),
            plots=_plots(figures),
        )
    )


def _plots(figures: MatchFigures) -> dict[str, str]:
    """Return the plots by name, as trusted markup; a match of few boards has none."""
    if len(figures.board_results) < FEWEST_BOARDS:
        return {}
    from bridge_arena.reports.match import plots  # noqa: PLC0415  matplotlib is slow to load

    drawn = {
        "cumulative": plots.cumulative_imps(figures),
        "swings": plots.swings(figures),
    }
    if figures.has_play and figures.analysed:
        drawn["lost"] = plots.tricks_lost(figures)
        drawn["levels"] = plots.tricks_by_level(figures)
    return drawn


def write_match_report(figures: MatchFigures, folder: Path, up: str = "") -> None:
    """Write `summary.json` and `report.html`; `up` is as in `render`."""
    replace_file(folder / SUMMARY, json_file(values(figures)))
    replace_file(folder / REPORT, render(figures, up).encode())
