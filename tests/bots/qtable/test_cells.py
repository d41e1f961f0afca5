"""Tests of the features of a hand in the improved tables."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hands_array, lengths, random_pairs
from bridge_arena.bots.qtable.cells import (
    ALL_SHAPES,
    CARD_POINTS,
    CELLS,
    LEVELS,
    cells,
    learned_points,
    opening_steps,
)
from bridge_arena.bots.qtable.opening import shipped_openings
from bridge_arena.bridge.cards import Hand
from bridge_arena.oracle.solved_deals import read
from tests.data import data_path
from tests.late_imports import late_imports

with late_imports("numba"):
    from bridge_arena.bots.qtable.tiles import tiles_of_cells


def test_a_cell_is_shape_and_points() -> None:
    (cell,) = cells(hands_array([Hand.parse("AKQJ432.AKQ.A3.2")]))
    assert ALL_SHAPES[cell // LEVELS] == (7, 3, 2, 1)
    assert cell % LEVELS == round(3 * 4.44 + 2 * 2.81 + 2 * 1.51 + 0.73)
    assert len(set(ALL_SHAPES)) == 560


def test_the_strongest_hands_share_a_cell() -> None:
    hands = ["AKQJ.AKQ.AKQ.AKQ", "AKQ.AKQ.AKQ.AKQJ", "AKQT.AKQ.AKQ.AKQ"]
    found = cells(hands_array(map(Hand.parse, hands)))
    assert found[0] == found[2] != found[1]
    assert found.max() < CELLS


@pytest.mark.parametrize(
    ("hand", "step"),
    [
        ("AKQJ932.32.32.32", 7),  # 2D, as 6322 with ten points
        ("AKQJ932.A2.32.32", 4),
        ("2.2.AKQJ98765.32", 3 * 5 - 3),  # 3D
        (".AQ432.AQ432.432", 3),  # 1H
    ],
)
def test_other_shapes_are_opened_as_the_nearest(hand: str, step: int) -> None:
    assert opening_steps(hands_array([Hand.parse(hand)]), shipped_openings()).tolist() == [step]


def test_every_cell_has_a_row_in_each_table() -> None:
    tiles_of, rows = tiles_of_cells()
    assert tiles_of.shape == (CELLS, 5)
    bounds = [(column.min(), column.max()) for column in tiles_of.T]
    assert all(end < begin for (_, end), (begin, _) in pairwise(bounds))
    assert (bounds[0][0], bounds[-1][1]) == (0, rows - 1)
    assert len(np.unique(tiles_of[:, :2], axis=0)) == CELLS


def test_the_points_are_what_solved_deals_say() -> None:
    """Least squares of East's best denomination on the high cards of the pair and its lengths."""
    (solved,) = list(read([data_path("dd", "deals-0000.txt")]))
    pair = (solved.seats % 2 == 1).reshape(-1, 4, 13)
    by_rank = pair.sum(axis=1)[:, 7:]
    by_length = np.sort(pair.sum(axis=2), axis=1)[:, 1:]
    sides = np.concatenate([by_rank, by_length, np.ones((len(pair), 1))], axis=1)
    tricks = solved.tricks[:, :, 1].max(axis=1)
    worth = np.linalg.lstsq(sides.astype(float), tricks.astype(float), rcond=None)[0][:6]
    assert np.abs(worth * 10 / worth[2:].sum() - CARD_POINTS[7:]).max() < 0.35


def test_points_add_up_over_the_cards() -> None:
    hands, partners = random_pairs(np.random.default_rng(2), 50)
    both = learned_points(hands | partners)
    assert np.allclose(learned_points(hands) + learned_points(partners), both)
    assert (lengths(hands).sum(axis=1) == 13).all()
