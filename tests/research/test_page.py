"""Tests of the page that shows benchmarks."""

from pathlib import Path

import pytest

from bridge_arena.base.plots import Plot
from research.page import Section, curves_plot, write_page

pytestmark = pytest.mark.slow


def test_a_page_has_every_cell(tmp_path: Path) -> None:
    table = "| a | b |\n| --- | --- |\n| -1 | x < y |"
    section = Section("Heading", "Text.", [table, ""], {"plot <1>": Plot("up")})
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    for path in (one, other):
        write_page(path, "Title", "Subtitle", "Author, Book", [section])
    found = one.read_text()
    assert "<td" in found
    assert "−1" in found
    assert "x &lt; y" in found
    assert 'aria-label="plot &lt;1&gt;"' in found
    assert "---" not in found
    assert other.read_text() == found
    assert str(section) == f"## Heading\n\nText.\n\n{table}"


def test_curves_need_not_be_of_the_same_places() -> None:
    curves = {"learned": {1: {0: 1.0, 5: 2.0, 9: 3.0}, 2: {0: 1.0, 5: 2.5, 9: 2.0}}}
    plot = curves_plot(curves | {"chance": {1: {0: 1.0, 9: 1.0}}}, "games", "won").svg("won")
    assert plot.startswith("<svg")
    assert ">learned<" in plot
    assert ">chance<" in plot
