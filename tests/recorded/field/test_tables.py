"""The worth of scores against a second computation, which compares every pair of them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.scoring import imps
from bridge_arena.recorded.field.tables import worths

SCORES = st.lists(st.integers(-60, 60).map(lambda tens: 10 * tens), min_size=1, max_size=25)


@given(SCORES)
def test_worths_are_what_comparing_every_two_scores_gives(scores: list[int]) -> None:
    found = worths(scores)
    assert set(found) == set(scores)
    for at, score in enumerate(scores):
        others = scores[:at] + scores[at + 1 :]
        points = sum((score > other) + (score >= other) for other in others)
        cross = sum(imps(score - other) for other in others)
        assert found[score].matchpoints == points
        assert found[score].cross_imps == Fraction(cross, max(1, len(others)))
        assert found[score].top == 2 * len(others)
    assert sum(found[score].matchpoints for score in scores) == len(scores) * (len(scores) - 1)


def test_percentages_are_of_the_tables_that_were_beaten() -> None:
    found = worths([420, 420, -50, 0])
    assert [found[score].percentage for score in (420, 0, -50)] == [500 / 6, 200 / 6, 0]
    assert worths([420])[420].percentage is None
    assert worths([]) == {}
