"""Seats, sides and vulnerability."""

import pytest

from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import SEATS, SIDES, Seat, Side, Vulnerability


def test_seats_go_clockwise_from_north() -> None:
    assert "".join(map(str, SEATS)) == "NESW"
    assert [seat.next for seat in SEATS] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    assert all(seat.next.previous is seat for seat in SEATS)


def test_partners_sit_opposite_and_form_a_side() -> None:
    assert [seat.partner for seat in SEATS] == [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST]
    assert [seat.side for seat in SEATS] == [Side.NS, Side.EW, Side.NS, Side.EW]


def test_each_side_has_another_and_a_name() -> None:
    assert [side.other for side in SIDES] == [Side.EW, Side.NS]
    assert [str(side) for side in SIDES] == ["NS", "EW"]


@pytest.mark.parametrize("text", ["S", "s", "South", "SOUTH", "south"])
def test_seats_are_read_as_letter_or_word(text: str) -> None:
    assert Seat.parse(text) is Seat.SOUTH


@pytest.mark.parametrize("text", ["", "X", "NS", "Nor", "Southwest", " N"])
def test_text_that_is_no_seat_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a seat"):
        Seat.parse(text)


@pytest.mark.parametrize(
    ("text", "vulnerability"),
    [
        ("None", Vulnerability.NONE),
        ("Love", Vulnerability.NONE),
        ("-", Vulnerability.NONE),
        ("ns", Vulnerability.NS),
        ("EW", Vulnerability.EW),
        ("All", Vulnerability.ALL),
        ("BOTH", Vulnerability.ALL),
    ],
)
def test_vulnerability_is_read_with_its_synonyms(text: str, vulnerability: Vulnerability) -> None:
    assert Vulnerability.parse(text) is vulnerability
    assert Vulnerability.parse(str(vulnerability)) is vulnerability


def test_text_that_is_no_vulnerability_is_refused() -> None:
    with pytest.raises(NotationError, match="is not a vulnerability"):
        Vulnerability.parse("N")


def test_a_vulnerability_includes_its_sides() -> None:
    assert {
        vulnerability.value: [str(side) for side in SIDES if vulnerability.includes(side)]
        for vulnerability in Vulnerability
    } == {"None": [], "NS": ["NS"], "EW": ["EW"], "All": ["NS", "EW"]}
