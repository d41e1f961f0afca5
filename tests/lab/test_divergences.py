"""Where auctions part, and what belongs to a divergence."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.seats import Seat
from bridge_arena.lab.divergences import Divergences, from_another_arm, from_the_opponent
from tests.lab.auctions import boards_of, finished, match_of, random_part

ONE, TWO = boards_of(1), boards_of(2)


def told(divergences: Divergences) -> list[tuple[int, Seat, str, str]]:
    """Board, seat, and the calls at the arm's and the other table."""
    return [
        (
            int(divergences.rows[at]),
            Seat(divergences.seats[at]),
            str(CALLS[divergences.own.calls[at, turn]]),
            str(CALLS[divergences.other.calls[at, turn]]),
        )
        for at, turn in enumerate(divergences.turns)
    ]


def test_an_arm_and_its_opponent_part_at_the_first_call_that_differs() -> None:
    # Board 1 is dealt by North, whose cards the arm holds in the open room; board 2 by East.
    match = match_of(
        TWO,
        [(finished("1S P 2S"), finished("1S P 3S P 4S")), (finished("1C"), finished("1NT"))],
    )
    assert told(from_the_opponent(TWO, match)) == [
        (0, Seat.SOUTH, "2S", "3S"),
        (1, Seat.EAST, "1NT", "1C"),
    ]


def test_auctions_that_are_the_same_do_not_part() -> None:
    same = finished("1C P 1H")
    assert len(from_the_opponent(ONE, match_of(ONE, [(same, same)]))) == 0


def test_two_arms_part_in_each_room() -> None:
    first = match_of(ONE, [(finished("1C"), finished("P 1C"))])
    other = match_of(ONE, [(finished("1D"), finished("P 1S"))])
    divergences = from_another_arm(ONE, other, first)
    assert told(divergences) == [(0, Seat.NORTH, "1D", "1C"), (0, Seat.EAST, "1S", "1C")]
    assert divergences.is_own.all()
    assert divergences.imps.tolist() == [(other.imps - first.imps)[0] / 2] * 2


def test_the_room_whose_contract_changed_has_the_difference() -> None:
    first = match_of(ONE, [(finished("1C P 1NT"), finished("P 1C"))])
    other = match_of(ONE, [(finished("1D P 1NT"), finished("P 1S"))])
    difference = (other.imps - first.imps)[0]
    assert difference
    first_to_name = from_another_arm(ONE, other, first)
    assert first_to_name.imps.tolist() == [0, difference]


def test_a_call_of_the_opponent_that_differs_is_not_the_arms() -> None:
    first = match_of(ONE, [(finished("1C P"), finished("1C"))])
    other = match_of(ONE, [(finished("1C 1S"), finished("1C"))])
    assert not from_another_arm(ONE, other, first).is_own.any()


@given(st.integers(0, 10_000))
def test_partings_add_up_to_every_boards_imps(seed: int) -> None:
    part = random_part(seed)
    first, other = part.matches
    for divergences, imps in (
        (from_the_opponent(part.boards, first), first.imps),
        (from_another_arm(part.boards, other, first), other.imps - first.imps),
    ):
        found = np.bincount(divergences.rows, divergences.imps, minlength=len(part.boards))
        assert found.tolist() == imps.tolist()


@given(st.integers(0, 10_000))
def test_an_arm_sits_north_south_in_the_open_room(seed: int) -> None:
    part = random_part(seed)
    own = from_the_opponent(part.boards, part.matches[0])
    assert own.is_own.all()
    assert (own.own.rooms == own.seats % 2).all()
    assert (own.other.rooms == 1 - own.own.rooms).all()
    for at, turn in enumerate(own.turns):
        assert (own.own.calls[at, :turn] == own.other.calls[at, :turn]).all()
        assert own.own.calls[at, turn] != own.other.calls[at, turn]
