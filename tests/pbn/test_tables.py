"""Supplemental sections as tables."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.tables import Column, PbnTable, cells_of


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Rank", Column("Rank")),
        ("+Score_NS\\5R", Column("Score_NS", "+", 5, "R")),
        ("-Names\\17L", Column("Names", "-", 17, "L")),
        ("Center\\3", Column("Center", "", 3)),
        ("Odd\\x", Column("Odd\\x")),
    ],
)
def test_columns_are_parsed_and_written(text: str, column: Column) -> None:
    assert Column.parse(text) == column
    assert str(column) == text


def test_a_table_of_a_game_is_read() -> None:
    text = b'[T "##A\\3R;B\\5L;C"]\n1 "x y" ?\n-\n^2 *\n\n[T "#"]\n1 2\n'
    first, second = map(_table, read_games(BytesIO(text)))
    assert first.header == "A\\3R;B\\5L;C"
    assert first.rows == (("1", '"x y"', "?"), ("-", "^2", "*"))
    assert list(first.lines()) == ['  1 "x y" ?', "  - ^2    *"]
    assert (second.header, second.rows) == (first.header, (("1", "2"),))


def _table(game: Game) -> PbnTable:
    section = game.section("T")
    assert section is not None
    return PbnTable.of(game.get("T"), cells_of(section))


@given(st.lists(st.text(st.characters(codec="ascii"), max_size=8), min_size=1, max_size=4))
def test_any_header_survives(names: list[str]) -> None:
    header = ";".join(names)
    if "\\0" not in header:  # a width of nought, or with noughts before, says nothing
        assert PbnTable.of(header, []).header == header
