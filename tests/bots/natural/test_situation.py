"""Tests of auctions as bidders write them, and of patterns over them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.natural.situation import (
    FIXED,
    MAJORS,
    MINORS,
    Pattern,
    notation,
    outline,
)
from bridge_arena.bridge.calls import Call

SUIT = FIXED


def written(calls: str) -> str:
    return notation([Call(text) for text in calls.split()]).strip()


@pytest.mark.parametrize(
    ("calls", "text"),
    [
        ("", ""),
        ("Pass Pass Pass", ""),
        ("1H Pass", "1H"),
        ("1H", "(1H)"),
        ("Pass 1H Pass", "1H"),
        ("1H 2C", "1H (2C)"),
        ("1H 2C X Pass", "1H (2C) X"),
        ("1H Pass Pass", "(1H) P"),
        ("1H 2C Pass Pass", "1H (2C) P"),
        ("1H Pass 1S 2C", "1H 1S (2C)"),
        ("1D X Pass", "(1D) X"),
        ("1D X XX", "(1D) X (XX)"),
        ("1D Pass Pass X Pass", "(1D) X"),  # the pass before the double is left out
        ("1D Pass 1H Pass Pass", "(1D) P (1H) P"),
        ("1NT Pass 2D Pass 2H Pass", "1NT 2D 2H"),
        ("1D Pass 1H 2C Pass Pass", "1D 1H (2C) P"),
    ],
)
def test_auctions_are_written_in_the_notation_of_bidders(calls: str, text: str) -> None:
    assert written(calls) == text


class TestPattern:
    def letters(self, pattern: str, auction: str) -> dict[str, str] | None:
        suits = Pattern(pattern).match(f"{auction} " if auction else "")
        return None if suits is None else {name: suit.letter for name, suit in suits.items()}

    def test_calls_stand_for_themselves(self) -> None:
        assert self.letters("1NT 2C", "1NT 2C") == {}
        assert self.letters("1NT 2C", "1NT 2D") is None
        assert self.letters("1NT", "1NT 2C") is None
        assert self.letters("1H (X) XX", "1H (X) XX") == {}
        assert self.letters("1H (2C) P", "1H (2C) P") == {}

    def test_a_pattern_may_stand_for_no_calls_yet(self) -> None:
        assert self.letters("", "") == {}
        assert self.letters("", "1C") is None

    def test_a_pattern_tells_calls_of_the_two_sides_apart(self) -> None:
        assert self.letters("1H", "(1H)") is None
        assert self.letters("(1H)", "(1H)") == {}

    def test_letters_are_bound(self) -> None:
        assert self.letters("1x 1y", "1D 1S") == {"x": "D", "y": "S"}
        assert self.letters("1M 2M", "1H 2H") == {"M": "H", "O": "S"}
        assert self.letters("1M 2M", "1H 2S") is None
        assert self.letters("1m", "1D") == {"m": "D", "o": "C"}
        assert self.letters("1M", "1D") is None
        assert self.letters("1m", "1H") is None

    def test_letters_stand_for_different_suits(self) -> None:
        assert self.letters("1x 2y", "1D 2D") is None
        assert self.letters("1M 2x", "1H 2H") is None

    def test_a_pattern_may_stand_for_any_calls(self) -> None:
        for auction in ("", "1C", "1C (1D) X (XX) P"):
            assert self.letters("*", auction) == {}
        assert self.letters("1C *", "1C 1D 1H") == {}
        assert self.letters("1C *", "1D 1C 1H") is None
        assert self.letters("* 4NT", "1H 3H 4NT") == {}

    @pytest.mark.parametrize(
        ("pattern", "kind"),
        [
            ("", ""),
            ("1NT  2C", "1NT 2? "),
            ("1M (2y) X", "1? (2?) X "),
            ("(1x) P (1NT) P", "(1?) P (1NT) P "),
            ("*", None),
            ("1C *", None),
        ],
    )
    def test_the_outline_of_a_pattern_is_its_calls_without_suits(
        self, pattern: str, kind: str | None
    ) -> None:
        assert Pattern(pattern).outline == kind

    @given(st.data())
    def test_a_pattern_fits_auctions_of_its_outline_only(self, data: st.DataObject) -> None:
        """Write a pattern over an auction by putting letters for some of its suits."""
        strains = st.sampled_from([*"CDHS", "NT"])
        bids = st.builds("{}{}".format, st.integers(1, 7), strains)
        words = bids | st.sampled_from(["P", "X"]) | st.builds("({})".format, bids)
        auction = "".join(f"{word} " for word in data.draw(st.lists(words, max_size=5)))
        written = {
            suit: data.draw(st.sampled_from([suit, letter]))
            for suit, letter in zip("CDHS", "xyzM", strict=True)
        }
        pattern = Pattern("".join(written.get(letter, letter) for letter in auction))
        assert pattern.match(auction) is not None
        assert pattern.outline == outline(auction)

    @pytest.mark.parametrize("text", ["8C", "1Q", "1H 2", "(1H", "1H)", "Pass", "1H()"])
    def test_what_is_no_call(self, text: str) -> None:
        with pytest.raises(ValueError, match="is not a call"):
            Pattern(text)

    def test_the_names_of_suits(self) -> None:
        assert [SUIT[letter].letter for letter in "CDHS"] == list("CDHS")
        assert [suit.letter for suit in MAJORS] == ["H", "S"]
        assert [suit.letter for suit in MINORS] == ["C", "D"]
