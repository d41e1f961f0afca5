"""Boards on a device: features, scores and deals are those of the arrays."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from bridge_arena.bots.library.learning.hands import features, points_and_lengths
from bridge_arena.bots.library.many_auctions import boards
from bridge_arena.bots.library.many_auctions import boards as arrays
from bridge_arena.bots.library.many_auctions.boards import bid_out
from bridge_arena.bots.library.tables.net import shipped
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.tensors import lessons
from bridge_arena.bots.neural.tensors.boards import Boards, dealt, drawn, estimate_of, imps
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.neural.nets import nets

NUMBER = 40


@pytest.fixture(scope="module")
def both() -> tuple[arrays.Boards, arrays.Tricks, Boards]:
    rng = np.random.default_rng(3)
    boards = arrays.Boards.random(rng, NUMBER)
    tricks = rng.integers(14, size=(NUMBER, 5, 4)).astype(np.uint8)
    return boards, tricks, Boards.of(boards, tricks)


def test_hands_are_read_alike(both: tuple[arrays.Boards, arrays.Tricks, Boards]) -> None:
    boards, _, ours = both
    hands = boards.hands.reshape(-1, 52)
    assert (ours.features().float().numpy() == features(hands)).all()
    assert (ours.measures().numpy() == points_and_lengths(hands)).all()


def test_networks_reach_contracts_of_the_same_worth(
    both: tuple[arrays.Boards, arrays.Tricks, Boards],
) -> None:
    boards, tricks, ours = both
    one, other = nets(1), nets(2)
    points, seen, hands = lessons.bid_out(ours, CallsNet.of(one), CallsNet.of(other))
    expected = bid_out(boards, one, other).points(boards, tricks)
    assert (points.numpy() == expected).all()
    assert len(seen) == len(hands)


def test_imps_of_differences_are_those_of_the_scale() -> None:
    differences = np.array([0, -20, 430, -430, 1500, -9000])
    assert imps(torch.from_numpy(differences)).tolist() == boards.imps(differences).tolist()


def test_boards_are_dealt_and_scored_by_the_estimate() -> None:
    torch.manual_seed(1)
    boards = dealt(200, estimate_of(shipped()))
    assert (boards.hands.sum(dim=2) == 13).all()
    assert (boards.hands.sum(dim=1) == 1).all()
    chances = shipped().chances(boards.hands.numpy())
    mean = (chances * np.arange(14)).sum(axis=-1)
    assert np.abs(boards.tricks.numpy() - mean).mean() < 0.5


def test_solved_deals_keep_their_tricks() -> None:
    """A deal's cards and tricks turn together: here a seat's trumps are its tricks."""
    torch.manual_seed(2)
    rng = np.random.default_rng(4)
    order = rng.random((30, 52)).argsort(axis=1).argsort(axis=1)
    seats = (order // 13).astype(np.uint8)
    held = seats[:, None] == np.arange(4)[:, None]
    lengths = held.reshape(-1, 4, 4, 13).sum(axis=3)
    tricks = np.zeros((30, 5, 4), np.uint8)
    tricks[:, :4] = lengths.swapaxes(1, 2)
    boards = drawn(SolvedDeals(seats, tricks), 100)
    expected = boards.hands.reshape(-1, 4, 4, 13).sum(dim=3).transpose(1, 2)
    assert (boards.tricks[:, :4] == expected).all()
    assert boards.vulnerable.float().mean() == pytest.approx(0.5, abs=0.2)
