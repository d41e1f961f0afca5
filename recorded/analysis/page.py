"""`report.html`: one self-contained page with plots, in the style of the match report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bridge_arena.base.plots import FIRST, INK, SECOND, Plot
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
from bridge_arena.reports.common.page import templates
from bridge_arena.tournaments.statistics.means import Mean

NAMES = 60
"""The most players, pairs and teams shown; players.csv has all."""

_LEVELS = list("1234567")
_PALE = f"color-mix(in srgb, {SECOND} 50%, transparent)"


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


def draw(overview: Overview) -> dict[str, Plot]:
    """Return the plots by name, without those that have nothing to show."""
    drawn: dict[str, Plot] = {}
    if overview.differences:
        drawn["differences"] = _shares(overview.differences, "tricks less DD tricks")
        drawn["levels"] = by_level(overview.totals)
    if overview.plays:
        drawn["tricks"] = by_trick(overview)
        drawn["lost"] = lost_by_level(overview.totals)
    if overview.from_par:
        drawn["par"] = _shares(overview.from_par, "IMPs of the contract against par")
    return drawn


def by_level(totals: Totals) -> Plot:
    """Draw declarer's tricks against double dummy by the level of the contract."""
    plot = Plot("tricks vs DD", "level of the contract", names=_LEVELS)
    means = _means(totals, DECLARER, Measure.TRICKS_VS_DD)
    plot.errors([(at, *mean.band) for at, mean in means], FIRST)
    plot.dots([(at, mean.mean or 0.0) for at, mean in means], FIRST)
    return plot


def by_trick(overview: Overview) -> Plot:
    """Draw the double-dummy tricks lost in each trick: declarer's up, the defence's down."""
    declarer, lead, defence = (
        [100 * overview.lost[role, trick] / overview.plays for trick in range(1, 14)]
        for role in (Role.DECLARER_PLAY, Role.OPENING_LEAD, Role.DEFENCE)
    )
    plot = Plot("lost per 100 plays", "trick of the play", names=list(map(str, range(1, 14))))
    plot.bars([(at, 0, lost) for at, lost in enumerate(declarer)], FIRST)
    below = list(enumerate(zip(defence, lead, strict=True)))
    plot.bars([(at, 0, -others) for at, (others, _) in below], SECOND)
    plot.bars([(at, -others, -others - first) for at, (others, first) in below], _PALE)
    return plot


def lost_by_level(totals: Totals) -> Plot:
    """Draw the double-dummy tricks that declarer and both defenders lost at each level."""
    plot = Plot("DD tricks lost", "level of the contract", names=_LEVELS)
    roles = ((Role.DECLARER_PLAY, FIRST, -0.27), (Role.OPENING_LEAD, INK, 0.0))
    for role, colour, shift in (*roles, (Role.DEFENCE, SECOND, 0.27)):
        means = _means(totals, role, Measure.TRICKS_LOST)
        plot.bars([(at + shift, 0, mean.mean or 0.0) for at, mean in means], colour, 0.25)
        plot.errors([(at + shift, *mean.band) for at, mean in means])
    return plot


def _shares(counts: Counter[int], label: str) -> Plot:
    """Draw a bar for each value, as high as its share of the tables, coloured by gain or loss."""
    plot = Plot("% of tables", label)
    shares = [(value, 0, 100 * count / counts.total()) for value, count in sorted(counts.items())]
    plot.bars([share for share in shares if share[0] > 0], FIRST)
    plot.bars([share for share in shares if share[0] < 0], SECOND)
    plot.bars([share for share in shares if share[0] == 0], INK)
    return plot


def _means(totals: Totals, role: str, measure: Measure) -> list[tuple[int, Mean]]:
    """Return the means of the levels at their places in a plot."""
    levels = totals.names(Group.LEVEL)
    return [(int(level) - 1, totals.get(Group.LEVEL, level, role, measure)) for level in levels]
