"""Holm's correction of several p-values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.statistics.significance import holm


def test_holms_correction_gives_known_answers() -> None:
    assert holm([]) == []
    assert holm([0.03]) == [0.03]
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holms_correction_lies_between_none_and_bonferroni(p_values: list[float]) -> None:
    corrected = holm(p_values)
    for before, after in zip(p_values, corrected, strict=True):
        assert before <= after <= min(1.0, len(p_values) * before)
    order = sorted(range(len(p_values)), key=lambda each: p_values[each])
    assert [corrected[each] for each in order] == sorted(corrected)
