"""Auctions as tensors are those as arrays, call by call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import ArrayAuctions, Auctions
from bridge_arena.bots.neural.net import public
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.library.learning.device import array

NUMBER = 1000


def random_calls(legal: NDArray[np.bool_], seed: int) -> NDArray[np.int64]:
    """Return random legal calls; low bids, doubles and passes are likelier."""
    odds = legal * np.random.default_rng(seed).random(legal.shape) * np.exp(-0.25 * np.arange(38))
    calls: NDArray[np.int64] = odds.argmax(axis=1)
    return calls


def test_auctions_of_torch_are_those_of_numpy() -> None:
    vulnerable = np.random.default_rng(1).random((NUMBER, 2)) < 0.5
    other = Auctions(NUMBER)
    ours: ArrayAuctions[torch.Tensor] = ArrayAuctions(NUMBER, torch)
    board = np.arange(NUMBER)
    ended = 0
    while len(other):
        legal = other.legal()
        assert (ours.legal().numpy() == legal).all()
        for viewer in range(4):
            known = public(ours, torch.from_numpy(vulnerable)[board], viewer)
            assert (known.numpy() == public(other, vulnerable[board], viewer)).all()
        calls = random_calls(legal, other.made)
        other.push(calls)
        ours.push(torch.from_numpy(calls))
        over = other.over
        assert (ours.over.numpy() == over).all()
        assert (ours.moved(array, np).calls == other.calls).all()
        done = np.flatnonzero(over)
        bid = done[other.last[done] > 0]
        assert (ours.risk.numpy() == other.risk).all()
        assert (ours.declarer.numpy()[bid] == other.declarer[bid]).all()
        ended += len(done)
        going = np.flatnonzero(~over)
        other, ours = other.rows(going), ours.rows(torch.from_numpy(going))
        board = board[going]
    assert ended == NUMBER
