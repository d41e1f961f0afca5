"""Plots as SVG: lines, areas, bars and dots over axes with round numbers.

Colours are those of the page that shows a plot (`var(--first)`), so that it follows light and dark,
and text is text in the page's font. The same figures give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from unicodedata import east_asian_width

INK, GRID, CARD = "var(--muted)", "var(--line)", "var(--card)"
FIRST, SECOND = "var(--first)", "var(--second)"
SERIES = tuple(f"var(--series-{number})" for number in range(1, 9))

Point = tuple[float, float]
"""A place, and the value there."""

Span = tuple[float, float, float]
"""A place, and two values there."""

_WIDTH, _TOP, _RIGHT = 360.0, 6.0, 348.0
_LETTER, _TEXT_LINE, _ROW = 10.0, 15.0, 21.0
_LONGEST_NAME = 145.0
_SHAPES = {
    "circle": "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0",
    "square": "m-3-3h6v6h-6z",
    "diamond": "m0-4.4l4.4 4.4-4.4 4.4-4.4-4.4z",
    "speck": "h2v2h-2z",
}


@dataclass(frozen=True, slots=True)
class _Mark:
    runs: list[list[Point]]
    attributes: str
    end: str = ""  # what follows the path of a run
    breadth: float = 0.0  # of the stroke in places; 0.0 if the attributes have its width
    name: str = ""  # in the key
    address: str = ""  # to which it leads with its name


@dataclass(slots=True)
class _Axis:
    label: str
    low: float
    high: float
    ticks: list[tuple[float, str]]
    start: float = 0.0  # where `low` is drawn
    end: float = 0.0

    def at(self, number: float) -> float:
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)


class Plot:
    """Marks at places, which are side by side with values upwards, or rows with values rightwards.

    Marks are drawn in the order in which they are added. Values that are not finite are left out.

    Args:
        values: The label of the axis of values.
        places: The label of the axis of places.
        names: The names of the places 0, 1, ..., which else are numbers.
        rows: The same if places are rows, the first on top.
        height: The height of a plot without rows or key; all are 360 wide.
        has_zero: Whether the axis of values has zero in any case.
    """

    def __init__(
        self,
        values: str,
        places: str = "",
        *,
        names: Sequence[str] = (),
        rows: Sequence[str] = (),
        height: float = 200.0,
        has_zero: bool = True,
    ) -> None:
        self._labels = (values, places)
        self._names = [shortened(name, _LONGEST_NAME) for name in rows or names]
        self._has_rows = bool(rows)
        self._height = _ROW * max(3, len(rows)) + 42.0 if rows else height
        self._has_zero = has_zero
        self._marks: list[_Mark] = []
        self._links: list[tuple[float, float, str, str]] = []

    @property
    def height(self) -> float:
        """The height of the plot with its key."""
        return self._height + _TEXT_LINE * ceil(sum(bool(mark.name) for mark in self._marks) / 2)

    def line(
        self,
        points: Iterable[Point],
        colour: str,
        name: str = "",
        dash: str = "",
        address: str = "",
    ) -> None:
        """Add a line; the key has its `name`, and `dash` the lengths of dashes and gaps.

        The line and its name lead to `address`, as `link` says.
        """
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        attributes = f'fill="none" {_stroke(colour, 1.5)}{dashes}'
        self._add([points], attributes, name=name, address=address)

    def area(self, spans: Sequence[Span], colour: str) -> None:
        """Add a pale area between two values."""
        there = [(place, low) for place, low, _ in spans]
        back = [(place, high) for place, _, high in reversed(spans)]
        self._add([there + back], f'fill="{colour}" fill-opacity=".25"', "z")

    def bars(self, spans: Iterable[Span], colour: str, breadth: float = 0.8) -> None:
        """Add bars from one value to another, `breadth` places broad."""
        self._add(_upright(spans), f'stroke="{colour}"', breadth=breadth)

    def errors(self, spans: Iterable[Span], colour: str = INK, width: float = 1.2) -> None:
        """Add thin lines from one value to another."""
        self._add(_upright(spans), _stroke(colour, width))

    def dots(self, points: Iterable[Point], colour: str, shape: str = "circle") -> None:
        """Add circles, squares, specks, or diamonds with an edge."""
        edge = " " + _stroke(INK, 1) if shape == "diamond" else ""
        self._add([[point] for point in points], f'fill="{colour}"{edge}', _SHAPES[shape])

    def link(self, place: float, address: str, text: str, breadth: float = 1.0) -> None:
        """Have a place, `breadth` places broad, lead to an address; `text` says what is there.

        Only the pointer reaches it: who uses the keyboard needs the same link elsewhere.
        """
        self._links.append((place, breadth, address, text))

    def _add(
        self,
        runs: Iterable[Iterable[Point]],
        attributes: str,
        end: str = "",
        breadth: float = 0.0,
        name: str = "",
        address: str = "",
    ) -> None:
        finite = [[point for point in run if isfinite(point[1])] for run in runs]
        shown = [run for run in finite if run]
        self._marks.append(_Mark(shown, attributes, end, breadth, name, address))

    def svg(self, label: str, attributes: str = "") -> str:
        """Return the `<svg>` element; `label` is what it says to those who hear the page."""
        places, values = self._axis_of_places(), self._axis_of_values()
        level, upright = (values, places) if self._has_rows else (places, values)
        top, bottom = _TOP, self._height - (34 if level.label else 18)
        beside = max(_text_width(text) for _, text in upright.ticks)
        level.start, level.end = beside + (23 if upright.label else 12), _RIGHT
        upright.start, upright.end = (top, bottom) if self._has_rows else (bottom, top)

        def at(point: Point) -> Point:
            place, value = places.at(point[0]), values.at(point[1])
            return (value, place) if self._has_rows else (place, value)

        def across(value: float) -> list[Point]:
            return [at((places.low, value)), at((places.high, value))]

        parts = [_path([across(value) for value, _ in values.ticks], _stroke(GRID, 0.6))]
        for mark in self._marks:
            width = mark.breadth * abs(places.at(1) - places.at(0))
            broad = f' stroke-width="{_short(width)}"' if width else ""
            runs = [[at(point) for point in run] for run in mark.runs]
            path = _path(runs, mark.attributes + broad, mark.end)
            parts.append(_leading(path, mark.address, mark.name))
        if values.low <= 0 <= values.high:
            parts.append(_path([across(0)], _stroke(INK, 0.8)))
        for number, text in upright.ticks:
            parts.append(_text(level.start - 7, upright.at(number) + 3.5, text, "end"))
        wide = sum(_text_width(text) + 8 for _, text in level.ticks)
        for number, text in level.ticks[:: ceil(wide / (level.end - level.start)) or 1]:
            parts.append(_text(level.at(number), bottom + 13, text))
        parts.append(_text((level.start + level.end) / 2, bottom + 28, level.label))
        turned = ' transform="rotate(-90)"'
        parts.append(_text(-(top + bottom) / 2, 10, upright.label, more=turned))
        for number, mark in enumerate(mark for mark in self._marks if mark.name):
            x, y = _WIDTH / 2 * (number % 2) + 8, self._height + 10 + _TEXT_LINE * (number // 2)
            sample = _path([[(x, y - 3.5), (x + 18, y - 3.5)]], mark.attributes)
            text = _text(x + 24, y, shortened(mark.name, _LONGEST_NAME), "start")
            parts.append(_leading(f"{sample}\n{text}", mark.address, mark.name))
        for place, breadth, address, text in self._links:
            start, end = place - breadth / 2, place + breadth / 2
            corners = [at((end, values.low)), at((end, values.high)), at((start, values.high))]
            area = _path([[at((start, values.low)), *corners]], "")
            parts.append(_leading(area, address, text))
        return (
            f'<svg viewBox="0 0 {_WIDTH:g} {self.height:g}"{attributes} role="img"'
            f' aria-label="{escape(label)}" font-size="{_LETTER:g}" fill="{INK}">\n'
            + "\n".join(filter(None, parts))
            + "\n</svg>"
        )

    def _axis_of_places(self) -> _Axis:
        label = self._labels[1]
        if self._names:
            return _Axis(label, -0.5, len(self._names) - 0.5, [*enumerate(self._names)])
        reach = [
            (place, mark.breadth / 2)
            for mark in self._marks
            for run in mark.runs
            for place, _ in run
        ] or [(0.0, 0.0)]
        low = min(place - beside for place, beside in reach)
        high = max(place + beside for place, beside in reach)
        high = max(high, low + 1)
        inside = [tick for tick in ticks(low, high, is_whole=True) if low <= tick[0] <= high]
        return _Axis(label, low, high, inside)

    def _axis_of_values(self) -> _Axis:
        heights = [value for mark in self._marks for run in mark.runs for _, value in run]
        if self._has_zero or not heights:
            heights.append(0.0)
        low, high = min(heights), max(heights)
        is_whole = all(value == round(value) for value in heights)
        inside = ticks(low, high if high > low else low + (abs(low) or 1), is_whole=is_whole)
        return _Axis(self._labels[0], inside[0][0], inside[-1][0], inside)


def document(title: str, plots: Sequence[Plot]) -> str:
    """Return a file of SVG with plots below each other, on white."""
    height, parts = 24.0, [_text(_WIDTH / 2, 16, title)]
    for plot in plots:
        parts.append(plot.svg(title, f' y="{height:g}" width="360" height="{plot.height:g}"'))
        height += plot.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:g}"'
        ' font-family="system-ui,sans-serif" font-size="10" fill="#5c6470"'
        ' style="--muted:#5c6470;--line:#dde1e7;--first:#2563c9">\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def ticks(low: float, high: float, *, is_whole: bool = False) -> list[tuple[float, str]]:
    """Return round numbers from at most `low` to at least `high`, with their texts.

    They are 1, 2 or 5 times a power of ten apart: Heckbert's "Nice numbers for graph labels", in
    Graphics Gems, 1990.
    """
    rough = max((high - low) / 5, 1.0 if is_whole else 0.0)
    power = floor(log10(rough))
    ratio = rough / 10.0**power
    factor = 1 if ratio < 1.5 else 2 if ratio < 3 else 5 if ratio < 7 else 10
    step = factor * 10.0**power
    # What is off by a rounding error is at the tick.
    numbers = range(floor(low / step + 1e-9), ceil(high / step - 1e-9) + 1)
    form = f",.{max(0, -power - (factor == 10))}f" if 1e-6 < step < 1e6 else "g"
    return [(n * step, f"{n * step:{form}}".replace("-", "−")) for n in numbers]


def thinned(points: int, most: int = 200) -> list[int]:
    """Return the indices of so many points, or, if there are more than `most`, of some of them.

    More cannot be told apart. They are evenly spaced, and the last is among them.
    """
    last = points - 1
    return [*range(0, last, -(-last // most) or 1), last]


def shortened(text: str, room: float) -> str:
    """Return a text that is not wider than `room`, with an ellipsis for what it lost."""
    if _text_width(text) <= room:
        return text
    while _text_width(text) > room - _LETTER:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _text_width(text: str) -> float:
    """Return about how wide a text is, as fonts differ."""
    wide = sum(letter in "MWmw@%−" or east_asian_width(letter) in "FW" for letter in text)
    return _LETTER * (0.6 * len(text) + 0.4 * wide)


def _upright(spans: Iterable[Span]) -> list[list[Point]]:
    return [[(place, low), (place, high)] for place, low, high in spans]


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width:g}"'


def _path(runs: Iterable[Sequence[Point]], attributes: str, end: str = "") -> str:
    data = ""
    for run in runs:
        points = [(_short(x), _short(y)) for x, y in run]
        data += "M{} {}".format(*points[0])
        for (x, y), (to_x, to_y) in pairwise(points):
            data += f"V{to_y}" if to_x == x else f"H{to_x}" if to_y == y else f"L{to_x} {to_y}"
        data += end
    return f'<path d="{data}"{attributes and f" {attributes}"}/>'


def _leading(marks: str, address: str, text: str) -> str:
    """Return marks that lead to an address, if there is one; `text` says what is there."""
    if not address:
        return marks
    return f'<a href="{escape(address)}" tabindex="-1"><title>{escape(text)}</title>{marks}</a>'


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    if not text:
        return ""
    if anchor == "middle" and not more:
        x = min(x, _WIDTH - _text_width(text) / 2)  # so that it is not cut
    at = f'x="{_short(x)}" y="{_short(y)}" text-anchor="{anchor}"'
    return f"<text {at}{more}>{escape(text)}</text>"


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
