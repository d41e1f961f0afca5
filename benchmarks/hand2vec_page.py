"""The page of `benchmarks.hand2vec`: its tables and plots in one file, no scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.hand2vec_space import Map
from bots.learning.hands import lengths, points
from tournaments.report.drawing import INK, SERIES, look, new_axes, svg
from tournaments.report.html import environment


@dataclass(frozen=True, slots=True)
class Section:
    """A title, what is to be known, tables as markdown, and plots as SVG with their titles."""

    title: str
    text: str
    tables: list[str]
    plots: dict[str, str] = field(default_factory=dict)

    @property
    def cells(self) -> list[list[list[str]]]:
        """The cells of the tables, their headers first."""
        return [
            [
                [cell.strip() for cell in line.strip("|").split("|")]
                for number, line in enumerate(table.splitlines())
                if number != 1
            ]
            for table in self.tables
        ]

    def __str__(self) -> str:
        return "\n\n".join([f"## {self.title}", self.text, *self.tables])


def page(sections: list[Section]) -> str:
    """The same sections give the same bytes."""
    found = environment(Path(__file__).parent).get_template("hand2vec.html")
    return found.render(sections=sections) + "\n"


def map_plots(every: list[Map]) -> dict[str, str]:
    """Each map, coloured by high-card points and by the cards in diamonds and in spades."""
    found: dict[str, str] = {}
    for one in every:
        held = lengths(one.hands)
        colours = {"HCP": points(one.hands), "diamonds": held[:, 1], "spades": held[:, 3]}
        for name, values in colours.items():
            found[f"{one.name}, {name}"] = _scatter(one, values, f"map-{len(found)}")
    return found


def sizes_plot(errors: dict[int, list[float]]) -> str:
    """The error, in tricks, by the numbers of a vector."""
    with look():
        figure, axes = new_axes()
        axes.plot(
            sorted(errors), [float(np.mean(errors[each])) for each in sorted(errors)], color=INK
        )
        for number, each in errors.items():
            axes.plot([number] * len(each), each, "o", color=SERIES[0], markersize=4)
        axes.set_xlabel("numbers of a vector")
        axes.set_ylabel("error, tricks")
        return svg(figure, "sizes")


def curves_plot(curves: dict[str, dict[int, dict[int, float]]], across: str, up: str) -> str:
    """Of each name the mean of several curves, and the band of their standard errors. `curves`:
    by name, number of the curve, and place."""
    with look():
        figure, axes = new_axes(3.6)
        for colour, (name, every) in zip(SERIES, curves.items(), strict=False):
            at = sorted(next(iter(every.values())))
            found = np.array([[one[each] for each in at] for one in every.values()])
            mean = found.mean(axis=0)
            axes.plot(at, mean, color=colour, label=name)
            if len(found) > 1:
                error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
                band = (mean - error, mean + error)
                axes.fill_between(at, *band, color=colour, alpha=0.25, linewidth=0)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.legend()
        return svg(figure, f"curves-{''.join(filter(str.isalnum, up))}")


def _scatter(one: Map, values: NDArray[np.int64], name: str) -> str:
    with look():
        figure, axes = new_axes(4.6)
        drawn = axes.scatter(
            one.places[:, 0], one.places[:, 1], c=values, s=5, linewidths=0, cmap="viridis"
        )
        drawn.set_rasterized(True)
        figure.colorbar(drawn)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.grid(visible=False)
        return svg(figure, name)
