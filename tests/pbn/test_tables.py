"""Supplemental sections as tables."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.tables import Align, Column, Order, PbnTable, table_of


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Rank", Column("Rank")),
        ("+Score_NS\\5R", Column("Score_NS", Order.DESCENDING, 5, Align.RIGHT)),
        ("-Names\\17L", Column("Names", Order.ASCENDING, 17, Align.LEFT)),
        ("Center\\3", Column("Center", Order.NONE, 3)),
        ("Odd\\x", Column("Odd\\x")),
    ],
)
def test_columns_are_parsed_and_written(text: str, column: Column) -> None:
    assert Column.parse(text) == column
    assert str(column) == text


def test_a_table_of_a_game_is_read() -> None:
    text = b'[T "##A\\3R;B\\5L;C"]\n1 "x y" ?\n-\n^2 *\n\n[T "#"]\n1 2\n'
    first, second = read_games(BytesIO(text))
    table = table_of(first, "T")
    assert table is not None
    assert table.header == "A\\3R;B\\5L;C"
    assert table.rows == (("1", '"x y"', "?"), ("-", "^2", "*"))
    assert table.column("B") == ['"x y"', "^2"]
    assert list(table.lines()) == ['  1 "x y" ?', "  - ^2    *"]
    short = table_of(second, "T")
    assert short is not None
    assert (short.header, short.rows, short.column("C")) == (table.header, (("1", "2"),), [])
    assert table_of(first, "None") is None
    with pytest.raises(KeyError):
        table.column("None")


@given(st.lists(st.text(st.characters(codec="ascii"), max_size=8), min_size=1, max_size=4))
def test_any_header_survives(names: list[str]) -> None:
    header = ";".join(names)
    if "\\0" not in header:  # a width of nought, or with noughts before, says nothing
        assert PbnTable.of(header, []).header == header
