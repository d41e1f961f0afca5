"""The race between cards: what differences settle it, and after how many worlds."""

from __future__ import annotations

import pytest

from bridge_arena.bots.montecarlo.card_choice import Evaluation, Objective, merits_of
from bridge_arena.bots.montecarlo.racing import Race
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import Seat, Side, Vulnerability

THREE_NOTRUMP = Contract.parse("3NT", Seat.SOUTH)
ACE, QUEEN = Card("SA"), Card("SQ")


def is_over(
    ace: tuple[int, ...],
    queen: tuple[int, ...],
    counts: tuple[int, ...] | None = None,
    objective: Objective = "imps",
    bonus: float = 0.0,
) -> bool:
    """Return whether a race of two cards is over; `bonus` is added to the queen's merit."""
    evaluation = Evaluation(counts or (1,) * len(ace), {ACE: ace, QUEEN: queen})
    terms = objective, THREE_NOTRUMP, Side.NS, Vulnerability.NONE
    merits = merits_of(evaluation, *terms)
    merits[QUEEN] = merits[QUEEN][0] + bonus, merits[QUEEN][1]
    return Race(*terms).is_over(evaluation, merits)


@pytest.mark.parametrize("objective", ["tricks", "score", "imps"])
def test_a_card_that_is_always_better_wins_soon(objective: Objective) -> None:
    assert is_over((10,) * 8, (9,) * 8, objective=objective)
    assert is_over((9,) * 8, (10,) * 8, objective=objective)


@pytest.mark.parametrize("objective", ["tricks", "score", "imps"])
def test_cards_that_are_now_better_and_now_worse_race_on(objective: Objective) -> None:
    assert not is_over((10, 9) * 4, (9, 10) * 4, objective=objective)
    assert not is_over((10, 9) * 20, (9, 10) * 20, objective=objective)


def test_cards_that_are_equal_in_many_worlds_are_taken_as_equal() -> None:
    assert not is_over((9,) * 8, (9,) * 8)
    assert is_over((9,) * 16, (9,) * 16)


def test_a_game_that_is_lost_in_some_worlds_counts_more_than_overtricks() -> None:
    assert is_over((10,) * 16, (9,) * 16)
    assert not is_over((10,) * 14 + (8,) * 2, (9,) * 16)


def test_a_world_that_was_drawn_often_is_one_observation() -> None:
    ace, queen = (10, 10, 10, 9), (9, 9, 9, 10)
    assert is_over(ace * 8, queen * 8)
    assert not is_over(ace, queen, (8, 8, 8, 8))


def test_what_else_speaks_for_a_card_counts() -> None:
    """As where a network advises: the queen is behind in the worlds by what the bonus makes up."""
    assert is_over((10,) * 8, (9,) * 8)
    assert not is_over((10,) * 8, (9,) * 8, bonus=8.0)
    assert is_over((10,) * 8, (9,) * 8, bonus=20.0)
