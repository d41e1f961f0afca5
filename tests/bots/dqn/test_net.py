"""The Q-network in numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.dqn.net import QNet, shipped
from bridge_arena.bots.library.learning.arrays import ArraysError, write_arrays
from bridge_arena.bots.library.minibridge.games import random_game
from bridge_arena.bots.library.minibridge.states import FEATURES


def weights(width: int = 8) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    sizes = (FEATURES, width, width, 52)
    found: dict[str, np.ndarray] = {}
    for layer, inputs, outputs in zip("024", sizes, sizes[1:], strict=False):
        found[f"{layer}.weight"] = rng.normal(size=(outputs, inputs)).astype(np.float32)
        found[f"{layer}.bias"] = rng.normal(size=outputs).astype(np.float32)
    return found


def test_it_plays_the_best_legal_card(tmp_path: Path) -> None:
    write_arrays(tmp_path / "w.npz", weights())
    net = QNet.read(tmp_path / "w.npz")
    game = random_game(1, 1, "follow")
    values = net.values(np.array(game.states, np.uint64))
    assert values.shape == (26, 52)
    for state, legal, row in zip(game.states, game.legal, values, strict=True):
        best = net.best(state, legal)
        cards = [card for card in range(52) if legal >> card & 1]
        assert best in cards
        assert row[best] == pytest.approx(max(row[cards]))


@pytest.mark.parametrize(
    ("name", "array", "problem"),
    [
        ("4.bias", np.zeros(51), "4.bias is 51, expected 52"),
        ("2.weight", np.zeros((8, 9)), "2.weight is 8 × 9, expected 8 × 8"),
        ("0.weight", np.full((8, FEATURES), np.nan), "0.weight holds something that is no finite"),
        ("0.bias", None, "there is no array 0.bias"),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, array: np.ndarray | None, problem: str) -> None:
    arrays = weights()
    del arrays[name]
    if array is not None:
        arrays[name] = array
    write_arrays(tmp_path / "w.npz", arrays)
    with pytest.raises(ArraysError, match=problem):
        QNet.read(tmp_path / "w.npz")


def test_what_ships() -> None:
    assert np.isfinite(shipped().values(np.array([0], np.uint64))).all()
