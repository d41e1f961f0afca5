"""The file's own double-dummy figures, in each of their forms."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.read.optimum import Optimum, optimum_of
from tests.pbn.read.test_field import game_of


def optimum(text: str) -> Optimum:
    return optimum_of(game_of(f'[Event "E"]\n{text}\n'))


NORTH_SPADES = {(Denomination.SPADES, Seat.NORTH): 11}


@pytest.mark.parametrize(
    "text",
    [
        '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN  S 11',
        '[OptimumResultTable "Declarer Suit Tricks"]\nN S 11',
    ],
)
def test_a_table_of_optimum_results_is_read(text: str) -> None:
    assert optimum(text) == Optimum(table=NORTH_SPADES)


def test_twenty_digits_are_north_south_east_west_from_notrump_down() -> None:
    digits = optimum('[DoubleDummyTricks "0123456789abcd012345"]').digits
    assert digits[Denomination.NOTRUMP, Seat.NORTH] == 0
    assert digits[Denomination.CLUBS, Seat.NORTH] == 4
    assert digits[Denomination.NOTRUMP, Seat.SOUTH] == 5
    assert digits[Denomination.SPADES, Seat.EAST] == 11
    assert digits[Denomination.CLUBS, Seat.WEST] == 5


def test_the_optimum_score_is_read_as_par() -> None:
    assert optimum('[OptimumScore "EW 420"]').score == -420


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[DoubleDummyTricks "123"]', "20 numbers"),
        ('[DoubleDummyTricks "eeeeeeeeeeeeeeeeeeee"]', "20 numbers"),
        ('[OptimumScore "420"]', "whose score"),
        ('[OptimumResultTable "Declarer;Denomination;Result"]\nN S 14\nN D 7', "14"),
        ('[OptimumResultTable "Declarer;Denomination;Result"]\nN Z 7\nN D 7', "'Z'"),
    ],
)
def test_what_cannot_be_is_named(text: str, words: str) -> None:
    found = optimum(text)
    (problem,) = found.problems
    assert words in str(problem)
    assert len(found.table) == ("Table" in text)
