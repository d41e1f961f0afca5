"""Write a page of sections with tables and plots: one file without scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.figures import standard_error
from bridge_arena.base.files import replace_file
from bridge_arena.reports.common.drawing import SERIES, look, new_axes, svg
from bridge_arena.reports.common.page import templates

Curves = dict[str, dict[int, dict[int, float]]]
"""By name, number of the curve, and place."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section: a title, text, tables as markdown, and plots as SVG with their titles."""

    title: str
    text: str
    tables: list[str]
    plots: dict[str, str] = field(default_factory=dict)

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


def curves_plot(curves: Curves, across: str, up: str, name: str = "") -> str:
    """Plot for each name the mean of several curves, with the band of their standard errors.

    Plots on one page whose axes have the same name need different `name`s.
    """
    with look():
        figure, axes = new_axes(3.6)
        for colour, (label, every) in zip(SERIES, curves.items(), strict=False):
            at = sorted(next(iter(every.values())))
            found = np.array([[one[each] for each in at] for one in every.values()])
            mean = found.mean(axis=0)
            axes.plot(at, mean, color=colour, label=label)
            if len(found) > 1:
                error = standard_error(found)
                band = (mean - error, mean + error)
                axes.fill_between(at, *band, color=colour, alpha=0.25, linewidth=0)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.legend()
        return svg(figure, f"curves-{''.join(filter(str.isalnum, up + name))}")
