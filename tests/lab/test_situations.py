"""What came before a call, in the words of bridge players."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.calls import PASS
from bridge_arena.lab.divergences import from_another_arm, from_the_opponent
from bridge_arena.lab.groupings import situations
from tests.lab.auctions import boards_of, finished, match_of, random_part

ONE = boards_of(1)


def situation(before: str, one: str, other: str) -> str:
    """The situation of a player who passes or makes another call."""
    made = finished(f"{before} {one}"), finished(f"{before} {other}")
    facet = situations(from_the_opponent(ONE, match_of(ONE, [made])))
    return facet.texts[int(facet.codes[0])]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", "opening in 1st seat"),
        ("P", "opening in 2nd seat"),
        ("P P", "opening in 3rd seat"),
        ("P P P", "opening in 4th seat"),
        ("1C P", "response to 1m"),
        ("P 1S P", "response to 1M"),
        ("1NT P", "response to 1NT"),
        ("2C P", "response to 2C"),
        ("2H P", "response to 2D/2H/2S"),
        ("2NT P", "response to 2NT"),
        ("4S P", "response to 3C+"),
        ("1H X", "response to 1M, doubled"),
        ("1H 1S", "response to 1M, overcalled"),
        ("1D P 1S P", "opener's rebid after 1m and a new suit"),
        ("1D P 2D P", "opener's rebid after 1m and a raise"),
        ("1D P 2NT P", "opener's rebid after 1m and notrump"),
        ("1NT P 3NT P", "opener's rebid after 1NT and a raise"),
        ("1H 1S X P", "opener's rebid after 1M and a double"),
        ("1H 1S P P", "opener's rebid after 1M and no response"),
        ("1H P 1S P 2C P", "responder's rebid after 1M"),
        ("1H P 1S P 2C P 2H P", "later, after our 1M"),
        ("1C", "over their 1m"),
        ("P P 3H", "over their 3C+"),
        ("1C P 1H", "over their 1m and a response"),
        ("1C P 1H P 1S", "over their 1m and a rebid"),
        ("1C P P", "balancing over their 1m"),
        ("1H P 2H P P", "balancing over their 1M"),
        ("1H 1S P", "after partner's overcall of their 1M"),
        ("1H P 1NT 2C P", "after partner's overcall of their 1M"),
        ("1H X P", "after partner's double of their 1M"),
        ("1H X P 1S P", "later, after their 1M"),
    ],
)
def test_a_parting_is_told_as_a_situation(before: str, expected: str) -> None:
    assert situation(before, "P", "7NT") == expected
    assert situation(before, "7NT", "P") == expected


def test_a_call_of_the_opponents_is_of_no_interest() -> None:
    first = match_of(ONE, [(finished("1C P"), finished("1C"))])
    other = match_of(ONE, [(finished("1C 1S"), finished("1C"))])
    facet = situations(from_another_arm(ONE, other, first))
    assert [facet.texts[code] for code in facet.codes] == ["a call of the opponents"]


def test_every_parting_has_a_situation() -> None:
    part = random_part(3, boards=300)
    divergences = from_the_opponent(part.boards, part.matches[0])
    facet = situations(divergences)
    for code, made, turn in zip(facet.codes, divergences.own.calls, divergences.turns, strict=True):
        is_opening = not (made[:turn] > PASS).any()
        assert facet.texts[code].startswith("opening in") == is_opening
