"""Layers that are alike for all suits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, write_arrays
from bridge_arena.bots.library.learning.layers import (
    Array,
    SuitLayers,
    linear,
    mixing,
    read_weights,
    trunk,
)

STEPS = ["steps.0.mix.own.bias", "steps.1.mix.own.bias"]


def weights(seed: int) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    shapes = trunk(5, 8, STEPS) | mixing("last", 8, 3)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def test_suits_that_change_places_change_nothing_else() -> None:
    layers = SuitLayers(weights(1))
    assert layers.steps == 2
    x = np.random.default_rng(2).normal(size=(6, 4, 5)).astype(np.float32)
    order = [2, 0, 3, 1]
    found = layers.mix("last", layers.trunk(x))
    assert found.shape == (6, 4, 3)
    assert np.allclose(layers.mix("last", layers.trunk(x[:, order])), found[:, order], atol=1e-4)


def test_layers_in_numpy_agree_with_those_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="needs the extra train")
    modules = pytest.importorskip(
        "bridge_arena.bots.library.learning.suit_modules", reason="needs the extra train"
    )
    own = weights(3)
    net = modules.SuitTrunk(5, 8, 2)
    of_trunk = {name: each for name, each in own.items() if not name.startswith("last")}
    net.load_state_dict({name: torch.tensor(each) for name, each in of_trunk.items()})
    x = np.random.default_rng(4).normal(size=(6, 4, 5)).astype(np.float32)
    with torch.no_grad():
        found = net.trunk(torch.tensor(x)).numpy(force=True)
    assert np.allclose(SuitLayers(own).trunk(x), found, rtol=1e-4, atol=1e-3)


def test_a_file_holds_these_weights_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    shapes = linear("one", 2, 3)
    write_arrays(path, {name: np.ones(shape) for name, shape in (shapes | {"other": (1,)}).items()})
    found = read_weights(Arrays(path), shapes, frozenset({"other"}))
    assert {name: each.shape for name, each in found.items()} == shapes
    with pytest.raises(ArraysError, match=r"weights\.npz: other is no part of such a net"):
        read_weights(Arrays(path), shapes, frozenset())
    with pytest.raises(ArraysError, match=r"there is no array two\."):
        read_weights(Arrays(path), shapes | linear("two", 1, 1), frozenset({"other"}))
