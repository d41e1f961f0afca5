"""The sequential test: likelihoods against a brute search, bounds, and error rates."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.sequential import Progress, Sprt, Verdict, ratio_text
from tests.tournaments.crossing import first_crossing, llr, verdict

SWINGS = st.lists(st.integers(-24, 24), max_size=60)


def test_the_bounds_are_walds() -> None:
    assert Sprt(alpha=0.05, beta=0.2).bounds == pytest.approx((log(0.2 / 0.95), log(16)))


@pytest.mark.parametrize(
    ("text", "sprt"),
    [
        ("", Sprt(0, 0.5, 0.05, 0.05)),
        ("imp0=0 imp1=0.5 alpha=0.05 beta=0.05", Sprt()),
        ("beta=.1  imp1=2", Sprt(imp1=2, beta=0.1)),
        ("imp0=-0.5 imp1=0", Sprt(-0.5, 0)),
    ],
)
def test_a_test_is_written_in_words(text: str, sprt: Sprt) -> None:
    assert Sprt.parse(text) == sprt
    assert Sprt.parse(str(sprt)) == sprt


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=0", "'elo0=0' is none of imp0=…, imp1=…, alpha=…, beta=…"),
        ("imp0", "'imp0' is none of"),
        ("imp0=a", "imp0='a' is not a number"),
        ("imp0=1 imp0=1", "imp0 is given twice"),
        ("imp0=1", r"imp1=0\.5 must be above imp0=1"),
        ("imp1=24", "imp1=24: no board swings 24 IMPs on average"),
        ("imp0=-24", "imp0=-24: no board swings 24 IMPs on average"),
        ("imp0=nan", "imp0=nan"),
        ("alpha=0", "alpha=0 must lie between 0 and 0.5"),
        ("beta=0.5", "beta=0.5 must lie between 0 and 0.5"),
    ],
)
def test_text_that_is_no_sequential_test_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt.parse(text)


def test_the_likeliest_distributions_have_their_means() -> None:
    """Two swings alone: the frequency of 10 is then known by the mean, and the ratio too."""
    imps = [10] * 30 + [-10] * 30
    # Mean 1 with 10 and -10 alone needs a share of 0.55 of 10. Others hardly count.
    expected = 30 * log(0.55 / 0.5) + 30 * log(0.45 / 0.5)
    assert llr(Sprt(0, 1), imps) == pytest.approx(expected, abs=0.02)


def test_a_large_sample_is_like_a_normal_one() -> None:
    rng = np.random.default_rng(2)
    imps = rng.choice([0, 0, 0, 1, -1, 2, -5, 6, 10, -11], 5000)
    normal = 0.5 * float(imps.sum() - 0.25 * len(imps)) / float(imps.var())
    assert llr(Sprt(), imps.tolist()) == pytest.approx(normal, rel=0.03)


@settings(deadline=None)
@given(SWINGS)
def test_the_verdict_for_the_other_side_is_the_opposite(imps: list[int]) -> None:
    assert llr(Sprt(-1, 2), imps) == pytest.approx(-llr(Sprt(-2, 1), [-swing for swing in imps]))


@settings(deadline=None)
@given(SWINGS)
def test_boards_may_come_one_at_a_time(imps: list[int]) -> None:
    sprt = Sprt(0, 4, 0.2, 0.2)
    progress = Progress(sprt)
    crossed = None
    for board, swing in enumerate(imps, start=1):
        progress.add(swing)
        if crossed is None and progress.verdict != Verdict.GO_ON:
            crossed = board
    assert progress.boards == len(imps)
    assert progress.llr == pytest.approx(llr(sprt, imps), abs=1e-7)
    assert progress.verdict == verdict(sprt, imps)
    assert first_crossing(sprt, imps) == crossed
    assert (crossed is None) == (verdict(sprt, imps) == Verdict.GO_ON)
    if crossed is not None:
        assert first_crossing(sprt, imps[: crossed - 1]) is None


@settings(deadline=None)
@given(SWINGS, st.integers(-24, 23))
def test_a_larger_swing_never_tells_against_h1(imps: list[int], swing: int) -> None:
    sprt = Sprt(0, 1)
    assert llr(sprt, [*imps, swing + 1]) >= llr(sprt, [*imps, swing]) - 1e-9


def test_the_first_boards_do_not_decide() -> None:
    """Nothing is known yet of how swings spread, not even after ten equal ones."""
    for swing in range(-24, 25):
        assert verdict(Sprt(), [swing] * 10) == Verdict.GO_ON


def test_no_figure_is_a_negative_zero() -> None:
    progress = Progress(Sprt.parse("imp0=-0"))
    assert -0.005 < progress.llr < 0
    text = ratio_text(progress.sprt, progress.verdict, progress.boards, progress.llr)
    assert text.startswith("SPRT imp0=0 imp1=0.5 ")
    assert " LLR 0.00 " in text


def test_a_verdict_stays() -> None:
    sprt = Sprt(0, 2)
    imps = [6, 1, 0, 5] * 10
    boards = first_crossing(sprt, imps)
    assert boards is not None
    later = [*imps[:boards], *[-10] * 100]
    assert verdict(sprt, later) == Verdict.ACCEPT_H1
    assert first_crossing(sprt, later) == boards
    assert llr(sprt, later) < 0


@pytest.mark.parametrize("swing", [-25, 25])
def test_an_impossible_swing_is_refused(swing: int) -> None:
    with pytest.raises(ValueError, match=f"a board cannot swing {swing} IMPs"):
        llr(Sprt(), [0, swing])


@pytest.mark.parametrize(("mean", "right"), [(0, Verdict.ACCEPT_H0), (2, Verdict.ACCEPT_H1)])
def test_the_sequential_test_errs_as_seldom_as_it_says(mean: int, right: Verdict) -> None:
    """200 matches of swings with 50 % flat boards, at a mean of 0 and of 2."""
    rng = np.random.default_rng(4)
    swings = np.array([0] * 10 + [1, 1, -1, -1, 2, -2, 5, -5, 6, -6, 10, -10])
    wrong = 0
    for _ in range(200):
        imps = rng.choice(swings, 400)
        # A tenth of the boards lose or win 20 IMPs more, so that the mean moves by 2.
        imps = np.clip(imps + np.where(rng.random(400) < mean / 20, 20, 0), -24, 24)
        decided = verdict(Sprt(0, 2, 0.1, 0.1), imps.tolist())
        assert decided != Verdict.GO_ON
        wrong += decided != right
    # 20 of 200 are allowed, give or take chance; the bounds are passed with some to spare.
    assert wrong <= 30
