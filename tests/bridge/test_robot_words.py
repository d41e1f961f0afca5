"""Explanations in the words of robots: the ranges in them, and the suits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Explanation, Range
from bridge_arena.bridge.robot_words import read_words, with_signs, with_symbols
from tests.bridge.test_explanation import explanations

C, D, H, S = Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES


@pytest.mark.parametrize(
    ("line", "hcp", "lengths"),
    [
        ("5+ !S -- 5+!S; 11-20 HCP; Forcing; Artificial", (11, 20), {S: (5, 13)}),
        ("5+ !S; 11-20 HCP; Forcing", (11, 20), {S: (5, 13)}),
        (
            "Splinter -- 1-!D; 6-!H; 5-6!S; 14-20 HCP",
            (14, 20),
            {D: (0, 1), H: (0, 6), S: (5, 6)},
        ),
        ("Minor suit opening -- 3+ !C; 11-21 HCP; 12-22 total points", (11, 21), {C: (3, 13)}),
        ("5 !s; 9 hcp", (9, 9), {S: (5, 5)}),
        ("11+ HCP", (11, 37), {}),
        ("No suitable call -- 11- HCP", (0, 11), {}),
        ("12 - 14 HCP; 2-3 !H; 2+ !H", (12, 14), {H: (2, 3)}),
        ("3-5!H 1+!C; Slam Try", None, {H: (3, 5), C: (1, 13)}),
        ("4+♥, 4+♠", None, {H: (4, 13), S: (4, 13)}),
        ("Weak two (5-10 hcp)", (5, 10), {}),
        ("transfer to !S, 4-5 !H -- 5+!S", None, {S: (5, 13)}),
        ("5+ !S -- Forcing", None, {S: (5, 13)}),
        ("15-99 HCP", (15, 37), {}),
    ],
)
def test_ranges_among_words_are_read(
    line: str, hcp: Range | None, lengths: dict[Suit, Range]
) -> None:
    told = read_words(line)
    assert (told.hcp, told.lengths) == (hcp, lengths)
    assert told.text == with_symbols(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "stop in !D",
        "no !S",
        "16- total points",
        "4-5 !S or 6+ !H",
        "not 5+ !S",
        "Blackwood 0314, for !H",
        "limit raise or better in !S",
        "0-37 HCP; 0-13 !S",
        "20-11 HCP; 7-5 !S",
        "5+ !S; 4- !S",
        "non-forcing",
        "17 pts",
        "114 HCP",
        "40+ HCP",
        "rebiddable !D",
    ],
)
def test_other_words_promise_nothing(line: str) -> None:
    assert read_words(line) == Explanation(with_symbols(line))


@pytest.mark.parametrize(
    ("line", "forcing", "artificial"),
    [
        ("5+!S; Forcing; Artificial", True, True),
        ("3+ !C; forcing to 3N", True, False),
        ("Artificial; not forcing", False, True),
        ("Stayman -- Artificial; Forcing", True, True),
    ],
)
def test_forcing_and_artificial_are_read(line: str, forcing: bool, artificial: bool) -> None:  # noqa: FBT001
    told = read_words(line)
    assert (told.forcing, told.artificial) == (forcing, artificial)


def test_suits_are_symbols() -> None:
    assert read_words("Stayman, no !h or !S").text == "Stayman, no ♥ or ♠"
    assert read_words("limit in !S [hcp 10-12]") == Explanation("limit in ♠", (10, 12))
    assert with_signs("5+ ♠ & 4♦") == "5+ !S & 4!D"


@given(explanations)
def test_an_explanation_in_its_own_form_is_read_as_that(explanation: Explanation) -> None:
    if str(explanation) != explanation.text:
        told = Explanation.parse(str(explanation))
        assert read_words(str(explanation)) == replace(told, text=with_symbols(told.text))


ROBOTS = st.lists(
    st.sampled_from(["5+", "3-", "4-5", "12", "!S", "!d", "♥", "HCP", "hcp", "Forcing", "to"])
    | st.sampled_from([" -- ", "; ", " ", ", ", "(", ")", "or", "-", "99", "\n", "[hcp 9-8]"])
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@given(ROBOTS)
def test_any_line_is_an_explanation(line: str) -> None:
    told = read_words(line)
    assert str(told).startswith(with_symbols(told.text))
