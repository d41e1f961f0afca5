"""What divergences are told apart by."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.evaluation import hcp, is_balanced
from bridge_arena.bridge.seats import SEATS
from bridge_arena.lab import groupings
from bridge_arena.lab.divergences import from_another_arm, from_the_opponent
from bridge_arena.lab.groupings import BreakingDown, Grouping, situations
from bridge_arena.tournaments.statistics.means import clustered_mean
from tests.lab.auctions import boards_of, finished, match_of, random_part

ONE = boards_of(1)
NAMES = ("mine", "theirs")


def texts(*found: Grouping) -> list[str]:
    return [facet.texts[facet.codes[0]] for facet in found]


def parted(one: str, other: str) -> dict[str, list[str]]:
    """The facets of two auctions of board 1, dealt by North, nobody vulnerable."""
    divergences = from_the_opponent(ONE, match_of(ONE, [(finished(one), finished(other))]))
    return {
        "contracts": texts(*groupings.contracts(divergences, NAMES)),
        "contested": texts(groupings.contested(divergences, NAMES)),
        "doubled": texts(groupings.doubled(divergences, NAMES)),
        "calls": texts(*groupings.calls(divergences, NAMES)),
    }


@pytest.mark.parametrize(
    ("one", "other", "contracts"),
    [
        # The first call that differs is North's: the arm has these cards in the open room.
        ("1S", "4S", ["plays part-score", "plays game"]),
        ("3NT", "P 3NT", ["plays game", "defends game"]),
        ("5C", "4C", ["plays game", "plays part-score"]),
        ("6C", "7C", ["plays small slam", "plays grand slam"]),
        ("P P P P", "P P 6H", ["passed out", "plays small slam"]),
        # It is East's: the arm has these cards in the closed room.
        ("P 1S", "P 4S", ["plays game", "plays part-score"]),
    ],
)
def test_contracts_are_told_of_the_side_that_is_compared(
    one: str, other: str, contracts: list[str]
) -> None:
    assert parted(one, other)["contracts"] == contracts


def test_contested_and_doubled_tables_are_told() -> None:
    found = parted("1C 1S", "1C P 1H")  # East's call: the closed room is the arm's
    assert found["contested"] == ["only with theirs"]
    assert found["calls"] == ["Pass", "1S"]
    assert parted("1C P 1S", "1C P 1H")["contested"] == ["at neither table"]
    assert parted("1C P P X", "1C P P 1H")["contested"] == ["at both tables"]
    assert parted("1C P P X", "1C P P 1H")["doubled"] == ["only with theirs"]


def test_vulnerability_is_that_of_the_side_compared() -> None:
    four = boards_of(4)  # nobody, North-South, East-West, all
    # Board 2 is dealt by East, board 3 by South.
    rooms = [(finished("1C"), finished("1D"))] * 4
    facet = groupings.vulnerability(four, from_the_opponent(four, match_of(four, rooms)))
    assert [facet.texts[code] for code in facet.codes] == [
        "nobody",
        "the other side only",
        "the other side only",
        "everybody",
    ]
    facet = groupings.vulnerability(
        four,
        from_the_opponent(four, match_of(four, [(finished("P 1C"), finished("P 1D"))] * 4)),
    )
    assert [facet.texts[code] for code in facet.codes[1:3]] == ["that side only", "that side only"]


def test_two_arms_have_the_side_of_their_room() -> None:
    first = match_of(ONE, [(finished("1S"), finished("1C P 1S"))])
    other = match_of(ONE, [(finished("4S"), finished("1C 1S"))])
    own, before = groupings.contracts(from_another_arm(ONE, other, first), NAMES)
    assert [own.texts[code] for code in own.codes] == ["plays game", "plays part-score"]
    assert [before.texts[code] for code in before.codes] == [
        "plays part-score",
        "defends part-score",
    ]


def test_hands_are_told_by_points_and_shape() -> None:
    part = random_part(4, boards=400)
    divergences = from_the_opponent(part.boards, part.matches[0])
    facet = groupings.hands(part.boards, divergences)
    seen = set[str]()
    for at, code in enumerate(facet.codes):
        hand = part.boards.deal(int(divergences.rows[at]))[SEATS[divergences.seats[at]]]
        points, shape = facet.texts[code].split(" ", 1)
        low, _, high = points.removesuffix("+").partition("-")
        assert int(low) <= hcp(hand) <= int(high or 37)
        assert (shape == "balanced") == is_balanced(hand)
        if not is_balanced(hand):
            number = sum(length >= 4 for length in hand.lengths)
            assert shape == ("one suit", "two suits", "three suits")[number - 1]
        seen.add(shape)
    assert seen == {"balanced", "one suit", "two suits", "three suits"}
    assert np.all(facet.codes < len(facet.texts))


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_rows_of_a_breakdown_add_up(seed: int, most: int) -> None:
    part = random_part(seed)
    first, other = part.matches
    boards, total = part.boards, other.imps - first.imps
    divergences = from_another_arm(boards, other, first)
    deals = np.arange(len(boards)) // 2
    tables = BreakingDown(divergences, deals, str)
    for table in (
        tables.by(situations(divergences), most=most),
        tables.by(
            situations(divergences),
            *groupings.calls(divergences, ("A", "B")),
            groupings.hands(boards, divergences),
            most=most,
        ),
        tables.by(*groupings.contracts(divergences, ("A", "B")), most=most),
        tables.by(groupings.vulnerability(boards, divergences), most=most),
        tables.by(groupings.contested(divergences, ("A", "B")), most=most),
        tables.by(groupings.doubled(divergences, ("A", "B")), most=most),
    ):
        assert fsum(row.imps for row in table.every) == total.sum()
        assert sum(row.times for row in table.every) == len(divergences)
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
    divergences = from_another_arm(boards, part.matches[1], part.matches[0])
    deals = np.arange(len(boards)) // 3
    facet = groupings.vulnerability(boards, divergences)
    for row in BreakingDown(divergences, deals, str).by(facet).rows:
        chosen = facet.codes == facet.texts.index(row.what[0])
        rows, imps = divergences.rows[chosen], divergences.imps[chosen]
        each = clustered_mean(zip(deals[rows].tolist(), imps.tolist(), strict=True))
        assert row.each.mean == pytest.approx(each.mean)
        assert row.each.standard_error == pytest.approx(each.standard_error)
        by_board = np.bincount(rows, imps, minlength=len(boards))
        whole = clustered_mean(zip(deals.tolist(), by_board.tolist(), strict=True))
        assert row.per_board.mean == pytest.approx(whole.mean)
        assert row.per_board.standard_error == pytest.approx(whole.standard_error)


def test_the_example_went_farthest_in_the_rows_direction() -> None:
    part = random_part(5, boards=200)
    divergences = from_another_arm(part.boards, part.matches[1], part.matches[0])
    facet = groupings.vulnerability(part.boards, divergences)
    for row in BreakingDown(divergences, np.arange(200), str).by(facet).rows:
        at = int(row.replay)
        assert int(divergences.rows[at]) == row.row
        imps = divergences.imps[facet.codes == facet.codes[at]]
        assert divergences.imps[at] == (imps.max() if row.imps >= 0 else imps.min())
