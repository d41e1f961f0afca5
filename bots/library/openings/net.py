"""The probability of each opening with a hand, in numpy.

It is a logistic regression on random Fourier features (Rahimi and Recht, Random Features for
Large-Scale Kernel Machines, 2007), which stand for the Gaussian distances to all hands. A hand is
seen as its vector (`bots.library.hand2vec`), its points, the lengths of its suits, and its pattern.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.hand2vec.net import shipped as shipped_vectors
from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, read_shipped
from bridge_arena.bots.library.learning.hands import Hands, hands_array, lengths, points
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import Hand

Array = NDArray[np.float64]

_POINTS = 10.0, 4.13
_LENGTH = 3.25, 1.365
"""Mean and standard deviation over all hands."""

_PATTERN = np.array([4.901, 3.667, 2.735, 1.698]), np.array([0.834, 0.593, 0.557, 0.724])
"""Means and standard deviations of the lengths of a hand's suits, the longest first."""


class OpeningsNet:
    """The openings that a net knows (`calls`), and their probabilities.

    Its weights are `directions`, inputs×n, and `phases`, n, of the features; `weight`, n×openings,
    and `bias`, openings.
    """

    def __init__(self, weights: dict[str, NDArray[np.float32]], calls: tuple[Call, ...]) -> None:
        self.weights = weights
        self.calls = calls

    @classmethod
    def read(cls, path: Path) -> OpeningsNet:
        """Read the net from a file of weights."""
        arrays = Arrays(path)
        width = inputs(np.zeros((1, 52), np.bool_)).shape[1]
        phases = arrays.weights("phases", None)
        calls = arrays.numbers("calls", None)
        if not set(calls.tolist()) <= set(range(len(CALLS))):
            raise ArraysError(f"{path}: calls holds something that is no call")
        sizes = len(phases), len(calls)
        weights = {
            "directions": arrays.weights("directions", width, sizes[0]),
            "phases": phases,
            "weight": arrays.weights("weight", *sizes),
            "bias": arrays.weights("bias", sizes[1]),
        }
        return cls(weights, tuple(CALLS[int(call)] for call in calls))

    def probabilities(self, hands: Hands) -> Array:
        """Return the probability of each of `calls` as opening, n×calls, with hands, n×52."""
        known = features(inputs(hands), self.weights["directions"], self.weights["phases"])
        rated = known @ self.weights["weight"] + self.weights["bias"]
        rated -= rated.max(axis=1, keepdims=True)
        odds: Array = np.exp(rated)
        odds /= odds.sum(axis=1, keepdims=True)
        return odds

    def likely(self, hand: Hand) -> list[tuple[Call, float]]:
        """Return the openings with a hand and their probabilities, the likeliest first."""
        (odds,) = self.probabilities(hands_array([hand]))
        return [(self.calls[opening], float(odds[opening])) for opening in np.argsort(-odds)]


def inputs(hands: Hands) -> Array:
    """Return what the net reads of hands, n×17: numbers of mean 0 and deviation 1."""
    suits = lengths(hands)
    middles, spreads = _PATTERN
    return np.concatenate(
        [
            shipped_vectors().vectors(hands),
            (points(hands)[:, None] - _POINTS[0]) / _POINTS[1],
            (suits - _LENGTH[0]) / _LENGTH[1],
            (np.sort(suits, axis=1)[:, ::-1] - middles) / spreads,
        ],
        axis=1,
    ).astype(np.float64)


def features(
    inputs: Array, directions: NDArray[np.floating], phases: NDArray[np.floating]
) -> Array:
    """Return random Fourier features, n×features, of inputs, n×17."""
    waves: Array = np.sqrt(2 / len(phases)) * np.cos(inputs @ directions + phases)
    return waves


@lru_cache(maxsize=1)
def shipped() -> OpeningsNet:
    """Return the net that ships. It learned from players of the Polish second league."""
    return read_shipped("bridge_arena.bots.library.openings", OpeningsNet.read)
