"""Kinds of processors that this one can stand in for, and what the shipped networks say on them.

`python -m tests.bots.kernels` prints a hash for each network.
"""

from __future__ import annotations

import platform
from hashlib import sha256

import numpy as np
import pytest

from bridge_arena.bots.deepq import net as deepq
from bridge_arena.bots.deepq.search import Search
from bridge_arena.bots.dqn import bot as dqn
from bridge_arena.bots.fastplay import net as fastplay
from bridge_arena.bots.fastplay.net import Positions
from bridge_arena.bots.library.hand2vec import net as hand2vec
from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.library.tricks import net as tricks
from bridge_arena.bots.neural import net as neural
from bridge_arena.bots.neural.meanings import explanations
from bridge_arena.bots.neural.net import PUBLIC
from bridge_arena.bots.qtable.cells import cells
from bridge_arena.bridge.calls import CALLS

_FOUND: list[str] = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])

OLDEST = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": " ".join(_FOUND),
}
"""The settings with which numpy computes as on an x86 processor of 2004."""

HASWELL = {"OPENBLAS_CORETYPE": "Haswell"}
"""The settings with which it multiplies matrices as on one of 2013."""


def skip_unless_possible(settings: dict[str, str]) -> None:
    """Skip the test where this processor cannot stand in for that of the settings."""
    if platform.machine() not in {"x86_64", "AMD64"}:
        pytest.skip("the names of these kernels are those of x86")
    if settings == HASWELL and not {"AVX2", "X86_V3"} & {*_FOUND}:
        pytest.skip("this processor has no such instructions")


def hashes() -> dict[str, str]:
    """Return a hash of what each network says of some random hands and positions."""
    number = 24
    rng = np.random.default_rng(1)
    hands, partners = random_pairs(rng, number)
    nets, bidding, estimate = neural.shipped(), deepq.shipped(), tricks.shipped()
    seen = (rng.random((number, PUBLIC)) < 0.2).astype(np.uint8)
    none, last = np.zeros((number, 36), np.float32), np.zeros(number, np.int64)
    tricks_of = estimate.estimate(hands, partners)
    search = Search(bidding, estimate, 20)
    positions = Positions(
        owner=np.argsort(rng.random((number, 52)), axis=1) % 4,
        trump=rng.integers(0, 5, number),
        promised=np.tile(np.array([[0, 40]] + [[0, 13]] * 4), (number, 4, 1, 1)),
        cards=np.zeros((number, 52), np.int64),
        place=np.zeros(number, np.int64),
        turn=np.ones(number, np.int64),
    )
    found = {
        "neural": nets.ratings(hands, seen),
        "its value": nets.value(hands, seen),
        "its meanings": nets.shown(seen),
        "its explanations": np.array(repr(explanations(nets, list(CALLS[:number]), seen))),
        "deepq": np.stack(
            [bidding.costs(call, hands, none, last) for call in range(bidding.calls)]
        ),
        "its search": np.array(list(search.contracts(hands[:1], partners[:1], rng))),
        "dqn": dqn.shipped().costs(positions),
        "fastplay": fastplay.shipped().costs(positions),
        "tricks": np.stack([tricks_of.mean, tricks_of.deviation]),
        "hand2vec": hand2vec.shipped().estimate(hands, partners),
        "qtable": cells(hands),
    }
    return {name: sha256(each.tobytes()).hexdigest() for name, each in found.items()}


if __name__ == "__main__":
    for name, each in hashes().items():
        print(f"{name}: {each}")
