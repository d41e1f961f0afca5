"""Draw the plots of `research.papers.hand2vec`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import lengths, points
from bridge_arena.reports.common.drawing import INK, SERIES, look, new_axes, svg
from research.papers.hand2vec_space import Map


def map_plots(every: list[Map]) -> dict[str, str]:
    """Plot each map, coloured by high-card points, and by the lengths of diamonds and spades."""
    found: dict[str, str] = {}
    for one in every:
        held = lengths(one.hands)
        colours = {"HCP": points(one.hands), "diamonds": held[:, 1], "spades": held[:, 3]}
        for name, values in colours.items():
            found[f"{one.name}, {name}"] = _scatter(one, values, f"map-{len(found)}")
    return found


def sizes_plot(errors: dict[int, list[float]]) -> str:
    """Plot the error in tricks by the number of dimensions."""
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
