"""Auctions on a device are those of `many_auctions.auctions`, call by call."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

import torch

from bridge_arena.bots.library.many_auctions import auctions as arrays
from bridge_arena.bots.neural.net import public
from bridge_arena.bots.neural.tensors.auctions import Auctions

NUMBER = 1000


def random_calls(legal: NDArray[np.bool_], seed: int) -> NDArray[np.int64]:
    """Return random legal calls; low bids, doubles and passes are likelier."""
    odds = legal * np.random.default_rng(seed).random(legal.shape) * np.exp(-0.25 * np.arange(38))
    calls: NDArray[np.int64] = odds.argmax(axis=1)
    return calls


def test_the_rules_are_the_same() -> None:
    vulnerable = np.random.default_rng(1).random((NUMBER, 2)) < 0.5
    other, ours = arrays.Auctions(NUMBER), Auctions(torch.arange(NUMBER)[:, None])
    ended = 0
    while len(other):
        board = ours.labels[:, 0].numpy()
        legal = other.legal()
        assert (ours.legal().numpy() == legal).all()
        for viewer in range(4):
            seen = ours.public(torch.from_numpy(vulnerable)[board], viewer)
            assert (seen.numpy() == public(other, vulnerable[board], viewer)).all()
        calls = random_calls(legal, other.made)
        other.push(calls)
        ours.push(torch.from_numpy(calls))
        over = other.over
        assert (ours.over.numpy() == over).all()
        done = np.flatnonzero(over)
        bid = done[other.last[done] > 0]
        assert (ours.risk.numpy() == other.risk).all()
        assert (ours.declarer.numpy()[bid] == other.declarer[bid]).all()
        ended += len(done)
        going = np.flatnonzero(~over)
        other, ours = other.rows(going), ours.rows(torch.from_numpy(going))
    assert ended == NUMBER


def test_auctions_are_joined() -> None:
    some = Auctions(torch.arange(4)[:, None])
    some.push(torch.tensor([0, 3, 4, 5]))
    more = some.rows(torch.tensor([3, 1]))
    more.labels[:, 0] = torch.tensor([8, 9])
    both = some.joined(more)
    assert both.labels[:, 0].tolist() == [0, 1, 2, 3, 8, 9]
    assert both.last.tolist() == [0, 1, 2, 3, 3, 1]
    assert some.labels[:, 0].tolist() == [0, 1, 2, 3]
