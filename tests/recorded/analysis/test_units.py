"""Units: a question in a line, an answer in a line."""

from __future__ import annotations

import pytest

from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.recorded.analysis.units import (
    id_of,
    play_unit,
    solve,
    table_in,
    table_unit,
    units_of,
    values_in,
)
from tests.oracle.vectors import KNOWN_DEAL, KNOWN_TABLE
from tests.recorded.analysis.games import CLOSED, HEAD, OPEN, TABLE, entry_of


def test_a_unit_of_a_table_is_solved() -> None:
    answer = solve(table_unit(KNOWN_DEAL))
    assert answer == TABLE
    assert table_in(answer) == KNOWN_TABLE


def test_a_unit_of_a_play_is_solved() -> None:
    record = entry_of(OPEN).record
    assert record is not None
    unit = play_unit(record)
    assert unit == f"{KNOWN_DEAL};HE;D3DAD4DT"
    assert values_in(solve(unit)) == (11, 11, 11, 11, 11)


def test_the_level_and_the_players_do_not_matter() -> None:
    first, second = (
        entry_of(CLOSED.replace("2H", contract).replace('"w"', f'"{name}"')).record
        for contract, name in (("2H", "w"), ("5HX", "else"))
    )
    assert first is not None
    assert second is not None
    assert units_of(first) == units_of(second)


def test_what_has_no_contract_needs_nothing() -> None:
    board_only = entry_of(HEAD).record
    assert board_only is not None
    assert units_of(board_only) == []
    passed_out = entry_of(HEAD + '[Contract "Pass"]\n').record
    assert passed_out is not None
    assert units_of(passed_out) == [str(KNOWN_DEAL)]
    no_play = entry_of(HEAD + '[Contract "4H"]\n[Declarer "E"]\n').record
    assert no_play is not None
    assert units_of(no_play) == [str(KNOWN_DEAL)]


def test_an_impossible_play_is_refused() -> None:
    with pytest.raises(ImpossibleError, match="does not hold it"):
        solve(f"{KNOWN_DEAL};HE;SA")


def test_ids_do_not_change_between_versions() -> None:
    """Answers of earlier analyses are found by them."""
    assert id_of("N:") == "ece902b6a87c8677343b6866e047e113"
