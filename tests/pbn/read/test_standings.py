"""Tests of the standings of pairs in files."""

from __future__ import annotations

from decimal import Decimal

from bridge_arena.pbn.read.standings import Standing, standings_of
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
