"""Nets of weights drawn at random, for tests of what reads them."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.library.hand2vec.net import HIDDEN, WIDTH, Array


def weights_of(dimensions: int) -> dict[str, Array]:
    """All arrays of a net."""
    rng = np.random.default_rng(dimensions)
    widths = {
        "embedding": (52, HIDDEN, HIDDEN, dimensions),
        "tricks": (2 * dimensions, WIDTH, WIDTH, 5),
    }
    found: dict[str, Array] = {}
    for name, sizes in widths.items():
        for layer in range(3):
            before, after = sizes[layer : layer + 2]
            shapes = {"weight": (after, before), "bias": (after,)}
            for part, shape in shapes.items():
                found[f"{name}.{layer}.{part}"] = rng.normal(0, 0.2, shape).astype(np.float32)
    return found
