"""Tag values."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.pbn.values import (
    parse_contract,
    parse_deal,
    parse_declarer,
    parse_score,
    parse_tricks,
    parse_vulnerability,
    text_of,
    value_of,
)

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"


@pytest.mark.parametrize(
    ("value", "east"),
    [
        ("9", 9),
        ("^9", 9),
        ("EW 9", 9),
        ("NS 4", 9),
        ("NS 4 EW 9", 9),
        ("EW 9 NS 4", 9),
        ("^ew 9", 9),
        ("?", None),
        ("", None),
    ],
)
def test_results_are_read_in_every_form(value: str, east: int | None) -> None:
    assert parse_tricks(value, Seat.EAST) == east


@pytest.mark.parametrize(
    "value", ["14", "-1", "+1", "=", "NS +9", "x", "NS", "9 tricks", "NS 9 EW", "AB 9", "++1"]
)
def test_text_that_is_no_result_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_tricks(value, Seat.EAST)


@pytest.mark.parametrize(("value", "tricks"), [("+2", 12), ("=", 10), ("-3 ", 7), ("-10", 0)])
def test_results_against_the_contract_are_read(value: str, tricks: int) -> None:
    assert parse_tricks(value, None, 4) == tricks


@pytest.mark.parametrize("value", ["+4", "-11", "=1", "+x", "NS +1"])
def test_text_that_is_no_result_against_the_contract_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_tricks(value, Seat.EAST, 4)


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("420", -420),
        ("+420", -420),
        ("-50", 50),
        ("NS -420", -420),
        ("EW 420", -420),
        ("NS-50", -50),
        ("NS -420 EW 420", -420),
        ("EW 600 NS 50", 50),
        ("?", None),
    ],
)
def test_scores_are_read_in_every_form(value: str, score: int | None) -> None:
    assert parse_score(value, Seat.EAST) == score


def test_a_score_needs_a_side() -> None:
    assert parse_score("0", None) == 0
    with pytest.raises(ValueError, match="whose score"):
        parse_score("50", None)
    with pytest.raises(ValueError, match="declarer"):
        parse_tricks("NS 4", None)


@pytest.mark.parametrize(
    ("value", "word"),
    [("None ", "None"), ("LOVE", "None"), ("-", "None"), ("N-S ", "NS"), ("Both", "All")],
)
def test_every_word_for_a_vulnerability_is_read(value: str, word: str) -> None:
    assert parse_vulnerability(value) == Vulnerability(word)


@pytest.mark.parametrize(
    ("value", "contract"),
    [
        ("4S", "4S"),
        ("3n", "3NT"),
        ("3NX", "3NTX"),
        ("5Cx", "5CX"),
        ("1NTXX", "1NTXX"),
        ("1ntx", "1NTX"),
        ("4SR", "4SXX"),
    ],
)
def test_contracts_are_read_in_every_form(value: str, contract: str) -> None:
    assert str(parse_contract(value, Seat.WEST)) == contract


@pytest.mark.parametrize("value", ["", "?", "-", "Pass", "pass", "All Pass", "PASSED"])
def test_words_for_no_contract_are_read(value: str) -> None:
    assert parse_contract(value, None) is None


def test_declarers_are_read_with_signs_and_without() -> None:
    assert parse_declarer("^S") == Seat.SOUTH
    assert parse_declarer("?") is None
    assert parse_declarer("-") is parse_declarer("Pass") is None


def test_deals_are_read_in_loose_forms() -> None:
    assert str(parse_deal(DEAL)) == DEAL
    loose = DEAL.replace("A9732", "79A23").replace("KQT2", "kq102")
    assert str(parse_deal(f" {loose} ")) == DEAL


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "missing"),
        ("?", "missing"),
        ("N:AKQ.AKQ.AKQ.AKQJ - - -", "hidden hands"),
        (DEAL.replace("A9732", "A973"), "N has 12 cards"),
        (DEAL.replace("KQT2", "KQT4"), "S4 is dealt twice"),
        ("N:x", "not a deal"),
    ],
)
def test_text_that_is_no_deal_is_refused(value: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_deal(value)


@pytest.mark.parametrize("text", ["", "Ann", "#", "##x", "a#", " b "])
def test_any_text_comes_back_from_its_value(text: str) -> None:
    assert text_of(value_of(text)) == text
    assert not value_of(text).startswith("#")
