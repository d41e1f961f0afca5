"""`report.html`: one self-contained page, in the style of the match report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bridge_arena.board_files.texts import name_of
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.overview import Overview
from bridge_arena.recorded.analysis.plots import draw
from bridge_arena.recorded.analysis.terminal import (
    LINES,
    costs_text,
    counts,
    headline,
    lines_of,
    most_tables,
    place_text,
    play_text,
)
from bridge_arena.recorded.analysis.totals import Group
from bridge_arena.recorded.field.page import TEMPLATES, TEXTS, rankings_of
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.wording import error

NAMES = 60
"""The most players, pairs and teams shown; players.csv has all."""


def render(overview: Overview, files: Sequence[Path]) -> str:
    """Return the page; the same findings give the same bytes."""
    named = (Group.TEAM, Group.PAIR, Group.PLAYER)
    groups = {
        group: most_tables(overview.totals, group, NAMES) if group in named else names
        for group in (Group.LEVEL, Group.DENOMINATION, *named)
        if (names := overview.totals.names(group))
    }
    title = ", ".join(Path(name_of(file)).name for file in files[:3]) + (
        " …" if len(files) > 3 else ""
    )
    environment = templates(Path(__file__).parent, TEMPLATES)
    return environment.get_template("analysis.html").render(
        title=title,
        headline=headline(overview),
        counts=counts(overview),
        overview=overview,
        costs_text=costs_text(overview.costs),
        costly_cards=list(overview.costs.cards),
        costly_calls=list(overview.costs.calls),
        groups=groups,
        lines=LINES,
        lines_of=lines_of,
        roles=list(Role),
        error=error,
        place=place_text,
        play=play_text,
        plots=draw(overview),
        rankings=rankings_of(overview.fields),
        texts=TEXTS,
    )
