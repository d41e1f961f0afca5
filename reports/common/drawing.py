"""The parts that all plots share: their style, and their SVG for a page.

matplotlib is slow to load, so only modules that draw import this one. Figures are made without
pyplot, so nothing is global, and the same figures give the same bytes. The SVG names the page's
colours (`var(--ink)` of style.css), so that it follows light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from io import StringIO

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

# Colours that no plot would choose. They stand for the page's until the SVG is written.
INK, GRID, FIRST, SECOND, CARD = "#010101", "#020202", "#030303", "#040404", "#050505"
SERIES = tuple(f"#0a0a0{number}" for number in range(1, 9))
"""The colours of series if there are more than two; the ninth has the first colour again."""

MOST_POINTS = 200
"""The most points of a line: more cannot be told apart, and each makes the page larger."""

_PAGE_COLOURS = {
    INK: "var(--muted)",
    GRID: "var(--line)",
    FIRST: "var(--first)",
    SECOND: "var(--second)",
    CARD: "var(--card)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, start=1)},
}

_STYLE = {
    "svg.fonttype": "none",  # text stays text, which is small and has the page's font
    "svg.hashsalt": "bridge-arena",
    "font.size": 10,
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GRID,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "legend.frameon": False,
}


def look() -> AbstractContextManager[None]:
    """Return the context in which a plot is drawn and written as SVG."""
    return style.context(["default", _STYLE])


def new_axes(height: float = 2.8) -> tuple[Figure, Axes]:
    """Return a plot 5 by `height` inches, whose letters can be read even on a telephone."""
    figure = Figure(figsize=(5, height), layout="constrained")
    axes = figure.subplots()
    assert isinstance(axes, Axes)
    return figure, axes


def whole_numbers(axes: Axes) -> None:
    """Allow ticks only at whole numbers."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def contract_levels(axes: Axes) -> None:
    """Label axes for tricks against double dummy by the contracts' levels."""
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlim(0.5, 7.5)
    axes.set_xticks(range(1, 8))
    axes.set_xlabel("level of the contract")
    axes.set_ylabel("tricks vs DD")


def thinned(totals: Sequence[int], most: int = MOST_POINTS) -> tuple[list[int], list[int]]:
    """Return some places of a sequence, evenly spaced, and the totals there."""
    last = len(totals) - 1
    at = [*range(0, last, -(-last // most) or 1), last]
    return at, [totals[place] for place in at]


def svg(figure: Figure, name: str) -> str:
    """Return the bare <svg> element: transparent, scalable, its ids beginning with its own name."""
    text = StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(text, format="svg", transparent=True, metadata=nothing)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'( id="|xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would apply to all the page
    svg = re.sub(r" font-family: [^;\"]*;", "", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)  # nothing refers to groups
    svg = re.sub(r"<g/>", "", svg)
    svg = re.sub(r' (?:d|x|y|transform|viewBox)="[^"]*"', _in_brief, svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    for colour, page_colour in _PAGE_COLOURS.items():
        svg = svg.replace(colour, page_colour)
    return svg.strip()


def _in_brief(attribute: re.Match[str]) -> str:
    """Return coordinates rounded to a hundredth of a point, on one line."""
    return re.sub(r"\s*\n", "", re.sub(r"(\.\d\d)\d+", r"\1", attribute[0]))
