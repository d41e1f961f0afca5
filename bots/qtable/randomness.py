"""Random numbers for compiled loops: xorshift64* (Vigna, 2016), whose state is an array of one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

State = NDArray[np.uint64]
"""One number that is not 0; every draw changes it."""

_FACTOR = np.uint64(2685821657736338717)


def new_state(rng: np.random.Generator) -> State:
    """Return the state from which a sequence of random numbers begins."""
    return rng.integers(1, 2**63, size=1, dtype=np.uint64)


@njit(cache=True)
def below(state: State, size: int) -> int:
    """Return a number from 0 to size - 1; `size` is at most 2**31."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    high = (x * _FACTOR) >> np.uint64(32)
    return int(np.int64((high * np.uint64(size)) >> np.uint64(32)))
