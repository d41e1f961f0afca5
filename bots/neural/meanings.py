"""What calls told of the hands that made them, by the second network: ranges for programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.exact import rounded
from bridge_arena.bots.neural.net import LENGTHS, POINTS, Nets
from bridge_arena.bridge.calls import FIRST_BID, Call
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.explanation import Explanation, Range

SELDOM = 0.002
"""The share of hands at either end that a range leaves out."""


def explanations(nets: Nets, calls: list[Call], seen: NDArray[np.uint8]) -> list[Explanation]:
    """Return the explanations of some calls.

    Args:
        nets: The networks.
        calls: The calls.
        seen: What is public to its caller after each call (`bots.neural.features.public`), row by
            row.

    Returns:
        One explanation for each call.
    """
    logits = nets.shown(seen)
    points = _ranges(logits[:, :POINTS])
    suits = [
        _ranges(logits[:, start : start + LENGTHS])
        for start in range(POINTS, logits.shape[1], LENGTHS)
    ]
    return [
        _explanation(call, points[row], [ranges[row] for ranges in suits])
        for row, call in enumerate(calls)
    ]


def _explanation(call: Call, points: Range, lengths: list[Range]) -> Explanation:
    trump = call.denomination.trump if call >= FIRST_BID else None
    return Explanation(
        "learned",
        hcp=points,
        lengths=dict(zip(SUITS, lengths, strict=True)),
        artificial=trump is not None and lengths[trump][0] < 3,
    )


def _ranges(logits: NDArray[np.float32]) -> list[Range]:
    """Return the range of values, from 0 on, that is left when both ends are cut off."""
    odds = rounded(np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64)))
    below = np.cumsum(odds, axis=1)
    total = below[:, -1:]
    low = (below < SELDOM * total).sum(axis=1)
    high = (below < (1 - SELDOM) * total).sum(axis=1).clip(max=logits.shape[1] - 1)
    return [(int(least), int(most)) for least, most in zip(low, high, strict=True)]
