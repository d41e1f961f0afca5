"""What all plots have in common: the look, and SVG to stand inside a page.

matplotlib is slow to load: only what draws imports this module. Figures are made
without pyplot, so nothing is global, and the same figures give the same bytes.
The SVG names the page's colours (`var(--ink)` of style.css), so that it follows light and dark.
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

# Colours no plot would choose, that stand for the page's until the SVG is written.
INK, GRID, FIRST, SECOND, CARD = "#010101", "#020202", "#030303", "#040404", "#050505"
SERIES = tuple(f"#0a0a0{number}" for number in range(1, 9))
"""The colours of things that are more than two; further ones begin again."""

MOST_POINTS = 200
"""Of a line: more than that nobody tells apart, and each takes room on the page."""

_PAGE_COLOURS = {
    INK: "var(--muted)",
    GRID: "var(--line)",
    FIRST: "var(--first)",
    SECOND: "var(--second)",
    CARD: "var(--card)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, start=1)},
}

_STYLE = {
    "svg.fonttype": "none",  # text stays text: it takes the page's font and is small
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
    """The style in which a plot is drawn, from its axes to its SVG."""
    return style.context(["default", _STYLE])


def new_axes(height: float = 2.8) -> tuple[Figure, Axes]:
    """A plot of 5 by `height` inches: the page scales it, and letters stay large enough to be read
    where it is as narrow as a telephone."""
    figure = Figure(figsize=(5, height), layout="constrained")
    axes = figure.subplots()
    assert isinstance(axes, Axes)
    return figure, axes


def whole_numbers(axes: Axes) -> None:
    """No ticks between the whole numbers."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def thinned(totals: Sequence[int], most: int = MOST_POINTS) -> tuple[list[int], list[int]]:
    """Return places, and the totals there: the first, the last, and between them every so many
    that at most `most` follow the first."""
    last = len(totals) - 1
    at = [*range(0, last, -(-last // most) or 1), last]
    return at, [totals[place] for place in at]


def svg(figure: Figure, name: str) -> str:
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
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)  # nothing refers to groups
    svg = re.sub(r"<g/>", "", svg)
    svg = re.sub(r' (?:d|x|y|transform|viewBox)="[^"]*"', _in_brief, svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    for colour, page_colour in _PAGE_COLOURS.items():
        svg = svg.replace(colour, page_colour)
    return svg.strip()


def _in_brief(attribute: re.Match[str]) -> str:
    """Coordinates to a hundredth of a point, on one line."""
    return re.sub(r"\s*\n", "", re.sub(r"(\.\d\d)\d+", r"\1", attribute[0]))
