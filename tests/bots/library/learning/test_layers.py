"""Layers whose results do not depend on the order of their sums, and layers over suits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bridge_arena.bots.library.learning.arrays import Arrays, ArraysError, write_arrays
from bridge_arena.bots.library.learning.layers import (
    UNIT,
    Array,
    Layer,
    SuitLayers,
    layers,
    linear,
    mixing,
    read_weights,
    rounded,
    trunk,
)

SIZES = st.sampled_from([1e-6, 1.0, 300.0, 1e9, 1e30])


@st.composite
def numbers(draw: st.DrawFn, *shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Numbers of single precision and of very different sizes."""
    most = draw(SIZES)
    signs = draw(arrays(np.float32, shape, elements=st.floats(-1, 1, width=32)))
    return (signs * np.float32(most)).astype(np.float32)


@given(numbers(3, 40), numbers(2, 40))
def test_no_sum_is_rounded_whatever_the_numbers(
    weight: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    x: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
) -> None:
    layer = Layer(weight)
    used = np.clip(rounded(x), -layer.most, layer.most)
    exact = [
        [sum(Fraction(a) * Fraction(b) for a, b in zip(row, each, strict=True)) for each in weights]
        for row in used.tolist()
        for weights in [rounded(weight).tolist()]
    ]
    found = layer(x).tolist()
    assert [[Fraction(each) for each in row] for row in found] == exact


@given(numbers(4, 30))
def test_the_greatest_inputs_make_no_sum_too_long(
    weight: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
) -> None:
    layer = Layer(weight)
    worst = np.where(weight < 0, -np.inf, np.inf)
    found = np.diagonal(layer(worst))
    units = [
        sum(abs(Fraction(each)) for each in row) * Fraction(layer.most) / Fraction(UNIT) ** 2
        for row in rounded(weight).tolist()
    ]
    assert [Fraction(each) / Fraction(UNIT) ** 2 for each in found.tolist()] == units
    assert max(units) < 2**53


def test_usual_numbers_are_those_of_double_precision() -> None:
    rng = np.random.default_rng(1)
    weight, bias = rng.normal(size=(20, 300)) / 9, rng.normal(size=20)
    x = rng.normal(size=(7, 4, 300))
    found = Layer(weight, bias)(x)
    assert found.shape == (7, 4, 20)
    assert np.abs(found - (x @ weight.T + bias)).max() < 1e-3
    assert Layer(weight, bias).most > 1000


def test_no_rows_give_no_rows() -> None:
    assert Layer(np.ones((3, 2)))(np.zeros((0, 4, 2))).shape == (0, 4, 3)


def test_layers_are_found_by_name() -> None:
    found = layers({"one.weight": np.eye(2), "one.bias": np.ones(2), "two.weight": np.eye(2)})
    x = np.array([[1, 0]], np.uint8)
    assert found["one"](x).tolist() == [[2, 1]]
    assert found["two"](x).tolist() == [[1, 0]]
    assert len(found) == 2


def test_the_last_bits_of_a_function_do_not_matter() -> None:
    x = np.random.default_rng(1).normal(size=1000)
    assert (rounded(np.nextafter(x, 9)) == rounded(x)).all()
    assert rounded(x) == pytest.approx(x, abs=UNIT)


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
