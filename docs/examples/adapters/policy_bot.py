"""A policy of the environments takes a seat: this one chooses any legal action."""

import numpy as np

from bridge_arena import run
from bridge_arena.bots.adapters import from_pettingzoo

rng = np.random.default_rng()


def policy(seen):
    return rng.choice(np.flatnonzero(seen["action_mask"]))


run(from_pettingzoo(policy))
