"""A board of a field against the oracle's table of the known deal."""

from __future__ import annotations

from fractions import Fraction

from bridge_arena.recorded.field.findings import find_board, result_text
from bridge_arena.recorded.field.own_figures import Ways
from bridge_arena.recorded.field.tables import FieldBoard
from tests.oracle.vectors import KNOWN_TABLE
from tests.recorded.field.club import FIRST, board, field_of


def first() -> FieldBoard:
    return field_of(FIRST)


def test_each_table_is_compared_with_double_dummy_and_par() -> None:
    found = find_board(first(), KNOWN_TABLE, Ways())
    assert found.par is not None
    # South makes three tricks in spades, North three at notrump; par is East-West's 450.
    assert found.par.score == -450
    assert [each.dd_tricks for each in found.tables] == [3, 3, 3, None]
    assert [each.difference for each in found.tables] == [7, 7, 3, None]
    assert [each.dd_score for each in found.tables] == [-350, -350, -200, 0]
    # 870, 870, 400 and 450 points above par.
    assert [each.imps for each in found.tables] == [13, 13, 9, 10]
    assert [each.worth.matchpoints for each in found.tables] == [5, 5, 0, 2]


def test_the_swing_of_a_board_is_that_of_its_scores() -> None:
    found = find_board(first(), KNOWN_TABLE, Ways())
    # 420 is 9 IMPs above 0 and 10 above -50; 0 is 2 above -50.
    cross = [Fraction(19, 3), Fraction(19, 3), Fraction(-22, 3), Fraction(-16, 3)]
    assert [each.worth.cross_imps for each in found.tables] == cross
    assert found.swing.total == float(sum(map(abs, cross)) / 4)
    # -350 against -200 is 4 IMPs and against 0 is 8; -200 against 0 is 5.
    contracts = [Fraction(-12, 3), Fraction(-12, 3), Fraction(3, 3), Fraction(21, 3)]
    assert found.swing.contracts == float(sum(map(abs, contracts)) / 4)
    # 770 points of play are 13 IMPs, 150 are 4.
    assert found.swing.play == (13 + 13 + 4 + 0) / 4
    assert (found.highest.score, found.lowest.score) == (420, -50)
    assert result_text(found.highest) == "4S S =, D9 led"
    assert found.leads == "4S S: CK 1 × 10.00, D9 1 × 10.00"
    assert found.datum == 200  # 197.5


def test_a_board_without_an_answer_of_the_solver_has_its_scores() -> None:
    found = find_board(first(), None, Ways())
    assert found.par is None
    assert [each.dd_tricks for each in found.tables] == [None] * 4
    assert found.swing.contracts is None
    assert found.tables[0].worth.matchpoints == 5


def test_a_row_may_stand_for_many_tables() -> None:
    text = (
        board(1, "None")
        .replace("Section;", "Multiplicity;")
        .replace("\n\n", "\n3 1 1 4S S - 10 420 - - - a b\n1 2 2 4S S - 9 - 50 - - c d\n\n")
    )
    found = find_board(field_of(text), KNOWN_TABLE, Ways())
    assert [each.worth.tables for each in found.tables] == [4, 4]
    assert [each.worth.matchpoints for each in found.tables] == [4, 0]
