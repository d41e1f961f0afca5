"""What stand-ins make of deals."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.registry import parse
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.deal_values import PART, Part, deal_values, parts
from bridge_arena.tournaments.events.deal_control import Pair
from bridge_arena.tournaments.play.in_process import play_match

KEY = DealKey.of_seed(5)

PAIR = Pair("natural", "baseline", are_themselves=True, plays=1)


NATURAL, SIMPLE = (f"fastplay:bidding={system},errors=0.1" for system in ("natural", "simple"))

ERRING = Pair(NATURAL, SIMPLE, are_themselves=False, plays=3)
"""Their plays of a board differ."""


def test_quick_bots_play_as_in_a_match() -> None:
    match = play_match("natural", "baseline", 12, seed=5)
    found = deal_values(Part(PAIR, KEY, 1, 13, 1))
    assert found == dict(enumerate(match.imps, start=1))
    assert deal_values(Part(PAIR, KEY, 4, 6, 1)) == {4: found[4], 5: found[5]}


def test_the_other_bot_gains_what_the_first_loses() -> None:
    other = Pair(SIMPLE, NATURAL, are_themselves=False, plays=3)
    found = deal_values(Part(ERRING, KEY, 1, 3, 2))
    assert any(found.values())
    reversed_ = deal_values(Part(other, KEY, 1, 3, 2))
    assert reversed_ == {board: -value for board, value in found.items()}


def test_several_plays_are_averaged() -> None:
    one, two = (deal_values(Part(ERRING, KEY, 1, 3, plays)) for plays in (1, 2))
    assert one != two
    assert all(abs(2 * value - round(2 * value)) < 1e-9 for value in two.values())
    assert fmean(map(abs, two.values())) <= 24
    assert two == deal_values(Part(ERRING, KEY, 1, 3, 2)), "the same on every machine"


def test_a_stand_in_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown bot 'nobody'"):
        deal_values(Part(Pair("nobody", "random", are_themselves=False, plays=1), KEY, 1, 2, 1))
    assert parse("random")


@given(st.sets(st.integers(1, 300)))
def test_parts_hold_every_board_once(numbers: set[int]) -> None:
    found = list(parts(PAIR, KEY, sorted(numbers), 2))
    assert [n for part in found for n in range(part.start, part.stop)] == sorted(numbers)
    assert all(0 < part.stop - part.start <= PART for part in found)
    boundaries = [part for part in found if part.stop in numbers]
    assert all(part.stop - part.start == PART for part in boundaries), "no part is cut short"
