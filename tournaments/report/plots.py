"""The plots of the report, as SVG to stand inside a page.

matplotlib is slow to load: only what draws imports this module. Figures are made
without pyplot, so nothing is global, and the same figures give the same bytes.
The SVG names the page's colours (`var(--ink)`), so that it follows light and dark.
"""

from __future__ import annotations

import re
from io import StringIO

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from oracle.ledger import Role
from tournaments.report.figures import MatchFigures

# Colours no plot would choose, that stand for the page's until the SVG is written.
_INK, _GRID, _FIRST, _SECOND = "#010101", "#020202", "#030303", "#040404"
_PAGE_COLOURS = {
    _INK: "var(--muted)",
    _GRID: "var(--line)",
    _FIRST: "var(--first)",
    _SECOND: "var(--second)",
}

_STYLE = {
    "svg.fonttype": "none",  # text stays text: it takes the page's font and is small
    "svg.hashsalt": "bridge-arena",
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _GRID,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "legend.frameon": False,
}


def cumulative_imps(figures: MatchFigures) -> str:
    """The running total, one step a board, the side that is ahead coloured."""
    totals = [0, *(row.cumulative for row in figures.rows)]
    with style.context(["default", _STYLE]):
        figure, axes = _axes()
        at = range(len(totals))
        ahead = [max(0, total) for total in totals]
        behind = [min(0, total) for total in totals]
        axes.fill_between(at, ahead, step="pre", color=_FIRST, alpha=0.25, linewidth=0)
        axes.fill_between(at, behind, step="pre", color=_SECOND, alpha=0.25, linewidth=0)
        axes.step(at, totals, where="pre", color=_INK, linewidth=1.4)
        axes.axhline(0, color=_INK, linewidth=0.8)
        axes.set_xlim(0, max(1, len(totals) - 1))
        _whole_numbers(axes)
        axes.set_xlabel("boards played")
        axes.set_ylabel("IMPs")
        return _svg(figure, "cumulative")


def swings(figures: MatchFigures) -> str:
    """A bar for each board's swing, up for the first bot, down for the second."""
    values = [row.imps for row in figures.rows]
    with style.context(["default", _STYLE]):
        figure, axes = _axes()
        at = range(1, len(values) + 1)
        colours = [_FIRST if value > 0 else _SECOND for value in values]
        axes.bar(at, values, color=colours, width=0.8 if len(values) < 200 else 1.0)
        axes.axhline(0, color=_INK, linewidth=0.8)
        axes.set_xlim(0.4, len(values) + 0.6)
        _whole_numbers(axes)
        axes.set_xlabel("boards in order")
        axes.set_ylabel("IMPs")
        return _svg(figure, "swings")


def tricks_lost(figures: MatchFigures) -> str:
    """DD tricks that each bot lost per board in each role, with standard errors."""
    with style.context(["default", _STYLE]):
        figure, axes = _axes()
        for index, bot in enumerate(figures.bots):
            means = [bot.ledger.per_board[role] for role in Role]
            axes.bar(
                [at + (index - 0.5) * 0.36 for at in range(len(means))],
                [mean.mean or 0.0 for mean in means],
                width=0.34,
                color=(_FIRST, _SECOND)[index],
                yerr=[mean.standard_error or 0.0 for mean in means],
                error_kw={"ecolor": _INK, "elinewidth": 1},
            )
        axes.set_xticks(range(len(Role)), [str(role) for role in Role])
        axes.set_ylim(bottom=0)
        axes.set_ylabel("DD tricks lost per board")
        return _svg(figure, "lost")


def tricks_by_level(figures: MatchFigures) -> str:
    """Declarer's tricks against double dummy by the level of the contract.

    The defenders' are not drawn: what one bot takes as declarer, the other gives.
    """
    with style.context(["default", _STYLE]):
        figure, axes = _axes()
        for index, bot in enumerate(figures.bots):
            known = [(level, mean) for level, mean in bot.declarer.by_level.items() if mean.n]
            axes.errorbar(
                [level + (index - 0.5) * 0.2 for level, _ in known],
                [mean.mean or 0.0 for _, mean in known],
                yerr=[mean.standard_error or 0.0 for _, mean in known],
                color=(_FIRST, _SECOND)[index],
                fmt="os"[index],
                markersize=6,
                elinewidth=1.2,
            )
        axes.axhline(0, color=_INK, linewidth=0.8)
        axes.set_xlim(0.5, 7.5)
        axes.set_xticks(range(1, 8))
        axes.set_xlabel("level of the contract")
        axes.set_ylabel("tricks vs DD")
        return _svg(figure, "levels")


def _axes() -> tuple[Figure, Axes]:
    figure = Figure(figsize=(6, 2.8), layout="constrained")
    axes = figure.subplots()
    assert isinstance(axes, Axes)
    return figure, axes


def _whole_numbers(axes: Axes) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def _svg(figure: Figure, name: str) -> str:
    """The bare <svg> element: transparent, scaling, its ids its own on the page."""
    text = StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(text, format="svg", transparent=True, metadata=nothing)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'( id="|xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would style the page
    svg = re.sub(r" font-family: [^;\"]*;", "", svg)
    for colour, page_colour in _PAGE_COLOURS.items():
        svg = svg.replace(colour, page_colour)
    return svg.strip()
