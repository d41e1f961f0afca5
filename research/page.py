"""Write a page of sections with tables and plots: one file without scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.figures import standard_error
from bridge_arena.base.files import replace_file
from bridge_arena.base.plots import SERIES, Plot
from bridge_arena.reports.common.page import templates

Curves = dict[str, dict[int, dict[int, float]]]
"""By name, number of the curve, and place."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section: a title, text, tables as markdown, and plots with their titles."""

    title: str
    text: str
    tables: list[str]
    plots: dict[str, Plot] = field(default_factory=dict)

    @property
    def cells(self) -> list[list[list[str]]]:
        """The cells of the tables, with their headers first."""
        return [
            [
                [cell.strip() for cell in line.strip("|").split("|")]
                for number, line in enumerate(table.splitlines())
                if number != 1
            ]
            for table in self.tables
            if table
        ]

    def __str__(self) -> str:
        parts = [f"## {self.title}", self.text, *self.tables]
        return "\n\n".join(part for part in parts if part)


def write_page(path: Path, title: str, subtitle: str, source: str, sections: list[Section]) -> None:
    """Write the page, whole or not at all; the same sections give the same bytes.

    Raises OSError.
    """
    template = templates(Path(__file__).parent).get_template("page.html")
    words = {"title": title, "subtitle": subtitle, "source": source}
    text = template.render(sections=sections, **words) + "\n"
    replace_file(path, text.encode())


def curves_plot(curves: Curves, across: str, up: str) -> Plot:
    """Plot for each name the mean of several curves, with the band of their standard errors."""
    plot = Plot(up, across, height=260, has_zero=False)
    for colour, (label, every) in zip(SERIES, curves.items(), strict=False):
        at = sorted(next(iter(every.values())))
        values = np.array([[one[place] for place in at] for one in every.values()])
        mean = values.mean(axis=0)
        plot.line(zip(at, mean.tolist(), strict=True), colour, label)
        if len(values) > 1:
            error = standard_error(values)
            band = ((mean - error).tolist(), (mean + error).tolist())
            plot.area(list(zip(at, *band, strict=True)), colour)
    return plot
