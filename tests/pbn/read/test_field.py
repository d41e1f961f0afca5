"""ScoreTable: the columns that real files have, and cells that cannot be."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.field import MOST_TABLES, Field, FieldTable, field_of
from bridge_arena.pbn.read.reader import read_games


def game_of(text: str) -> Game:
    *_, game = read_games(BytesIO(text.encode()), "club.pbn")
    return game


def field(header: str, *rows: str) -> Field:
    lines = "\n".join(rows)
    return field_of(game_of(f'[Event "E"]\n[ScoreTable "{header}"]\n{lines}\n'))


def table(header: str, row: str) -> FieldTable:
    (found,) = field(header, row).tables
    return found


def test_a_row_of_a_club_file_is_read() -> None:
    header = (
        r"Section;PairId_NS\2R;PairId_EW\2R;Contract\3L;Declarer;Lead;Result\2R;Score_NS\3R;"
        r"Score_EW\3R;MP_NS\1R;MP_EW\1R;Names_NS\19;Names_EW"
    )
    found = table(header, "A  7 12 4HX  E D9 8 500 - 7.5 - Able-Baker  Charlie-Dog")
    assert (found.section, found.pair_ns, found.pair_ew) == ("A", "7", "12")
    assert (found.names_ns, found.names_ew) == ("Able-Baker", "Charlie-Dog")
    assert f"{found.contract} {found.contract and found.contract.declarer}" == "4HX E"
    assert (found.lead, found.tricks, found.score) == ("D9", 8, 500)
    assert found.own == {"MP_NS": Decimal("7.5")}
    assert (found.multiplicity, found.line) == (1, 3)


def test_columns_may_be_in_any_order_and_signed_and_unknown() -> None:
    found = table(r"+Score_NS\5R;-Rank;Colour;Multiplicity", "-50 1 red 33")
    assert found == FieldTable(line=3, score=-50, multiplicity=33)


def test_names_are_quoted_and_padded() -> None:
    found = table("Names_NS;Score_NS", r'"Ann   LEE  ;Bo \"B\" RAY   " 50')
    assert found.names_ns == 'Ann LEE;Bo "B" RAY'


def test_a_header_may_be_that_of_the_game_before() -> None:
    game = game_of(
        '[Event "E"]\n[ScoreTable "Score_NS;Multiplicity"]\n50 2\n\n'
        '[Event "E"]\n[ScoreTable "#"]\n110 3\n'
    )
    (found,) = field_of(game).tables
    assert (found.score, found.multiplicity) == (110, 3)


@pytest.mark.parametrize(("score", "expected"), [("- 90", -90), ("90 -", 90), ("90 -90", 90)])
def test_a_score_may_stand_under_either_side(score: str, expected: int) -> None:
    assert table("Score_NS;Score_EW", score).score == expected


@pytest.mark.parametrize(
    ("result", "tricks"), [("9", 9), ("+1", 10), ("=", 9), ("-2", 7), ("NS 9", 9)]
)
def test_results_are_tricks_or_what_is_over_or_missing(result: str, tricks: int) -> None:
    found = field("Contract;Declarer;Result", f'3NT S "{result}"').tables
    assert [each.tricks for each in found] == [tricks]


def test_a_sign_says_nothing_where_the_contract_is_not_known() -> None:
    assert table("Contract;Declarer;Result;Score_NS", "- N +1 450").tricks is None


@pytest.mark.parametrize("word", ["Pass", "PASS", "P", "AllPass"])
def test_a_row_may_tell_that_the_board_was_passed_out(word: str) -> None:
    found = table("Contract;Declarer;Result;Score_NS", f"{word} - - -")
    assert found.is_passed_out
    assert found.has_result
    assert found.score is None


@pytest.mark.parametrize("row", ["- - - -", "4S N - ^60", '4S N ? "?"'])
def test_a_row_without_a_score_is_counted_and_no_table(row: str) -> None:
    found = field("Contract;Declarer;Result;Score_NS", row, "4S N 10 420")
    assert (len(found.tables), found.without_score, found.problem) == (1, 1, None)


def test_scores_of_both_sides_that_are_no_one_score() -> None:
    assert field("Score_NS;Score_EW", "60 40").without_score == 1


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("9S N 10 -", "'9S'"),
        ("4S Q 10 -", "Q"),
        ("4S N 14 -", "14"),
        ("- - - 425", "425"),
        ("- - - 99990", "99990"),
    ],
)
def test_a_row_that_cannot_be_is_named_and_costs_no_other(row: str, words: str) -> None:
    found = field("Contract;Declarer;Result;Score_NS", "4S N 10 420", row, row)
    assert (len(found.tables), found.unusable) == (1, 2)
    assert str(found.problem).startswith("club.pbn:4: game 1: ScoreTable: ")
    assert words in str(found.problem)
    assert str(found.problem).endswith("and 1 more rows")


def test_a_score_that_is_none_is_named_where_the_result_stands() -> None:
    found = field("Contract;Declarer;Result;Score_NS", "4S N 9 -55")
    assert [(each.tricks, each.score) for each in found.tables] == [(9, None)]
    assert "'-55' is not a score" in str(found.problem)
    assert found.unusable == 0


@pytest.mark.parametrize("number", ["0", "-1", "9" * 4000, "1e9", str(MOST_TABLES + 1)])
def test_a_cell_cannot_ask_for_any_number_of_tables(number: str) -> None:
    found = field("Score_NS;Multiplicity", f"50 {number}", "50 2")
    assert [each.multiplicity for each in found.tables] == [2]
    assert found.problem is not None


def test_many_cells_together_cannot_ask_for_too_many_tables() -> None:
    found = field("Score_NS;Multiplicity", *[f"50 {MOST_TABLES // 2}"] * 5)
    assert (len(found.tables), found.unusable) == (2, 3)


def test_a_game_without_rows_has_no_table() -> None:
    assert field_of(game_of('[Event "E"]\n')) == Field()
    assert field("Score_NS").tables == ()


@given(
    st.text(st.sampled_from(r";+-\RL019 ScoreTricks_NSEWDeclarContractMultiplicity"), max_size=80),
    st.lists(st.text(st.sampled_from("0123456789SHDCNTX-+=^?!*$. "), max_size=12), max_size=20),
)
def test_nothing_in_a_table_raises(header: str, rows: list[str]) -> None:
    field(header.replace('"', ""), *rows)
