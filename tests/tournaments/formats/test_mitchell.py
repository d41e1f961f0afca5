"""The Mitchell movement, with share and relay for an even number of tables."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from bridge_arena.tournaments.formats.movements import Sitting, mitchell
from tests.tournaments.formats.movements import check_rounds, meetings, plays, sharing

SIZES = range(2, 42)


@pytest.mark.parametrize("pairs", SIZES)
def test_all_of_the_other_direction_are_met_once(pairs: int) -> None:
    movement = mitchell(pairs)
    tables = (pairs + 1) // 2
    assert len(movement) == tables
    check_rounds(movement, pairs)
    met = product(range(tables), range(tables, pairs))
    assert meetings(movement) == dict.fromkeys(map(frozenset, met), 1)


@pytest.mark.parametrize("pairs", SIZES)
def test_every_set_is_played_once(pairs: int) -> None:
    """All play all sets, but with an odd number North-South miss one, all another."""
    movement = mitchell(pairs)
    tables = (pairs + 1) // 2
    played = plays(movement)
    assert set(played.values()) == {1}
    missed = set(product(range(pairs), range(tables))) - set(played)
    assert {pair for pair, _ in missed} == (set(range(tables)) if pairs % 2 else set())
    assert {boards for _, boards in missed} == (set(range(tables)) if pairs % 2 else set())
    assert len(missed) == (tables if pairs % 2 else 0)


@pytest.mark.parametrize("pairs", SIZES)
def test_north_south_stay_and_the_others_go_up_a_table(pairs: int) -> None:
    movement = mitchell(pairs)
    tables = (pairs + 1) // 2
    for sittings, later in pairwise(movement):
        at = {max(s.entries): s.table for s in later}
        for s in sittings:
            assert s.table == min(s.entries) + 1
            if max(s.entries) in at:
                assert at[max(s.entries)] == s.table % tables + 1


@pytest.mark.parametrize(("pairs", "switched"), [(4, 1), (6, 1), (16, 1), (18, 2), (34, 3)])
def test_the_arrow_is_switched_in_the_last_eighth_of_the_rounds(pairs: int, switched: int) -> None:
    turned = [{s.entries[0] > s.entries[1] for s in sittings} for sittings in mitchell(pairs)]
    assert turned == [{False}] * (pairs // 2 - switched) + [{True}] * switched


@pytest.mark.parametrize("pairs", [2, *range(6, 42, 4)])
def test_odd_number_of_tables_shares_nothing(pairs: int) -> None:
    assert not any(sharing(mitchell(pairs)))


@pytest.mark.parametrize("pairs", range(4, 42, 4))
def test_even_number_of_tables_shares_between_first_and_last(pairs: int) -> None:
    movement = mitchell(pairs)
    assert set(sharing(movement)) == {1}
    assert all(sittings[0].boards == sittings[-1].boards for sittings in movement)


def test_the_mitchell_of_three_tables_is_known() -> None:
    assert mitchell(6)[1] == [Sitting(1, (0, 5), 1), Sitting(2, (1, 3), 2), Sitting(3, (2, 4), 0)]


def test_the_mitchell_of_four_tables_is_as_set_out() -> None:
    """Sets 1 and 2, the relay with 3, then 4 at table 3; table 4 shares with table 1."""
    assert [s.boards for s in mitchell(8)[0]] == [0, 1, 3, 0]


def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 pairs, not 1"):
        mitchell(1)
