"""Tests of the standings of pairs in files."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.pbn.read.results import (
    Optimum,
    Standing,
    optimum_of,
    own_scores,
    rubber_score,
    standings_of,
)
from tests.pbn.read.test_field import game_of


def test_standings_are_read_from_a_total_score_table() -> None:
    game = game_of(
        '[TotalScoreTable "-Rank\\3R;PairId\\5R;Names\\45;Center\\3;NrBoards\\3R;MP\\6R;'
        '+Percentage\\5R"]\n{ the best }\n  1   581 "Ann   ; Bo  " OMS  20 1449.8 72.49\n'
    )
    assert list(standings_of(game)) == [
        Standing(3, "", "581", "Ann;Bo", "1", Decimal("72.49"), "Percentage")
    ]


def test_standings_are_read_from_a_list_of_pairs() -> None:
    game = game_of('[PairList "Section;PairId;Players"]\nA 3 Ann-Bo\nA ? ?\n')
    assert list(standings_of(game)) == [Standing(2, "A", "3", "Ann-Bo", "", None, "")]


def test_a_game_without_a_table_has_no_standings() -> None:
    assert list(standings_of(game_of('[Event "E"]\n'))) == []


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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("NS 97.22", {"IMP_NS": "97.22"}),
        ("NS -0.53", {"IMP_NS": "-0.53"}),
        ("EW +9", {"IMP_EW": "9"}),
        ("EW 3. NS 9.5", {"IMP_EW": "3", "IMP_NS": "9.5"}),
        ("ns-5", {"IMP_NS": "-5"}),
        ("12", {"IMP_EW": "12"}),
        ("?", {}),
        ("", {}),
    ],
)
def test_a_figure_of_a_score_is_read(value: str, expected: dict[str, str]) -> None:
    found, problems = own_scores(game_of(f'[ScoreIMP "{value}"]\n'), Seat.EAST)
    assert found == {name: Decimal(number) for name, number in expected.items()}
    assert problems == []


def test_each_tag_has_its_column() -> None:
    game = game_of('[ScoreMP "NS 400"]\n[ScorePercentage "NS 50"]\n[ScoreIMP "EW 1"]\n')
    assert set(own_scores(game, None)[0]) == {"MP_NS", "Percentage_NS", "IMP_EW"}


@pytest.mark.parametrize("value", ["lots", "NS", "1e99", "NS " + "9" * 3000, "NS 1 NS 2 NS 3"])
def test_text_that_is_no_figure_is_named(value: str) -> None:
    found, (problem,) = own_scores(game_of(f'[ScoreMP "{value}"]\n'), None)
    assert found == {}
    assert str(problem).startswith("club.pbn:1: game 1: ScoreMP: ")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("EW 300/40", {Side.EW: (300, 40)}),
        ("300/40", {Side.NS: (300, 40)}),
        ("EW 300/40 NS 50 / 70  ", {Side.EW: (300, 40), Side.NS: (50, 70)}),
        ("", {}),
    ],
)
def test_a_score_of_rubber_bridge_is_read(
    value: str, expected: dict[Side, tuple[int, int]]
) -> None:
    assert rubber_score(game_of(f'[ScoreRubber "{value}"]\n'), Seat.NORTH) == expected


def test_text_that_is_no_score_of_rubber_bridge_is_refused() -> None:
    with pytest.raises(ValueError, match="rubber"):
        rubber_score(game_of('[ScoreRubber "300"]\n'), None)
