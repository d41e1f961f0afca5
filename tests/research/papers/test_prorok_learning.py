"""Prorok's learning, compiled."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.qtable.calls import FIRST, SITUATIONS, STEPS
from bridge_arena.bots.qtable.cells import STATES
from bridge_arena.bots.qtable.examples import Examples
from tests.late_imports import late_imports

with late_imports("numba"):
    from bridge_arena.bots.qtable.tiles import below, new_state
    from research.papers.prorok_learning import Settings, Values, best, bid, learn, new_values
    from research.papers.prorok_work import Run, Sample

pytestmark = pytest.mark.slow

HANDS = 8
"""States that these tables are for, to be small."""

PASS_OR_CLUB = np.zeros(HANDS, np.int8)
PASS_OR_CLUB[1] = 1  # state 1 opens 1C, all others pass


def table(value: int = 0) -> Values:
    return np.full((SITUATIONS, HANDS, STEPS), value, np.int16)


def learned(
    values: Values,
    east: int,
    scores: list[tuple[int, int]],
    *,
    number: int = 1,
    rate: int = 512,
    exploration: int = 0,
    rounding: bool = True,
) -> float:
    """Learn from one example in which West has state 2; `scores` gives the scores of some
    contracts.
    """
    points = np.full((1, 36), -5000, np.int16)
    for contract, score in scores:
        points[0, contract] = score
    hands = np.array([east], np.int16), np.array([2], np.int16)
    state = new_state(np.random.default_rng(5))
    return learn(
        values,
        PASS_OR_CLUB,
        hands[0],
        hands[1],
        points,
        number,
        rate,
        exploration,
        rounding,
        state,
    )


class TestRandomness:
    def test_all_numbers_below_come_alike(self) -> None:
        state = new_state(np.random.default_rng(1))
        counts = np.bincount([below(state, 10) for _ in range(20_000)], minlength=10)
        assert len(counts) == 10
        assert (abs(counts - 2000) < 5 * 2000**0.5).all()

    def test_a_state_is_a_sequence(self) -> None:
        one, same = (new_state(np.random.default_rng(1)) for _ in range(2))
        assert [below(one, 1000) for _ in range(9)] == [below(same, 1000) for _ in range(9)]


class TestBest:
    def test_equals_are_settled_at_random(self) -> None:
        row = np.array([1, 7, 3, 7, 7, 9], np.int16)
        state = new_state(np.random.default_rng(1))
        assert {best(row, 5, state) for _ in range(200)} == {1, 3, 4}
        assert {best(row, 6, state) for _ in range(20)} == {5}


class TestStep:
    """The responder passes 1C, its best call."""

    row = FIRST[1] + 1, 2

    def moved(self, value: int, score: int, rate: int) -> int:
        values = table(-9999)
        values[*self.row, 0] = value
        assert learned(values, 1, [(1, score)], rate=rate) == score
        changed = int(values[*self.row, 0])
        values[*self.row, 0] = -9999
        assert (values == -9999).all()
        return changed

    @pytest.mark.parametrize(
        ("value", "score", "rate", "becomes"),
        [
            (0, 1024, 20, 20),
            (0, 700, 512, 350),
            (-2000, 1200, 20, -2000 + 62),
            (0, 51, 20, 0),  # lost: 51 × 20 / 1024 < 1
            (0, 52, 20, 1),
            (0, -1, 20, -1),  # rounded down
            (0, -1, 1, -1),
            (0, 1023, 1, 0),
        ],
    )
    def test_a_step_in_whole_numbers_rounds_down(
        self, value: int, score: int, rate: int, becomes: int
    ) -> None:
        assert self.moved(value, score, rate) == becomes

    def test_a_step_in_floats_does_not_round(self) -> None:
        values = table(-9999).astype(np.float32)
        values[*self.row, 0] = 0
        learned(values, 1, [(1, 51)], rate=20, rounding=False)
        assert values[*self.row, 0] == pytest.approx(51 * 20 / 1024)


def test_an_openers_pass_does_not_end_the_auction() -> None:
    """After Pass 1D Pass both calls learn the score of 1D."""
    values = table()
    values[FIRST[1], 2, 2] = 100
    rebid = FIRST[2] + 2, 7
    values[*rebid, 0] = 50
    assert learned(values, 7, [(2, 900)]) == 900
    assert values[FIRST[1], 2, 2] == 500
    assert values[*rebid, 0] == 475


def test_four_calls_are_the_most() -> None:
    """1C 1D 1H 1S, and the opener passes."""
    values = table()
    rows = (FIRST[1] + 1, 2), (FIRST[2] + 1 * 16 + 1, 1), (FIRST[3] + (1 * 16 + 1) * 16 + 1, 2)
    for row in rows:
        values[*row, 1] = 10
    assert learned(values, 1, [(4, 800)]) == 800
    assert [int(values[*row, 1]) for row in rows] == [405] * 3


def test_nothing_is_bid_over_7nt() -> None:
    values = table()
    found = learned(values, 1, [(35, 3000)], number=30_000, exploration=1000)
    assert -5000 <= found <= 3000  # and no index is out of bounds


def test_the_learned_tables_find_the_best_contract() -> None:
    """With one example, four calls reach 3NT, which is 14 above 1C."""
    settings = Settings(rate=200, exploration=200, east=-100, west=-200)
    values = new_values(settings)[:, :HANDS].copy()
    learned(values, 1, [(15, 4000), (1, 200)], number=20_000, rate=200, exploration=200)
    east, west = np.array([1], np.int16), np.array([2], np.int16)
    made = bid(values, PASS_OR_CLUB, east, west, new_state(np.random.default_rng(1)))
    assert np.maximum(made, 0).sum() == 15


def test_first_values_are_of_who_calls() -> None:
    values = new_values(Settings(east=-100, west=200))
    assert (values[FIRST[2] : FIRST[3]] == -100).all()
    assert (values[: FIRST[2]] == 200).all()
    assert (values[FIRST[3] :] == 200).all()
    assert values.shape == (SITUATIONS, STATES, STEPS)
    assert values.nbytes == 286_261_248


@pytest.mark.parametrize("scale", [1, 10])
def test_a_run_counts_in_points(scale: int) -> None:
    """All pass 1C, which the table opens, for 70 points or -50."""
    hands = np.zeros((40, 52), np.bool_)
    scores = np.full((40, 36), -30_000, np.int16)
    scores[:, 1] = np.where(np.arange(40) < 20, 700, -500)
    same = np.full(40, 2, np.int16)
    sample = Sample(Examples(hands, hands, scores, np.arange(40)), same, same)
    opening = np.ones(STATES, np.int8)
    settings = Settings(rate=10, exploration=0, east=-500, west=-500, scale=scale)
    run = Run(settings, 1, opening)
    (epoch,) = run.epochs(sample, sample, [(20_000, 10)])
    assert epoch.test == 10
    assert epoch.training == pytest.approx(10, abs=12)
    value = run.values[FIRST[1] + 1, 2, 0] / scale
    # A step of 10/1024 is rounded down, by half a unit in the mean: 51 points, or 5 in tenths.
    low, high = {1: (-50, -32), 10: (-12, 22)}[scale]
    assert low <= value <= high
