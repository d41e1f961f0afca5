"""Prorok's 128 shapes and sixteen strengths."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hands_array, random_pairs
from bridge_arena.bots.qtable.cells import SHAPES, STATES, STRENGTHS, opening_steps
from bridge_arena.bots.qtable.opening import shipped_openings
from bridge_arena.bridge.cards import Hand
from research.papers.prorok_states import NO_STATE, states


def test_the_128_shapes_stand_in_the_papers_order() -> None:
    assert len(SHAPES) == len(set(SHAPES)) == 128
    assert STATES == 2048
    assert ["".join(map(str, shape)) for shape in SHAPES[:3]] == ["6421", "6412", "6331"]
    assert SHAPES[-1] == (1, 2, 4, 6)
    assert all(sum(shape) == 13 and min(shape) >= 1 and max(shape) <= 6 for shape in SHAPES)


@pytest.mark.parametrize(
    ("hand", "shape", "strength"),
    [
        ("AKQJ32.432.32.32", (6, 3, 2, 2), 4),  # 10 points
        ("T9872.432.432.32", (5, 3, 3, 2), 0),
        ("A32.AKQJ.AKQ.432", (3, 4, 3, 3), 13),  # 23
        ("A32.AKQJ.AK2.K32", (3, 4, 3, 3), 13),  # 24
        ("A32.AKQJ.AKQ.K32", (3, 4, 3, 3), 14),  # 26
        ("AKQ.AKQJ.AKQ.432", (3, 4, 3, 3), 15),  # 28
        ("8765.K432.Q2.K32", (4, 4, 2, 3), 2),  # 8
        ("8765.K432.QJ.K32", (4, 4, 2, 3), 3),  # 9
    ],
)
def test_a_hand_has_a_state(hand: str, shape: tuple[int, ...], strength: int) -> None:
    (state,) = states(hands_array([Hand.parse(hand)]))
    assert (SHAPES[state // STRENGTHS], state % STRENGTHS) == (shape, strength)


@pytest.mark.parametrize(
    "hand", ["AKQJ932.32.32.32", "AKQJ3.T9876..432", "AKQJ3.T98765.4.3", "AKQJ32.T98765.4."]
)
def test_a_hand_of_another_shape_has_no_state(hand: str) -> None:
    assert states(hands_array([Hand.parse(hand)])).tolist() == [NO_STATE]


def test_shapes_of_the_paper_are_opened_by_the_papers_table() -> None:
    hands, _ = random_pairs(np.random.default_rng(1), 2000)
    openings = shipped_openings()
    known = states(hands) >= 0
    assert 0.88 < known.mean() < 0.94
    assert (opening_steps(hands, openings)[known] == openings[states(hands)[known]]).all()
