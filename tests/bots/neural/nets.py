"""Small networks of random weights, without torch."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.library.learning.hands import FEATURES
from bridge_arena.bots.neural.net import PUBLIC, SHOWN, Array, Nets
from bridge_arena.bridge.calls import CALLS

_WIDTH = 16

_SHAPES = {
    "calls.hand.weight": (_WIDTH, FEATURES),
    "calls.hand.bias": (_WIDTH,),
    "calls.seen.weight": (_WIDTH, PUBLIC),
    "calls.hidden.0.weight": (_WIDTH, _WIDTH),
    "calls.hidden.0.bias": (_WIDTH,),
    "calls.out.weight": (len(CALLS), _WIDTH),
    "calls.out.bias": (len(CALLS),),
    "calls.value.weight": (1, _WIDTH),
    "calls.value.bias": (1,),
    "meanings.seen.weight": (_WIDTH, PUBLIC),
    "meanings.seen.bias": (_WIDTH,),
    "meanings.hidden.0.weight": (_WIDTH, _WIDTH),
    "meanings.hidden.0.bias": (_WIDTH,),
    "meanings.out.weight": (SHOWN, _WIDTH),
    "meanings.out.bias": (SHOWN,),
}


def weights(seed: int) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    return {
        name: rng.uniform(-0.2, 0.2, shape).astype(np.float32) for name, shape in _SHAPES.items()
    }


def nets(seed: int) -> Nets:
    return Nets(weights(seed))
