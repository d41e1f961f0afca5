"""Small networks of random weights, without torch."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.disciplined.net import INPUTS, WorthNet
from bridge_arena.bridge.calls import CALLS

_WIDTH = 16

_SHAPES = {
    "first.weight": (_WIDTH, INPUTS),
    "first.bias": (_WIDTH,),
    "hidden.0.weight": (_WIDTH, _WIDTH),
    "hidden.0.bias": (_WIDTH,),
    "out.weight": (len(CALLS), _WIDTH),
    "out.bias": (len(CALLS),),
}


def net(seed: int) -> WorthNet:
    rng = np.random.default_rng(seed)
    return WorthNet(
        {name: rng.uniform(-0.3, 0.3, shape).astype(np.float32) for name, shape in _SHAPES.items()}
    )
