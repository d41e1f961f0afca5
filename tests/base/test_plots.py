"""Tests of plots: round numbers at axes, where marks are, names, and figures of any size."""

from __future__ import annotations

import re
from itertools import pairwise
from math import inf, nan
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bridge_arena.base.plots import FIRST, Plot, document, shortened, thinned, ticks

NUMBERS = st.floats(-1e15, 1e15).map(lambda number: round(number, 6))


def element(plot: Plot) -> ET.Element:
    return ET.fromstring(plot.svg("what it shows"))


def texts(plot: Plot) -> list[str]:
    return [text.text or "" for text in element(plot).iter("text")]


def path(plot: Plot, colour: str = FIRST) -> str:
    """Return the path of the one mark of a colour."""
    (found,) = (
        mark.get("d", "")
        for mark in element(plot).iter("path")
        if colour in (mark.get("fill"), mark.get("stroke"))
    )
    return found


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-9, 7, ["−10", "−5", "0", "5", "10"]),
        (0.3, 0.34, ["0.30", "0.31", "0.32", "0.33", "0.34"]),
        (-3, -1, ["−3.0", "−2.5", "−2.0", "−1.5", "−1.0"]),
        (0, 52_000, ["0", "10,000", "20,000", "30,000", "40,000", "50,000", "60,000"]),
        (0, 5e9, ["0", "1e+09", "2e+09", "3e+09", "4e+09", "5e+09"]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, labels: list[str]) -> None:
    assert [text for _, text in ticks(low, high)] == labels


def test_ticks_of_whole_numbers_are_whole() -> None:
    assert ticks(0, 2, is_whole=True) == [(0, "0"), (1, "1"), (2, "2")]
    assert ticks(0, 1, is_whole=True) == [(0, "0"), (1, "1")]


@given(low=NUMBERS, span=NUMBERS.map(abs), is_whole=st.booleans())
def test_ticks_cover_what_they_are_for(low: float, span: float, *, is_whole: bool) -> None:
    high = low + span
    assume(span > 1e-6 * abs(low))  # a chart of less would show rounding errors
    numbers = [number for number, _ in ticks(low, high, is_whole=is_whole)]
    assert 2 <= len(numbers) <= 10
    step = numbers[1] - numbers[0]
    assert numbers[0] - step * 1e-6 <= low
    assert high <= numbers[-1] + step * 1e-6
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("points", [1, 2, 3, 199, 200, 201, 202, 400, 401, 10_001])
def test_thinned_keeps_first_and_last(points: int) -> None:
    at = thinned(points)
    assert at[0] == 0
    assert at[-1] == points - 1
    assert at == sorted(set(at))
    assert len(at) <= 201
    assert len({after - before for before, after in pairwise(at[:-1])}) <= 1


def test_places_lead_to_addresses_by_the_pointer_alone() -> None:
    plot = Plot("tricks")
    plot.bars([(1, 0, 3), (2, 0, 5)], FIRST)
    plot.link(2, "boards.html#a&b", "board <2>", 0.8)
    (link,) = element(plot).iter("a")
    assert link.attrib == {"href": "boards.html#a&b", "tabindex": "-1"}
    assert [child.text for child in link] == ["board <2>", None]
    assert link[1].attrib["d"] == "M206.2 182H348V6H206.2", "it is as high as the plot"


def test_values_go_up_and_rows_go_down() -> None:
    plot = Plot("up", "along")
    plot.line([(0, 0), (10, 5)], FIRST)
    start, end = re.findall(r"[ML]([\d.]+) ([\d.]+)", path(plot))
    assert float(start[0]) < float(end[0])
    assert float(start[1]) > float(end[1])
    rows = Plot("right", rows=["a", "b"])
    rows.dots([(0, 1), (1, 2)], FIRST)
    first, second = re.findall(r"M([\d.]+) ([\d.]+)", path(rows))
    assert float(first[0]) < float(second[0])
    assert float(first[1]) < float(second[1])
    assert texts(rows)[:2] == ["a", "b"]


def test_a_bar_of_nothing_has_its_place() -> None:
    plot = Plot("up")
    plot.bars([(1, 0, 3), (2, 0, 0)], FIRST)
    assert texts(plot)[-3:] == ["1", "2", "up"]


def test_names_of_strangers_are_text() -> None:
    evil = "</text><b onload='x'>&"
    plot = Plot(evil, evil, names=[evil])
    plot.line([(0, 1)], FIRST, evil)
    whole = ET.fromstring(plot.svg(evil + '"'))
    assert whole.get("aria-label") == evil + '"'
    assert [text.text for text in whole.iter("text")].count(evil) == 4
    assert {found.tag for found in whole.iter()} == {"svg", "path", "text"}


def test_long_names_are_shortened() -> None:
    names = ["W" * 300, "漢" * 300, "entry with a long name " * 9, "", "short"]
    plot = Plot("values", rows=names)
    plot.dots([(row, row) for row in range(5)], FIRST)
    shown = texts(plot)
    assert "short" in shown
    assert shown[0] == "W" * 13 + "…"
    assert shown[1] == "漢" * 13 + "…"
    assert shown[2] == "entry with a long nam…"
    assert shortened("name", 40) == "name"


@pytest.mark.parametrize(
    "values",
    [
        [],
        [0, 0, 0],
        [7],
        [-3.5, -2, -9],
        [nan, inf, 1],
        [-inf, nan],
        [1e300, -1e300],
        [1e-12, 3e-12],
    ],
)
@pytest.mark.parametrize("has_zero", [True, False])
@pytest.mark.parametrize("rows", [(), ("a", "b", "c")])
def test_any_values_can_be_drawn(
    values: list[float], *, has_zero: bool, rows: tuple[str, ...]
) -> None:
    plot = Plot("up", "along", rows=rows, has_zero=has_zero)
    plot.line(enumerate(values), FIRST, "line")
    plot.area([(place, 0, value) for place, value in enumerate(values)], FIRST)
    plot.bars([(place, 0, value) for place, value in enumerate(values)], FIRST)
    plot.errors([(place, value - 1, value + 1) for place, value in enumerate(values)])
    plot.dots(enumerate(values), FIRST, "diamond")
    page = plot.svg("any")
    assert not re.search(r"\b(nan|inf)\b", page)
    for number in re.findall(r"-?[\d.]+", " ".join(re.findall(' (?:d|x|y)="([^"]*)"', page))):
        assert -360 <= float(number) <= 360
    assert plot.svg("any") == page


def test_the_key_is_below_the_plot() -> None:
    plot = Plot("up", "along", height=100)
    for name in ("one", "two", "three"):
        plot.line([(0, 0), (1, 1)], FIRST, name, "2 2")
    assert element(plot).get("viewBox") == "0 0 360 130"
    assert texts(plot)[-3:] == ["one", "two", "three"]


def test_a_document_has_plots_below_each_other() -> None:
    plots = [Plot("first", height=100), Plot("second", height=50)]
    whole = ET.fromstring(document("A title", plots))
    within = whole.findall("{http://www.w3.org/2000/svg}svg")
    assert [(plot.get("y"), plot.get("height")) for plot in within] == [
        ("24", "100"),
        ("124", "50"),
    ]
    assert whole.get("viewBox") == "0 0 360 174"
    assert {"A title", "first", "second"} <= {*whole.itertext()}
