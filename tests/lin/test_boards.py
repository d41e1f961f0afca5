"""Tests of the deals, dealers and vulnerabilities of LIN files."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.lin.model import Heading, Item, Table
from bridge_arena.lin.records import meaning_of
from tests.lin.tables import HANDS, kinds, meaning, record

DEAL = Deal.parse("S:Q982.Q82.KQ763.T J643.KJ7653..AQ4 K5.A.AJT52.J9762 AT7.T94.984.K853")
SOUTH, WEST, NORTH, EAST = HANDS.split(",")


@pytest.mark.parametrize(
    "hands",
    [
        HANDS,
        f"{SOUTH},{WEST},{NORTH},",
        f"{SOUTH},{WEST},{NORTH}",
        f"{SOUTH},,{NORTH},{EAST}",
        f",{WEST},{NORTH},{EAST}",
        HANDS.lower(),
        HANDS.replace("T", "10"),
        f"C10DKQ763HQ82SQ982,{WEST},{NORTH},",
        f"{SOUTH},{WEST},{NORTH},SAT7HT94",  # the rest is East's
        HANDS.replace("S", "♠").replace("H", "♥"),
    ],
)
def test_hands_are_read_in_every_form(hands: str) -> None:
    assert record(f"md|3{hands}|ah|Board 1|sv|o|").board.deal == DEAL


@pytest.mark.parametrize(
    ("hands", "kind", "reason"),
    [
        ("", Kind.NO_DEAL, "it has no deal"),
        ("1", Kind.HIDDEN_HANDS, "N has 0 cards"),
        (f"1{SOUTH},{WEST}", Kind.HIDDEN_HANDS, "N has 0 cards"),
        (f"1SQ9xxHQ82DKQ763CT,{WEST},{NORTH}", Kind.HIDDEN_HANDS, "'x' in"),
        (f"1{SOUTH}K,{WEST},{NORTH}", Kind.IMPOSSIBLE_DEAL, "cards, not 13"),
        (f"1{SOUTH},{SOUTH},{NORTH}", Kind.IMPOSSIBLE_DEAL, "dealt twice, the second time to W"),
        (f"1{HANDS},{SOUTH}", Kind.IMPOSSIBLE_DEAL, "5 hands"),
        (f"1{'S' * 9000}", Kind.HIDDEN_HANDS, "0 cards"),
        ("1A,K,Q,J", Kind.IMPOSSIBLE_DEAL, "is not a card"),
    ],
)
def test_text_that_is_no_deal_is_refused(hands: str, kind: Kind, reason: str) -> None:
    found = meaning(f"md|{hands}|sv|o|mb|p|")
    assert (found.record, found.board) == (None, None)
    assert found.error is not None
    assert found.error.kind is kind
    assert reason in str(found.error)
    assert found.deviations[-1].kind is kind


def test_a_hand_that_is_made_full_is_named() -> None:
    assert kinds(f"md|1{SOUTH},{WEST},{NORTH},SAT7HT94|sv|o|") == [Kind.SHORT_HAND]
    assert kinds(f"md|1{SOUTH},{WEST},{NORTH},|sv|o|") == []


def test_another_table_without_a_deal_implies_none() -> None:
    table = Table("x.lin", 1, 1, Heading(), [Item("mb", "p", 1)], implied=(Item("sv", "b", 1),))
    found = meaning_of(table)
    assert found.error is not None
    assert found.error.kind is Kind.NO_DEAL


@pytest.mark.parametrize(
    ("digit", "dealer"),
    [("1", Seat.SOUTH), ("2", Seat.WEST), ("3", Seat.NORTH), ("4", Seat.EAST)],
)
def test_the_dealer_is_counted_from_south(digit: str, dealer: Seat) -> None:
    assert record(f"md|{digit}{HANDS}|sv|o|").board.dealer is dealer
    assert not kinds(f"md|{digit}{HANDS}|sv|o|")


@pytest.mark.parametrize("digit", ["", "0", "5", "99999999999999999999"])
def test_a_dealer_that_is_not_told_is_the_boards(digit: str) -> None:
    text = f"md|{digit}{HANDS}|ah|Board 2|sv|o|"
    assert record(text).board.dealer is Seat.EAST
    assert kinds(text) == [Kind.NO_DEALER]


@pytest.mark.parametrize(
    ("letter", "vulnerability"),
    [
        ("o", Vulnerability.NONE),
        ("0", Vulnerability.NONE),
        ("-", Vulnerability.NONE),
        ("N", Vulnerability.NS),
        ("e", Vulnerability.EW),
        ("b", Vulnerability.ALL),
        ("Both", Vulnerability.ALL),
    ],
)
def test_every_letter_of_a_vulnerability_is_read(letter: str, vulnerability: Vulnerability) -> None:
    assert record(f"md|1{HANDS}|sv|{letter}|").board.vulnerability is vulnerability


@pytest.mark.parametrize("told", ["", "sv||", "sv|?|"])
def test_a_vulnerability_that_is_not_told_is_the_boards(told: str) -> None:
    text = f"md|1{HANDS}|ah|Board 15|{told}"
    assert record(text).board.vulnerability is Vulnerability.NS
    assert kinds(text) == [Kind.NO_DEALER]


@pytest.mark.parametrize(
    ("tags", "number"),
    [
        ("ah|Board 15|", 15),
        ("ah|15|", 15),
        ("ah|Donne 7 (Final 2)|ah|Board 8|", 8),
        ("qx|o1|ah|Board 7|", 7),
        ("qx|c23|", 23),
        ("qx|o007|", 7),
        ("qx|12, Board 12|", 12),
        ("qx|o2|ah|Board|", 2),
        ("ah|Board 0|", 1),
        ("ah|Board 99999999999999999999|", 1),
        ("qx|o99999999999999999999|", 1),
        ("ah|Board ²|", 1),
    ],
)
def test_numbers_of_boards_are_read(tags: str, number: int) -> None:
    assert record(f"{tags}md|1{HANDS}|sv|o|").board.number == number


def test_names_of_another_count_are_named() -> None:
    text = f"pn|a,b,c|md|1{HANDS}|sv|o|"
    assert record(text).players == ("c", "", "a", "b")
    assert kinds(text) == [Kind.PLAYERS]
    for above in ("pn|a,b,c|pg||", "pw|a,b,c|"):
        text = f"{above}qx|o1|md|1{HANDS}|sv|o|"
        assert record(text).players == ("c", "", "a", "b")
        assert kinds(text) == [Kind.PLAYERS]


def test_names_that_others_replace_are_named() -> None:
    text = f"pn|a,b,c,d|pn|A,B,C,D|md|1{HANDS}|sv|o|"
    assert record(text).players == ("C", "D", "A", "B")
    assert kinds(text) == [Kind.PLAYERS]
    assert kinds(text.lower()) == []
