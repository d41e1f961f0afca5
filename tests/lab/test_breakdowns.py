"""Tables whose rows add up to the total."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.lab import groupings
from bridge_arena.lab.divergences import from_another_arm
from bridge_arena.lab.groupings import BreakingDown, situations
from bridge_arena.tournaments.statistics.means import clustered_mean
from tests.lab.auctions import random_part


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_rows_of_a_breakdown_add_up(seed: int, most: int) -> None:
    part = random_part(seed)
    first, other = part.matches
    boards, total = part.boards, other.imps - first.imps
    partings = from_another_arm(boards, other, first)
    deals = np.arange(len(boards)) // 2
    tables = BreakingDown(partings, deals, str)
    for table in (
        tables.by(situations(partings), most=most),
        tables.by(
            situations(partings),
            *groupings.calls(partings, ("A", "B")),
            groupings.hands(boards, partings),
            most=most,
        ),
        tables.by(*groupings.contracts(partings, ("A", "B")), most=most),
        tables.by(groupings.vulnerability(boards, partings), most=most),
        tables.by(groupings.contested(partings, ("A", "B")), most=most),
        tables.by(groupings.doubled(partings, ("A", "B")), most=most),
    ):
        assert fsum(row.imps for row in table.every) == total.sum()
        assert sum(row.times for row in table.every) == len(partings)
        means = fsum(row.per_board.mean or 0 for row in table.every)
        assert means == pytest.approx(total.mean())
        assert len(table.rows) <= most + 1
        assert all(len(row.what) == len(table.facets) for row in table.rows)
        sizes = [abs(row.imps) for row in table.rows]
        assert sizes == sorted(sizes, reverse=True)


@given(st.integers(0, 10_000))
def test_errors_are_clustered_by_deal(seed: int) -> None:
    part = random_part(seed)
    boards = part.boards
    partings = from_another_arm(boards, part.matches[1], part.matches[0])
    deals = np.arange(len(boards)) // 3
    facet = groupings.vulnerability(boards, partings)
    for row in BreakingDown(partings, deals, str).by(facet).rows:
        chosen = facet.codes == facet.texts.index(row.what[0])
        rows, imps = partings.rows[chosen], partings.imps[chosen]
        each = clustered_mean(zip(deals[rows].tolist(), imps.tolist(), strict=True))
        assert row.each.mean == pytest.approx(each.mean)
        assert row.each.standard_error == pytest.approx(each.standard_error)
        by_board = np.bincount(rows, imps, minlength=len(boards))
        whole = clustered_mean(zip(deals.tolist(), by_board.tolist(), strict=True))
        assert row.per_board.mean == pytest.approx(whole.mean)
        assert row.per_board.standard_error == pytest.approx(whole.standard_error)


def test_the_example_went_farthest_in_the_rows_direction() -> None:
    part = random_part(5, boards=200)
    partings = from_another_arm(part.boards, part.matches[1], part.matches[0])
    facet = groupings.vulnerability(part.boards, partings)
    for row in BreakingDown(partings, np.arange(200), str).by(facet).rows:
        at = int(row.replay)
        assert int(partings.rows[at]) == row.row
        imps = partings.imps[facet.codes == facet.codes[at]]
        assert partings.imps[at] == (imps.max() if row.imps >= 0 else imps.min())
