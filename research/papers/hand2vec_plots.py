"""Draw the plots of `research.papers.hand2vec`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.plots import FIRST, INK, SECOND, Plot
from bridge_arena.bots.library.learning.hands import lengths, points
from research.papers.hand2vec_space import Map

_SHADES = 6


def map_plots(every: list[Map]) -> dict[str, Plot]:
    """Plot each map, coloured by high-card points, and by the lengths of diamonds and spades."""
    plots: dict[str, Plot] = {}
    for one in every:
        held = lengths(one.hands)
        colours = {"HCP": points(one.hands), "diamonds": held[:, 1], "spades": held[:, 3]}
        for name, values in colours.items():
            plots[f"{one.name}, {name}"] = _scatter(one, values)
    return plots


def sizes_plot(errors: dict[int, list[float]]) -> Plot:
    """Plot the error in tricks by the number of dimensions."""
    plot = Plot("error, tricks", "numbers of a vector", has_zero=False)
    plot.line([(size, float(np.mean(errors[size]))) for size in sorted(errors)], INK)
    plot.dots([(size, error) for size, of_size in errors.items() for error in of_size], FIRST)
    return plot


def _scatter(one: Map, values: NDArray[np.int64]) -> Plot:
    plot = Plot("", height=330, has_zero=False)
    ranges = np.array_split(np.arange(values.min(), values.max() + 1), _SHADES)
    for number, held in enumerate(part for part in ranges if len(part)):
        share = 100 * number // (_SHADES - 1)
        colour = f"color-mix(in oklab, {SECOND} {share}%, {FIRST})"
        places = one.places[(values >= held[0]) & (values <= held[-1])]
        plot.dots(places.tolist(), colour, "speck")
        plot.line([], colour, f"{held[0]} to {held[-1]}" if len(held) > 1 else str(held[0]))
    return plot
