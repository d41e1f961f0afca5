"""The Q-networks in numpy: what each bid will have cost when the auction ends, as they estimate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped
from bridge_arena.bots.library.learning.hands import FEATURES, Hands, features
from bridge_arena.bots.library.learning.layers import Exact, Shapes, hidden, layers, linear
from bridge_arena.bots.library.learning.scores import CONTRACTS

Array = NDArray[np.float32]

FORBIDDEN = np.float32(1e9)
"""The cost of a bid below the last one."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The auctions of n pairs of hands."""

    contracts: NDArray[np.int64]  # the contract that each pair reaches, n
    bids: NDArray[np.int8]  # the bids of each pair, n×calls, with -1 after the end of the auction


class QNets:
    """One network for each call of an auction without opponents."""

    def __init__(self, weights: list[dict[str, Array]]) -> None:
        self._layers = [layers(layer_weights) for layer_weights in weights]

    @classmethod
    def read(cls, path: Path) -> QNets:
        """Read the networks from a file of weights."""
        arrays = Arrays(path)
        calls = max(1, sum(name.endswith(".hand.weight") for name in arrays.names))
        return cls([_read(arrays, f"{call}.") for call in range(calls)])

    @property
    def calls(self) -> int:
        """The largest number of calls of an auction."""
        return len(self._layers)

    def costs(self, call: int, hands: Hands, bids: Array, last: NDArray[np.int64]) -> Array:
        """Return what each bid costs in IMPs, n×36; a bid below the last one costs `FORBIDDEN`.

        `bids` are those of both partners so far, n×36; `last` is 0 if there is none or it is a
        pass.
        """
        return self.costs_of(call, self.first_layer(call, features(hands)), bids, last)

    def first_layer(self, call: int, inputs: Array) -> Exact:
        """Return the part of a call's first layer that depends on the features of the hands."""
        return self._layers[call]["hand"](inputs)

    def costs_of(self, call: int, held: Exact, bids: Array, last: NDArray[np.int64]) -> Array:
        """Return what `costs` does, for hands that `first_layer` has been computed for."""
        own = self._layers[call]
        x = np.maximum(held + own["bids"](bids), 0)
        layer = 0
        while hidden := own.get(f"hidden.{layer}"):
            x = np.maximum(hidden(x), 0)
            layer += 1
        costs: Array = own["out"](x).astype(np.float32)
        return np.where(np.arange(CONTRACTS) < last[:, None], FORBIDDEN, costs)

    def bid(self, hands: Hands, partners: Hands) -> Reached:
        """Bid pairs of hands until each auction ends."""
        number = len(hands)
        inputs = [features(hands), features(partners)]
        made = np.full((number, self.calls), -1, np.int8)
        bids = np.zeros((number, CONTRACTS), np.float32)
        last = np.zeros(number, np.int64)
        on = np.arange(number)
        for call in range(self.calls):
            held = self.first_layer(call, inputs[call % 2][on])
            bid = self.costs_of(call, held, bids[on], last[on]).argmin(axis=1)
            over = (bid == last[on]) & (call > 0)
            made[on, call] = bid
            last[on] = bid
            bids[on, bid] = 1.0
            on = on[~over]
        return Reached(last, made)


def _read(arrays: Arrays, call: str) -> dict[str, Array]:
    """Return the weights whose names begin with `call`, without it, or raise ArraysError."""
    width = len(arrays.weights(f"{call}hand.weight", None, FEATURES))
    shapes: Shapes = {f"{call}bids.weight": (width, CONTRACTS)}
    shapes |= linear(f"{call}hand", FEATURES, width) | linear(f"{call}out", width, CONTRACTS)
    shapes |= hidden(f"{call}hidden", width, arrays.names)
    return {name.removeprefix(call): arrays.weights(name, *shape) for name, shape in shapes.items()}


def bids_made(bids: list[int]) -> Array:
    """Return the bids of an auction as the networks see them: 36 numbers, 0 or 1."""
    made = np.zeros(CONTRACTS, np.float32)
    made[bids] = 1.0
    return made


@lru_cache(maxsize=1)
def shipped() -> QNets:
    """Return the networks that ship."""
    return read_shipped("bridge_arena.bots.deepq", QNets.read)
