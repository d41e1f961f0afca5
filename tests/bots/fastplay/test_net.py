"""The net in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.fastplay.net import PlayNet
from bridge_arena.bots.fastplay.seen import INPUTS, Positions
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.layers import mixing, trunk
from tests.bots.fastplay.boards import random_plays


def arrays(width: int, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    shapes = trunk(INPUTS, width, ["steps.0.mix.own.bias"]) | mixing("cards", width, 13)
    return {name: rng.normal(size=shape) / 5 for name, shape in shapes.items()}


def of(path: Path, **changes: Any) -> PlayNet:
    kept = {name: each for name, each in (arrays(8) | changes).items() if each is not None}
    np.savez(path, **kept)
    return PlayNet.read(path)


def test_the_cheapest_of_the_cards_that_may_be_played(tmp_path: Path) -> None:
    net = of(tmp_path / "weights.npz")
    plays = random_plays(5)
    positions = Positions.of(plays, np.array([0, 7, 22, 31, 40]))
    found = net.costs(positions)
    assert found.shape == (5, 52)
    legal = np.random.default_rng(2).random((5, 52)) < 0.2
    for row, card in enumerate(net.cheapest(positions, legal)):
        assert legal[row, card]
        assert found[row, card] == found[row, legal[row]].min()


def test_suits_that_change_places_change_nothing_else(tmp_path: Path) -> None:
    net = of(tmp_path / "weights.npz")
    plays = random_plays(4)
    place = np.array([0, 15, 26, 37])
    order = np.array([2, 0, 3, 1])
    cards = (13 * order[:, None] + np.arange(13)).reshape(-1)  # what each card becomes
    becomes = np.argsort(cards)
    positions = Positions.of(plays, place)
    promised = positions.promised.copy()
    promised[:, :, 1:] = promised[:, :, 1 + order]
    trump = np.append(np.argsort(order), 4)[positions.trump]
    other = Positions(
        positions.owner[:, cards],
        trump,
        promised,
        becomes[positions.cards],
        positions.place,
        positions.turn,
    )
    assert np.allclose(net.costs(other), net.costs(positions)[:, cards], atol=1e-4)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cards.own.bias": np.zeros(12)}, "cards.own.bias is 12, expected 13"),
        ({"first.own.weight": np.zeros((8, 3))}, "first.own.weight is 8 × 3, expected n × 146"),
        ({"cards.all.weight": None}, "there is no array cards.all.weight"),
        ({"more": np.zeros(1)}, "more is no part of such a net"),
        ({"cards.own.bias": np.full(13, np.inf)}, "cards.own.bias holds something"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_a_net(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArraysError, match=rf"weights\.npz: {said}"):
        of(tmp_path / "weights.npz", **changes)
