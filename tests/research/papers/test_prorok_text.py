"""A bidding system as text."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.qtable.calls import FIRST, SITUATIONS, STEPS
from bridge_arena.bots.qtable.cells import STATES, STRENGTHS
from bridge_arena.bots.qtable.examples import Examples
from bridge_arena.bridge.cards import Hand
from tests.late_imports import late_imports

with late_imports("numba"):
    from research.papers.prorok_text import auctions, rebids, responses

pytestmark = pytest.mark.slow

OPENINGS = np.zeros(STATES, np.int8)
OPENINGS[STRENGTHS + 6 : 2 * STRENGTHS] = 4  # 6412 opens 1S with 12 points


@pytest.fixture
def values() -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """Over 1S the shape 6421 raises to 4S with 16 points, passes with 15; the rest is unknown."""
    values = np.zeros((SITUATIONS, STATES, STEPS), np.int16)
    values[FIRST[1] + 4, 9, 0] = 100
    values[FIRST[1] + 4, 10, 15] = 100
    values[FIRST[2] + 4 * STEPS + 15, STRENGTHS + 6, 0] = 100
    values[FIRST[2] + 4 * STEPS + 15, STRENGTHS + 7, 5] = 100
    return values


def test_responses_are_those_of_the_text(
    values: np.ndarray[tuple[int, ...], np.dtype[np.int16]],
) -> None:
    lines = list(responses(values, OPENINGS, 0))
    assert [line for line in lines if line.startswith("Response")] == [
        "Response to P",
        "Response to 1S",
    ]
    block = lines[lines.index("Response to 1S") :]
    assert block[1].split() == "0 4 7 9 10 11 12 13 14 15 16 18 20 22 25 28".split()
    assert block[2] == "6421 :  ?  ?  ?  ?  ?  ?  ?  ?  ?  P 4S  ?  ?  ?  ?  ?"
    assert len(block) == 128 + 3


def test_rebids_are_of_hands_that_come_there(
    values: np.ndarray[tuple[int, ...], np.dtype[np.int16]],
) -> None:
    assert list(rebids(values, OPENINGS, (0, 0))) == [
        "Rebid after 1S 4S",
        "        0  4  7  9 10 11 12 13 14 15 16 18 20 22 25 28",
        "6412 :  .  .  .  .  .  .  P 5S  ?  ?  ?  ?  ?  ?  ?  ?",
        "",
    ]


def test_auctions_are_told_with_hands_and_scores() -> None:
    hands = ("AKQJ32.5432.32.2", "T987.A876.AK4.K3")
    east, west = (hands_array([Hand.parse(hand)]) for hand in hands)
    scores = np.zeros((1, 36), np.int16)
    scores[0, 19] = 4500
    example = Examples(east, west, scores, np.zeros(1, np.int64))
    heading, line = auctions(example, np.array([[4, 15, 0, -1]]))
    assert heading.split() == "East hcp West hcp E W E W points".split()
    assert line.split() == [hands[0], "10", hands[1], "14", "1S", "4S", "P", "450"]
