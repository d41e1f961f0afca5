"""Cells of CSV files that people open in spreadsheets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.csv_cells import as_text


@given(st.sampled_from("=+-@\t\r"), st.text(min_size=1))
def test_what_would_be_a_formula_is_a_text(sign: str, rest: str) -> None:
    assert as_text(sign + rest) == f"'{sign}{rest}"


@pytest.mark.parametrize("cell", ["Ann", "1=2", "", "-", "é", " =x", -3, -0.5, None])
def test_other_cells_stay_as_they_are(cell: str | float | None) -> None:
    assert as_text(cell) == cell
