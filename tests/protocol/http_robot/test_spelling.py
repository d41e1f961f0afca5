"""The spelling of auctions, cards, hands and vulnerabilities, as the interface has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import CALLS, PASS, Call
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.protocol.http_robot.position import (
    read_call,
    read_calls,
    read_cards,
    read_hand,
    read_vulnerability,
    write_calls,
    write_cards,
)

calls = st.sampled_from(CALLS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("P", "Pass"),
        ("--", "Pass"),
        ("PASS", "Pass"),
        ("XX", "XX"),
        ("1NT", "1NT"),
        ("1C--1S", "1C Pass 1S"),
        ("----1NDbRd", "Pass Pass 1NT X XX"),
        ("1C1S", "1C 1S"),
        ("P-1S-P-3N-P-P-P", "Pass 1S Pass 3NT Pass Pass Pass"),
        ("p-1s-x-xx-pass", "Pass 1S X XX Pass"),
        ("1N-Db-Rd", "1NT X XX"),
        ("1CPa1S", "1C Pass 1S"),
        ("1C -- 1S -- 3N", "1C Pass 1S Pass 3NT"),
        ("1C P 1S", "1C Pass 1S"),
    ],
)
def test_every_form_of_an_auction_is_read(text: str, expected: str) -> None:
    assert " ".join(map(str, read_calls(text))) == expected


@given(st.lists(calls, max_size=20))
def test_auctions_read_as_they_were_written(given_calls: list[Call]) -> None:
    text = write_calls(given_calls)
    assert read_calls(text) == given_calls
    assert ("--" in text) is (given_calls == [PASS])


@pytest.mark.parametrize("text", ["8C", "1", "1Z", "1C-", "-1C", "1C--1", "1C Q", "Äß", "NT"])
def test_text_that_is_no_auction_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_calls(text)


@pytest.mark.parametrize("text", ["", "0C", "1CX", "pass pass"])
def test_text_that_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_call(text)


def test_cards_have_the_suit_first() -> None:
    assert list(map(str, read_cards("DJDKhtC2"))) == ["DJ", "DK", "HT", "C2"]


@given(st.lists(st.sampled_from(CARDS), unique=True))
def test_cards_read_as_they_were_written(cards: list[Card]) -> None:
    assert read_cards(write_cards(cards)) == cards


@pytest.mark.parametrize("text", ["D", "DJD", "JD", "S1", "D10"])
def test_text_that_is_no_cards_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_cards(text)


@pytest.mark.parametrize(
    "text",
    [
        "AK97543..K.AK752",
        "AK97543__K_AK752",
        "AK97543.-.K.AK752",
        "ak97543._.k.ak752",
        "SAK97543.H.DK.CAK752",
        "S:AK97543 D:K C:AK752",
        "♠AK97543♥♦K♣AK752",
        "AK97543 - K AK752",
    ],
)
def test_a_hand_is_read_in_every_form_that_a_deal_may_have(text: str) -> None:
    assert read_hand(text) == Hand.parse("AK97543..K.AK752")


def test_ten_may_be_10_and_a_dot_too_much() -> None:
    expected = Hand.parse("AK97543.K.T3.AK7")
    assert read_hand("AK97543.K.103.AK7.") == read_hand("AK97543..K.T3.AK7") == expected


def test_small_cards_must_be_known() -> None:
    with pytest.raises(NotationError, match="'x' in hand"):
        read_hand("AKxxxxx.K.T3.AK7")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Vulnerability.NONE),
        ("None", Vulnerability.NONE),
        ("NS", Vulnerability.NS),
        ("ew", Vulnerability.EW),
        ("N-S", Vulnerability.NS),
        ("e-w", Vulnerability.EW),
        ("Both", Vulnerability.ALL),
        ("All", Vulnerability.ALL),
    ],
)
def test_every_form_of_a_vulnerability_is_read(text: str, expected: Vulnerability) -> None:
    assert read_vulnerability(text) is expected


def test_the_old_form_of_a_vulnerability_is_not_guessed_at() -> None:
    with pytest.raises(NotationError):
        read_vulnerability("@v@V")
