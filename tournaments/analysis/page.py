"""`report.html`: one self-contained page, in the style of the match report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from oracle.ledger import Role
from tournaments.analysis.overview import Overview
from tournaments.analysis.plots import draw
from tournaments.analysis.terminal import (
    LINES,
    counts,
    headline,
    lines_of,
    most_tables,
    place_text,
    play_text,
)
from tournaments.analysis.totals import Group
from tournaments.report import html
from tournaments.report.wording import error

NAMES = 60
"""Players, pairs and teams shown at most; players.csv has all."""


def render(overview: Overview, files: Sequence[Path]) -> str:
    """The page; the same findings give the same bytes."""
    named = (Group.TEAM, Group.PAIR, Group.PLAYER)
    groups = {
        group: most_tables(overview.totals, group, NAMES) if group in named else names
        for group in (Group.LEVEL, Group.DENOMINATION, *named)
        if (names := overview.totals.names(group))
    }
    title = ", ".join(path.name for path in files[:3]) + (" …" if len(files) > 3 else "")
    environment = html.environment(Path(__file__).parent)
    return environment.get_template("analysis.html").render(
        title=title,
        headline=headline(overview),
        counts=counts(overview),
        overview=overview,
        groups=groups,
        lines=LINES,
        lines_of=lines_of,
        roles=list(Role),
        error=error,
        place=place_text,
        play=play_text,
        plots=draw(overview),
    )
