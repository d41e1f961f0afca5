"""`report.html`: one self-contained page with plots as SVG, in the style of the match report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bridge_arena.board_files.texts import name_of
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.overview import DECLARER, Group, Measure, Overview, Totals
from bridge_arena.recorded.analysis.terminal import (
    LINES,
    PAR_COLUMNS,
    SWING_COLUMNS,
    costs_text,
    counts,
    headline,
    lines_of,
    most_tables,
    place_text,
)
from bridge_arena.recorded.field.report import PAIR_COLUMNS, TEMPLATES, board_columns, page_rankings
from bridge_arena.reports.common.drawing import (
    FIRST,
    INK,
    SECOND,
    contract_levels,
    look,
    new_axes,
    svg,
    whole_numbers,
)
from bridge_arena.reports.common.page import templates
from bridge_arena.tournaments.statistics.means import Mean

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
        groups=groups,
        lines=LINES,
        lines_of=lines_of,
        place=place_text,
        swing_columns=SWING_COLUMNS,
        par_columns=PAR_COLUMNS,
        plots=draw(overview),
        board_columns=board_columns(overview.fields.swings),
        rankings=page_rankings(overview.fields),
        pair_columns=PAIR_COLUMNS,
    )


def draw(overview: Overview) -> dict[str, str]:
    """Return the plots by name, as trusted markup, without those that have nothing to show."""
    drawn: dict[str, str] = {}
    if overview.differences:
        drawn["differences"] = _shares(overview.differences, "differences", "tricks less DD tricks")
        drawn["levels"] = by_level(overview.totals)
    if overview.plays:
        drawn["tricks"] = by_trick(overview)
        drawn["lost"] = lost_by_level(overview.totals)
    if overview.from_par:
        drawn["par"] = _shares(overview.from_par, "par", "IMPs of the contract against par")
    return drawn


def by_level(totals: Totals) -> str:
    """Draw declarer's tricks against double dummy by the level of the contract."""
    with look():
        figure, axes = new_axes()
        levels = totals.names(Group.LEVEL)
        means = [totals.get(Group.LEVEL, level, DECLARER, Measure.TRICKS_VS_DD) for level in levels]
        axes.errorbar(
            [int(level) for level in levels],
            [mean.mean or 0.0 for mean in means],
            yerr=_errors(means),
            color=FIRST,
            fmt="o",
            markersize=6,
            elinewidth=1.2,
        )
        contract_levels(axes)
        return svg(figure, "levels")


def by_trick(overview: Overview) -> str:
    """Draw the double-dummy tricks lost in each trick: declarer's up, the defence's down."""
    with look():
        figure, axes = new_axes()
        at = range(1, 14)
        declarer, lead, defence = (
            [100 * overview.lost[role, trick] / overview.plays for trick in at]
            for role in (Role.DECLARER_PLAY, Role.OPENING_LEAD, Role.DEFENCE)
        )
        axes.bar(at, declarer, color=FIRST, width=0.8)
        axes.bar(at, [-lost for lost in defence], color=SECOND, width=0.8)
        below = [-lost for lost in defence]
        axes.bar(at, [-lost for lost in lead], bottom=below, color=SECOND, alpha=0.5, width=0.8)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xticks(at)
        axes.set_xlabel("trick of the play")
        axes.set_ylabel("lost per 100 plays")
        return svg(figure, "tricks")


def lost_by_level(totals: Totals) -> str:
    """Draw the double-dummy tricks that declarer and both defenders lost at each level."""
    with look():
        figure, axes = new_axes()
        levels = totals.names(Group.LEVEL)
        roles = ((Role.DECLARER_PLAY, FIRST, -0.27), (Role.OPENING_LEAD, INK, 0.0))
        for role, colour, shift in (*roles, (Role.DEFENCE, SECOND, 0.27)):
            means = [totals.get(Group.LEVEL, level, role, Measure.TRICKS_LOST) for level in levels]
            axes.bar(
                [int(level) + shift for level in levels],
                [mean.mean or 0.0 for mean in means],
                yerr=_errors(means),
                width=0.25,
                color=colour,
                error_kw={"ecolor": INK, "elinewidth": 1},
            )
        axes.set_xlim(0.5, 7.5)
        axes.set_xticks(range(1, 8))
        axes.set_xlabel("level of the contract")
        axes.set_ylabel("DD tricks lost")
        return svg(figure, "lost")


def _shares(counts: Counter[int], name: str, label: str) -> str:
    """Draw a bar for each value, as high as its share of the tables, coloured by gain or loss."""
    at = range(min(counts), max(counts) + 1)
    with look():
        figure, axes = new_axes()
        colours = [INK if value == 0 else FIRST if value > 0 else SECOND for value in at]
        axes.bar(at, [100 * counts[value] / counts.total() for value in at], color=colours)
        whole_numbers(axes)
        axes.set_xlabel(label)
        axes.set_ylabel("% of tables")
        return svg(figure, name)


def _errors(means: list[Mean]) -> list[float]:
    return [mean.standard_error or 0.0 for mean in means]
