"""The networks in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.neural.net import PUBLIC, Nets, public
from tests.bots.neural.nets import nets, weights


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"calls.seen.weight": np.zeros((16, 9))}, "calls.seen.weight is 16 × 9, expected 16 × "),
        ({"calls.hidden.0.bias": None}, "there is no array calls.hidden.0.bias"),
        ({"meanings.out.weight": np.zeros((38, 16))}, "meanings.out.weight is 38 × 16"),
        ({"calls.value.bias": np.array([np.inf])}, "calls.value.bias holds something"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_networks(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = tmp_path / "weights.npz"
    arrays = weights(4)
    np.savez(path, **arrays)  # type: ignore[arg-type]
    hands, seen = np.ones((1, 52), np.bool_), np.ones((1, PUBLIC), np.uint8)
    assert (Nets.read(path).ratings(hands, seen) == nets(4).ratings(hands, seen)).all()
    kept = {name: each for name, each in (arrays | changes).items() if each is not None}
    np.savez(path, **kept)
    with pytest.raises(ArraysError, match=f"weights.npz: {said}"):
        Nets.read(path)


def test_calls_are_legal_and_rated_highest() -> None:
    net = nets(4)
    boards = Boards.random(np.random.default_rng(2), 30)
    auctions, on = Auctions(30), np.arange(30)
    while len(on):
        own = boards.rows(on)
        calls = net.calls(own, auctions)
        seat = auctions.turn
        legal = auctions.legal()
        rows = np.arange(len(on))
        assert legal[rows, calls].all()
        rated = net.ratings(own.hands[:, seat], public(auctions, own.vulnerable, seat))
        assert (rated[rows, calls][:, None] >= np.where(legal, rated, -np.inf)).all()
        auctions.push(calls)
        going = np.flatnonzero(~auctions.over)
        auctions, on = auctions.rows(going), on[going]
