"""Explanations: what a call promises."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.explanation import Explanation, Range


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
