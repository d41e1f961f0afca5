"""The estimate of double-dummy tables."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.hands import (
    denominations_reordered,
    reordered,
    suit_orders,
)
from bridge_arena.bots.library.many_auctions.boards import Boards, in_turn
from bridge_arena.bots.library.tables.net import TablesNet, shipped
from bridge_arena.oracle.solved_deals import read
from research.estimated_tables import KINDS, bias
from tests.data import data_path

SOLVED = ("dd", "deals-0056.txt")
"""Not learned from."""


@pytest.fixture(scope="module")
def boards() -> Boards:
    return Boards.random(np.random.default_rng(8), 60)


@pytest.fixture(scope="module")
def odds(boards: Boards) -> NDArray[np.float32]:
    return shipped().chances(boards.hands)


def test_the_odds_of_all_tricks_are_one(odds: NDArray[np.float32]) -> None:
    assert odds.shape == (60, 5, 4, 14)
    assert (odds >= 0).all()
    assert np.allclose(odds.sum(axis=-1), 1, atol=1e-5)


def test_the_estimate_is_alike_whichever_hand_is_named_first(
    boards: Boards, odds: NDArray[np.float32]
) -> None:
    for turn in (1, 2, 3):
        turned = shipped().chances(np.roll(boards.hands, -turn, axis=1))
        assert np.allclose(np.roll(turned, turn, axis=2), odds, atol=1e-5)


def test_suits_that_change_places_change_nothing_else(
    boards: Boards, odds: NDArray[np.float32]
) -> None:
    orders = suit_orders(np.random.default_rng(9), len(boards))
    hands = reordered(boards.hands.reshape(-1, 52), orders.repeat(4, axis=0)).reshape(-1, 4, 52)
    assert np.allclose(shipped().chances(hands), denominations_reordered(odds, orders), atol=1e-5)


Known = tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.bool_]]


@pytest.fixture(scope="module")
def known() -> Known:
    """The estimate of solved deals, their tricks and who is vulnerable."""
    (solved,) = islice(read([data_path(*SOLVED)]), 1)
    boards, tricks = in_turn(solved)
    return shipped().chances(boards.hands), tricks, boards.vulnerable


@pytest.mark.slow
def test_the_estimate_is_close_to_the_solver(known: Known) -> None:
    odds, tricks, _ = known
    off = odds @ np.arange(14, dtype=np.float32) - tricks
    assert np.sqrt(np.square(off).mean()) < 0.5
    assert (np.abs(odds.argmax(axis=-1).astype(np.int64) - tricks) <= 1).mean() > 0.985


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_no_kind_of_contract_is_overrated_by_the_estimate(known: Known, name: str) -> None:
    """The mean score by the odds is that by the solver, within three standard errors."""
    found = bias(KINDS[name], *known)
    assert found.deals > 20
    assert abs(found.points) < 3 * found.error


def arrays(width: int) -> dict[str, NDArray[Any]]:
    """Return the arrays of a net of one layer that knows nothing."""
    shapes: dict[str, tuple[int, ...]] = {"notrump": (width,)}
    for name, inputs, outputs in (
        ("suit", 52, width),
        ("out", width, 56),
        ("layers.0.looking", width, 3 * width),
        ("layers.0.seen", width, width),
        ("layers.0.wide", width, 4 * width),
        ("layers.0.narrow", 4 * width, width),
    ):
        shapes |= {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}
    return {name: np.zeros(shape) for name, shape in shapes.items()}


def test_a_net_is_read_from_its_file(tmp_path: Path, boards: Boards) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, **arrays(8))  # type: ignore[arg-type]
    assert np.allclose(TablesNet.read(path).chances(boards.hands), 1 / 14)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"suit.weight": None}, "there is no array suit.weight"),
        ({"suit.weight": np.zeros((8, 51))}, "suit.weight is 8 × 51, expected n × 52"),
        ({"suit.weight": np.zeros((6, 52))}, "is 8, expected 6"),
        ({"notrump": np.full(8, np.nan)}, "notrump holds something"),
        ({"layers.1.seen.bias": np.zeros(8)}, r"layers\.1\.seen\.bias is no part of such a net"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_a_net(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = tmp_path / "weights.npz"
    kept = {name: each for name, each in (arrays(8) | changes).items() if each is not None}
    np.savez(path, **kept)
    with pytest.raises(ArraysError, match=rf"weights\.npz: .*{said}"):
        TablesNet.read(path)
