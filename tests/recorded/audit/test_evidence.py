"""Luck of several kinds together."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bridge.board import random_deal
from bridge_arena.recorded.audit.figures import Allowance, Evidence, together

DEALS = [random_deal(1, number) for number in range(24)]
NOTHING = Allowance(0.0, 0.0)


def drawn(seed: int, mean: float, deviation: float) -> Evidence:
    rng = Random(seed)
    tables = tuple((deal, rng.gauss(mean, deviation)) for deal in DEALS)
    return Evidence(tables, deviation**2, NOTHING)


def test_several_signs_make_a_proof() -> None:
    parts = [drawn(1, 0.3, 0.5), drawn(2, 3.0, 5.0), drawn(3, 0.06, 0.1)]
    alone = [part.p_value or 0.0 for part in parts]
    in_all = together(parts).p_value
    assert in_all is not None
    assert in_all < min(alone) / 5


def test_the_unit_of_a_kind_does_not_matter() -> None:
    tricks, imps = drawn(1, 0.3, 0.5), drawn(2, 0.0, 5.0)
    tenths = Evidence(
        tuple((deal, 10 * luck) for deal, luck in tricks.tables), 100 * tricks.variance, NOTHING
    )
    assert together([tricks, imps]).p_value == pytest.approx(together([tenths, imps]).p_value)


def test_what_is_allowed_for_each_is_allowed_for_all() -> None:
    part = drawn(1, 0.3, 0.5)
    excused = Evidence(part.tables, part.variance, Allowance(0.1, 0.2))
    alone, twice = excused.beyond, together([excused]).beyond
    assert alone.mean is not None
    assert alone.standard_error is not None
    assert (twice.mean, twice.standard_error) == pytest.approx(
        (alone.mean / 0.5, alone.standard_error / 0.5)
    )


def test_a_kind_with_nothing_at_stake_is_left_out() -> None:
    part = drawn(1, 0.3, 0.5)
    nothing = Evidence(tuple((deal, 0.0) for deal in DEALS), 0.0, NOTHING)
    assert nothing.p_value == 1.0
    assert together([part, nothing]).p_value == pytest.approx(part.p_value)
    assert together([nothing, nothing]).p_value is None
