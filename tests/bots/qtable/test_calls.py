"""Steps, situations and the calls that they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.qtable.calls import (
    SITUATIONS,
    calls_of,
    contract_after,
    is_over,
    situation_of,
    steps_of,
    steps_to,
)
from bridge_arena.bridge.calls import Call

SITUATION = st.integers(0, SITUATIONS - 1)


@given(SITUATION)
def test_a_situation_is_its_steps(situation: int) -> None:
    assert situation_of(steps_of(situation)) == situation


@given(SITUATION)
def test_steps_are_read_back_from_their_calls(situation: int) -> None:
    steps = steps_of(situation)
    if contract_after(steps) <= 35:
        assert steps_to(calls_of(steps)) == steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("1H 3NT 4NT 7H", (3, 12, 5, 13)),  # an auction that Prorok prints
        ("Pass 1C 1S 2C", (0, 1, 3, 2)),
        ("1S 4S", (4, 15)),
        ("1S 4NT", None),  # sixteen steps
        ("1S X", None),
        ("XX", None),
    ],
)
def test_auctions_lead_to_their_known_steps(text: str, steps: tuple[int, ...] | None) -> None:
    assert steps_to([Call(word) for word in text.split()]) == steps


def test_a_pass_ends_the_auction_but_for_the_openers() -> None:
    assert not is_over((0,))
    assert is_over((0, 0))
    assert is_over((3, 0))
    assert not is_over((3, 2, 1))
    assert is_over((3, 2, 1, 5))
