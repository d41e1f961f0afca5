"""Tests of the Q-networks in numpy and of their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.deepq.net import QNets
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.hands import FEATURES

WIDTH = 4


def weights() -> dict[str, Any]:
    """Return networks for two calls, with one hidden layer each."""
    shapes = {
        "hand.weight": (WIDTH, FEATURES),
        "hand.bias": (WIDTH,),
        "bids.weight": (WIDTH, 36),
        "hidden.0.weight": (WIDTH, WIDTH),
        "hidden.0.bias": (WIDTH,),
        "out.weight": (36, WIDTH),
        "out.bias": (36,),
    }
    return {
        f"{call}.{name}": np.full(shape, 0.5) for call in range(2) for name, shape in shapes.items()
    }


def test_networks_are_read_from_a_file_of_weights(tmp_path: Path) -> None:
    np.savez(tmp_path / "weights.npz", **weights())
    nets = QNets.read(tmp_path / "weights.npz")
    assert nets.calls == 2
    hands = np.zeros((1, 52), np.bool_)
    found = nets.costs(1, hands, np.zeros((1, 36), np.float32), np.zeros(1, np.int64))
    # 0.5, then 4 × 0.5 × 0.5 + 0.5, then 4 × 1.5 × 0.5 + 0.5
    assert (found == 3.5).all()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (dict.fromkeys(weights()), "there is no array 0.hand.weight"),
        ({"1.hand.bias": None}, "there is no array 1.hand.bias"),
        ({"1.hidden.0.bias": None}, "there is no array 1.hidden.0.bias"),
        ({"0.out.weight": np.zeros((35, WIDTH))}, "0.out.weight is 35 × 4, expected 36 × 4"),
        ({"1.bids.weight": np.zeros(36)}, "1.bids.weight is 36, expected 4 × 36"),
        ({"2.hand.weight": np.zeros((1, FEATURES))}, "there is no array 2.bids.weight"),
        ({"0.out.bias": np.full(36, np.nan)}, "0.out.bias holds something that is no finite"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_a_net(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    kept = {name: each for name, each in (weights() | changes).items() if each is not None}
    np.savez(tmp_path / "weights.npz", **kept)
    with pytest.raises(ArraysError, match=f"weights.npz: {said}"):
        QNets.read(tmp_path / "weights.npz")
