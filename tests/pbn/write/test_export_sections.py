"""Auctions and plays as the export format writes them."""

from __future__ import annotations

import pytest

from bridge_arena.pbn.model import Section
from bridge_arena.pbn.write.export_sections import (
    calls_of,
    cards_of,
    contract_of,
    ended,
    tokens,
)


def calls(text: str, contract: str = "?", declarer: str = "?") -> list[str]:
    made = calls_of(Section("Auction", "N", 1, tokens=text.split()))
    return tokens(ended(made, "N", contract, declarer))


def cards(text: str) -> list[str]:
    return tokens(cards_of(Section("Play", "W", 1, tokens=text.split()), "W", "W"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("- - 1NT AP", "1NT Pass Pass Pass"),
        ("1nt p 3nt", "1NT Pass 3NT *"),
        ("1NT +", "1NT +"),
        ("1NT * Pass 2C *", "1NT {*} Pass 2C *"),
        ("1NT AP *", "1NT Pass Pass Pass"),
    ],
)
def test_an_auction_is_written_in_export_form(text: str, written: str) -> None:
    assert calls(text) == written.split()


@pytest.mark.parametrize(
    ("text", "contract", "declarer", "written"),
    [
        # The tags tell what the star leaves out.
        ("1C Pass 1H", "1H", "S", "1C Pass 1H *"),
        ("1C Pass 1H X", "1H", "S", "1C Pass 1H X Pass Pass Pass"),
        ("1C Pass 1H Pass", "1H", "N", "1C Pass 1H Pass Pass Pass"),
        ("1C Pass 1H", "2H", "S", "1C Pass 1H *"),
        ("1C Pass Pass", "?", "?", "1C Pass Pass Pass"),
        ("1C Pass Pass *", "?", "?", "1C Pass Pass *"),
        ("1C Pass", "?", "?", "1C Pass *"),
        ("Pass Pass Pass", "?", "?", "Pass Pass Pass *"),
        ("Pass", "Pass", "?", "Pass *"),
        ("1C ^I 1C Pass Pass", "?", "?", "1C ^I 1C Pass Pass *"),
        ("1C +", "1C", "N", "1C +"),
    ],
)
def test_final_passes_are_written_out_in_export_form(
    text: str, contract: str, declarer: str, written: str
) -> None:
    assert calls(text, contract, declarer) == written.split()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- {late} 1NT", "a comment stands on a place before the dealer's"),
        ("1NT + 2C", "a call stands after +"),
        ("1NT 8C", "8C"),
    ],
)
def test_what_is_no_auction_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("+", r"\+")):
        calls(text)


def test_the_contract_of_an_auction_is_found() -> None:
    made = calls_of(Section("Auction", "N", 1, tokens="1C X XX 1S AP".split()))
    assert contract_of(made, "N") == ("1S", "W")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("H2 HA * H3", "something stands after"),
        (" ".join(["H2"] * 53), "more than 13 tricks"),
        ("H1", "H1"),
    ],
)
def test_what_is_no_play_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        cards(text)
