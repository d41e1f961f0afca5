"""What Prorok's tables learn from in several readings of his text."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.library.tricks.net import Estimate, shipped
from bridge_arena.bots.qtable.cells import SHAPES, STARTS, STRENGTHS
from bridge_arena.bots.qtable.examples import SCALE, Examples
from bridge_arena.bots.qtable.opening import shipped_openings
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.solved_deals import SolvedDeals
from research.papers.yeh_openings import SAYC
from tests.late_imports import late_imports

with late_imports("numba"):
    from research.papers import prorok_readings
    from research.papers.prorok_readings import (
        LongScale,
        deals,
        of_estimate,
        of_layout,
        on_lead,
        opening_steps,
    )
    from research.papers.prorok_work import Sample

pytestmark = pytest.mark.slow


def same_pairs(number: int) -> Estimate:
    """Return one pair of hands, many times; the second hand would take no trick."""
    mean = np.zeros((number, 5, 2), np.float32)
    mean[:, :, 0] = 6.2, 7.4, 8.6, 9.8, 8.1
    return Estimate(mean, np.full((number, 5, 2), 1.1, np.float32))


def test_layouts_score_what_is_expected_in_the_mean() -> None:
    number = 20_000
    mixing = np.linalg.cholesky(shipped().correlation)
    drawn = of_layout(same_pairs(number), mixing, np.random.default_rng(1))
    expected = of_estimate(same_pairs(1))[0]
    errors = drawn.std(axis=0, ddof=1) / number**0.5
    assert (drawn[:, 0] == 0).all()
    assert (abs(drawn.mean(axis=0) - expected)[1:] < 4.5 * errors[1:] + 0.2).all()


def test_a_layout_has_a_score_that_there_is() -> None:
    drawn = of_layout(same_pairs(500), np.eye(5), np.random.default_rng(1))
    assert set(drawn[:, 15]) <= {400 + 30 * n for n in range(5)} | {0 - 50, -100} | {
        -500, -800, -1100, -1400, -1700, -2000, -2300,
    }  # fmt: skip


def test_the_sample_has_as_many_deals_as_his_and_only_his_shapes() -> None:
    sample = deals(100, layout=True)
    assert len(sample.east) == 100
    assert (sample.east >= 0).all()
    assert (sample.west >= 0).all()
    scores = sample.examples.scores
    cut = scores == np.iinfo(np.int16).min
    assert (cut | (scores % (10 * SCALE) == 0)).all(), "results, not means"
    assert prorok_readings.DEALS == 550_000 - 109_940


def test_who_leads_takes_what_the_declarer_before_leaves() -> None:
    """North declares and East leads: East's side has the rest."""
    tricks = np.zeros((1, 5, 4), np.uint8)
    tricks[0, :, Seat.NORTH] = 9, 8, 7, 6, 5
    tricks[0, :, Seat.WEST] = 1
    read = on_lead(SolvedDeals(np.zeros((1, 52), np.uint8), tricks)).tricks
    assert read[0, :, Seat.EAST].tolist() == [4, 5, 6, 7, 8]
    assert (read[0, :, Seat.NORTH] == 12).all()
    assert (read[0, :, Seat.SOUTH] == 13).all()


def test_the_lead_is_worth_points() -> None:
    here, leading = (deals(400, layout=False, lead=lead).examples.scores for lead in (False, True))
    assert (here[:, 0] == leading[:, 0]).all()
    assert (leading[:, 1:] >= here[:, 1:]).all()
    assert leading[:, 3].mean() - here[:, 3].mean() > SCALE * 30 * prorok_readings.LEAD[2]


def test_a_human_system_opens_instead_of_his_table() -> None:
    # Openings do not look at scores, so none is made.
    hands, partners = random_pairs(np.random.default_rng(1), 20_000)
    unscored = np.zeros((len(hands), 36), np.int16)
    train = Sample.of(Examples(hands, partners, unscored, np.arange(len(hands))))
    steps = opening_steps(SAYC, train).reshape(len(SHAPES), STRENGTHS)
    strength = STARTS.index(13)
    assert steps[SHAPES.index((5, 3, 3, 2)), strength] == 4, "1S"
    assert steps[SHAPES.index((5, 3, 3, 2)), STARTS.index(20)] == 10, "2NT"
    his = opening_steps(None, train)
    assert (his == shipped_openings()).all()
    assert (his.reshape(steps.shape)[:, STARTS.index(20)] != 10).all(), "he opens it otherwise"


def test_the_long_run_is_as_long_as_his() -> None:
    sizes = LongScale().sizes(20)
    assert sum(number for number, _ in sizes) == 5_620_000_000
    assert {rate for _, rate in sizes} == {20}
