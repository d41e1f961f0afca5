"""The complete Howell movement: published ones and ours keep the same promises."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from bridge_arena.tournaments.formats.movements import LARGEST, Sitting, howell
from tests.tournaments.formats.movements import (
    Movement,
    check_rounds,
    meetings,
    plays,
    sharing,
)

SIZES = range(4, 42)


def competition(movement: Movement, pairs: int) -> Counter[int]:
    """For how many twos of pairs the boards on which they hold the same cards, less those
    on which they do not, come to each number."""
    direction = {
        (pair, s.boards): sign
        for sittings in movement
        for s in sittings
        for pair, sign in zip(s.entries, (1, -1), strict=True)
    }
    return Counter(
        sum(direction[one, boards] * direction[other, boards] for boards in range(pairs - 1))
        for one, other in combinations(range(pairs), 2)
    )


def check(movement: Movement, pairs: int) -> None:
    """All that makes a complete Howell, whoever made it."""
    rounds = pairs - 1 + pairs % 2
    assert len(movement) == rounds
    check_rounds(movement, pairs)
    assert meetings(movement) == dict.fromkeys(map(frozenset, combinations(range(pairs), 2)), 1)
    played = plays(movement)
    assert set(played.values()) == {1}
    missed = set(product(range(pairs), range(rounds))) - set(played)
    # Whoever sits out misses one set, and no two the same.
    assert sorted(pair for pair, _ in missed) == (list(range(pairs)) if pairs % 2 else [])
    assert len({boards for _, boards in missed}) == len(missed)


@pytest.mark.parametrize("pairs", SIZES)
def test_all_pairs_meet_and_play_every_set(pairs: int) -> None:
    check(howell(pairs), pairs)


@pytest.mark.parametrize("pairs", range(7, 42))
def test_no_set_is_at_two_tables(pairs: int) -> None:
    assert not any(sharing(howell(pairs)))


@pytest.mark.parametrize("pairs", [4, 5, 6])
def test_where_there_is_no_room_square_all_tables_share(pairs: int) -> None:
    for number, sittings in enumerate(howell(pairs)):
        assert {s.boards for s in sittings} == {number}


@pytest.mark.parametrize("pairs", range(4, 42, 2))
def test_one_pair_stays_and_the_other_pairs_follow_each_other(pairs: int) -> None:
    movement = howell(pairs)
    stays = pairs - 1
    for sittings, later in zip(movement, [*movement[1:], movement[0]], strict=True):
        for s, t in zip(sittings, later, strict=True):
            (ns, ew), (next_ns, next_ew) = s.entries, t.entries
            assert next_ns == (stays if ns == stays else (ns + 1) % stays)
            assert (t.table, next_ew) == (s.table, (ew + 1) % stays)
            assert t.boards == (s.boards + 1) % stays


@pytest.mark.parametrize("pairs", [4, 8, 12, 20])
def test_directions_are_balanced_perfectly_where_they_can_be(pairs: int) -> None:
    assert set(competition(howell(pairs), pairs)) == {-1}


@pytest.mark.parametrize("pairs", [6, 10, 14, 18, 22])
def test_directions_are_balanced_as_well_as_can_be(pairs: int) -> None:
    """-1 for all is impossible: between pairs that move it is one of -7, -3, 1, 5 ..."""
    assert set(competition(howell(pairs), pairs)) == {-3, -1, 1}


def test_four_tables_have_the_published_movement() -> None:
    """Ian McKinnon, Producing Howell movements: pairs 8-1 4-2 7-3 6-5 at tables 1 3 5 2 of
    a circle of seven, on which the boards go down a table each round; 8 stays."""
    first = [(1, 8, 1), (3, 4, 2), (5, 7, 3), (2, 6, 5)]
    tables = {1: 1, 2: 2, 3: 3, 5: 4}

    def later(pair: int, rounds: int) -> int:
        return 7 if pair == 8 else (pair - 1 + rounds) % 7

    movement = [
        [
            Sitting(tables[place], (later(ns, number), later(ew, number)), later(place, number))
            for place, ns, ew in first
        ]
        for number in range(7)
    ]
    check(movement, 8)
    assert not any(sharing(movement))
    assert set(competition(movement, 8)) == {-1}


@pytest.mark.parametrize("pairs", [-2, 0, 2, 3, LARGEST + 1])
def test_impossible_numbers_of_pairs_are_refused(pairs: int) -> None:
    with pytest.raises(ValueError, match=f"4 to {LARGEST} pairs, not {pairs}"):
        howell(pairs)
