"""Which calls are forcing: how likely partner passes, learned from auctions of the networks.

Nobody told the networks that a call is forcing: it is if partner next to never passes it, after a
pass of the opponent in between. Logistic regression tells it from the last layer of the second
network and from the auction; it learns from auctions of four players of the kind.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.layers import rounded
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.neural.net import PUBLIC, Array, Nets, public
from bridge_arena.bridge.calls import PASS

_AT_ONCE = 2000

_STEPS = 12
"""Newton's steps."""

_DECAY = 1.0
"""What a weight's square costs, in the unit of the sum of all logarithms."""


def passes(nets: Nets, boards: Boards) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Bid boards, and return which calls partner passes after a pass in between."""
    auctions, on = Auctions(len(boards)), np.arange(len(boards))
    # What was public after the call before the last, and what the last two calls were.
    before = last = np.zeros((len(boards), 0), np.uint8)
    calls = np.full((2, len(boards)), PASS)
    features = [np.zeros((0, PUBLIC), np.uint8)]
    passed = [np.zeros(0, np.bool_)]
    while len(on):
        seat = auctions.turn
        made = nets.calls(boards.rows(on), auctions)
        rows = np.flatnonzero((calls[0] != PASS) & (calls[1] == PASS))
        if len(rows):
            features.append(before[rows])
            passed.append(made[rows] == PASS)
        auctions.push(made)
        before, last = last, public(auctions, boards.vulnerable[on], seat)
        calls = np.stack([calls[1], made])
        going = np.flatnonzero(~auctions.over)
        auctions, on, calls = auctions.rows(going), on[going], calls[:, going]
        before, last = before[going], last[going]
    return np.concatenate(features), np.concatenate(passed)


def learned(
    nets: Nets, rng: np.random.Generator, boards: int, on_bidden: Callable[[int], None]
) -> dict[str, Array]:
    """Return the weights from which `Nets.passed` says how likely a call is passed."""
    inputs: list[Array] = []
    passed: list[NDArray[np.bool_]] = []
    for start in range(0, boards, _AT_ONCE):
        on_bidden(start)
        features, its = passes(nets, Boards.random(rng, min(_AT_ONCE, boards - start)))
        inputs.append(nets.understood(features).astype(np.float32))
        passed.append(its)
    on_bidden(boards)
    x, y = np.concatenate(inputs), np.concatenate(passed)
    x = np.hstack([x, np.ones((len(x), 1), np.float32)])
    fitted = _fitted(x, y)
    return {"passed.weight": fitted[None, :-1], "passed.bias": fitted[-1:]}


def _fitted(x: Array, y: NDArray[np.bool_]) -> Array:
    """Return the coefficients of a logistic regression, with a decay."""
    fitted = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-np.clip(x @ fitted, -30, 30)))
        slope = x.T @ (odds - y) + _DECAY * fitted
        # A little more than the true curve, so that no step goes too far.
        weight = (odds * (1 - odds) + 1e-3).astype(np.float32)
        curve = (x.T @ (x * weight[:, None])).astype(np.float64) + _DECAY * np.eye(len(fitted))
        fitted -= np.linalg.solve(curve, slope)
    return rounded(fitted).astype(np.float32)
