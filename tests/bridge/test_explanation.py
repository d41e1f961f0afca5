"""Explanations: what a call promises."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.explanation import Explanation, Range, read_words, with_signs, with_symbols


def ranges(top: int) -> st.SearchStrategy[Range]:
    pairs = st.tuples(st.integers(0, top), st.integers(0, top))
    return pairs.map(lambda pair: (min(pair), max(pair)))


lines = st.text(st.characters(exclude_characters="[]\n"))
explanations = st.builds(
    Explanation,
    text=lines,
    hcp=st.none() | ranges(37),
    lengths=st.dictionaries(st.sampled_from(SUITS), ranges(13)),
    forcing=st.booleans(),
    artificial=st.booleans(),
)

STRONG_NOTRUMP = Explanation("strong notrump", (15, 17), {Suit.CLUBS: (2, 5), Suit.SPADES: (2, 5)})


@pytest.mark.parametrize(
    ("explanation", "line"),
    [
        (STRONG_NOTRUMP, "strong notrump [hcp 15-17, S 2-5, C 2-5]"),
        (Explanation("Stayman", forcing=True, artificial=True), "Stayman [forcing, artificial]"),
        (Explanation(lengths={Suit.HEARTS: (5, 13)}), "[H 5-13]"),
        (Explanation("to play"), "to play"),
        (Explanation(), ""),
    ],
)
def test_an_explanation_has_a_form_of_one_line(explanation: Explanation, line: str) -> None:
    assert str(explanation) == line
    assert Explanation.parse(line) == explanation


@pytest.mark.parametrize(
    "line",
    [
        "natural [sort of]",
        "[hcp 17-15]",
        "[hcp 15-99]",
        "[hcp 15+]",
        "[X 2-5]",
        "[forcing, perhaps]",
        "[forcing] for one round",
        "[]",
    ],
)
def test_any_other_line_is_text(line: str) -> None:
    assert Explanation.parse(line) == Explanation(line)


@given(explanations)
def test_explanations_round_trip(explanation: Explanation) -> None:
    assert Explanation.parse(str(explanation)) == explanation
    assert pickle.loads(pickle.dumps(explanation)) == explanation


@given(explanations)
def test_equal_explanations_hash_alike(explanation: Explanation) -> None:
    assert hash(Explanation.parse(str(explanation))) == hash(explanation)


@given(st.text())
def test_any_line_can_be_read(line: str) -> None:
    Explanation.parse(line)


@pytest.mark.parametrize("hcp", [(-1, 5), (10, 9), (30, 38)])
def test_an_impossible_point_range_is_refused(hcp: Range) -> None:
    with pytest.raises(NotationError, match="is not a range within 0 to 37"):
        Explanation(hcp=hcp)


@pytest.mark.parametrize("length", [(-1, 5), (5, 4), (10, 14)])
def test_an_impossible_length_is_refused(length: Range) -> None:
    with pytest.raises(NotationError, match=r"length in H .* is not a range within 0 to 13"):
        Explanation(lengths={Suit.HEARTS: length})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("AKQ2.K32.QJ2.K32", False),  # 18 points
        ("AKQ2.K32.QJ2.Q32", True),  # 17
        ("AKQ2.K32.QJ2.432", True),  # 15
        ("AK32.K32.QJ2.J32", False),  # 14
        ("A.KQ432.KQJ2.432", False),  # one spade
    ],
)
def test_a_hand_keeps_the_ranges_it_lies_in(text: str, kept: bool) -> None:  # noqa: FBT001
    assert STRONG_NOTRUMP.holds_for(Hand.parse(text)) == kept


def test_nothing_promised_is_always_kept() -> None:
    assert Explanation("anything", forcing=True).holds_for(Hand.parse("5432.432.432.432"))


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
