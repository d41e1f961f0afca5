"""Starters with adders."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.formats.movements import LARGEST, starter_with_adder


@pytest.mark.parametrize("side", [1, *range(7, LARGEST, 2)])
def test_the_pairs_are_a_starter_before_and_after_the_adder(side: int) -> None:
    starter = starter_with_adder(side)
    assert starter is not None
    adders = [adder for _, _, adder in starter]
    assert len({0, *adders}) == len(adders) + 1
    for pairs in (
        [(one, other) for one, other, _ in starter],
        [((one + adder) % side, (other + adder) % side) for one, other, adder in starter],
    ):
        assert sorted(number for pair in pairs for number in pair) == list(range(1, side))
        differences = [
            difference % side for one, other in pairs for difference in (one - other, other - one)
        ]
        assert sorted(differences) == list(range(1, side))


@pytest.mark.parametrize("side", [3, 5])
def test_there_is_no_starter_of_side_three_or_five(side: int) -> None:
    assert starter_with_adder(side) is None
