"""`oracle.double_dummy_table`: what is known, and what two tables know together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import DENOMINATIONS, Denomination
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.errors import ImpossibleError
from tests.oracle.vectors import KNOWN_TABLE

RESULTS = st.lists(st.none() | st.integers(0, 13), min_size=20, max_size=20)

CELLS = [(denomination, seat) for denomination in DENOMINATIONS for seat in SEATS]


def results_of(table: PartialTable) -> list[int | None]:
    return [table.tricks(*cell) for cell in CELLS]


@given(RESULTS)
def test_a_partial_table_holds_what_is_known(results: list[int | None]) -> None:
    table = PartialTable.of(results)
    assert results_of(table) == results
    assert [table.knows([cell]) for cell in CELLS] == [each is not None for each in results]
    assert table.knows(CELLS) == (None not in results)
    assert (table.whole() is None) == (None in results)


def test_a_whole_table_knows_every_cell() -> None:
    table = PartialTable.of(KNOWN_TABLE.results)
    assert table.whole() == KNOWN_TABLE
    assert table.tricks(Denomination.HEARTS, Seat.EAST) == 11


@given(RESULTS, RESULTS)
def test_two_tables_together_know_what_either_knows(
    mine: list[int | None], theirs: list[int | None]
) -> None:
    joined = PartialTable.of(mine).joined(PartialTable.of(theirs))
    assert results_of(joined) == [
        other if own is None else own for own, other in zip(mine, theirs, strict=True)
    ]


@pytest.mark.parametrize("digits", ["", "0" * 19, "0" * 21, "0" * 10 + "e" + "0" * 9, "-" * 20])
def test_bytes_that_are_no_table_are_refused(digits: str) -> None:
    with pytest.raises(ImpossibleError, match="20 numbers of tricks"):
        PartialTable(digits)
