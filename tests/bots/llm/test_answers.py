"""Tests of how a model's answer is read: as what it names, never as a guess."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.llm.answers import UnreadableError, read_call, read_card
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import CARDS, Card, Suit

PROSE = st.text(st.characters(exclude_characters=":=\r")).map(lambda text: text.replace("«", ""))


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("CALL: 1NT", "1NT"),
        ("I like notrump.\nIt is 3NT or 4S.\n\nCALL: 4S\n", "4S"),
        ("**CALL:** 1nt", "1NT"),
        ("**CALL: Pass.**", "Pass"),
        ("call = `2♥`", "2H"),
        ("CALL: **1♠\N{VARIATION SELECTOR-16}**", "1S"),
        ("CALL: 3 no trump", "3NT"),
        ("CALL: 1 Spade", "1S"),
        ("CALL: 2 diamonds", "2D"),
        ("CALL: 6N", "6NT"),
        ("CALL: double", "X"),
        ("CALL: Redouble", "XX"),
        ("CALL: p", "Pass"),
        ("CALL: 1C\nCALL: 1♣", "1C"),
        ("  7NT  ", "7NT"),
    ],
)
def test_a_call_is_read_from_an_answer(text: str, call: str) -> None:
    assert read_call(text).call == Call(call)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("CARD: SA", "SA"),
        ("The ace of spades wins.\n> CARD: ♠A", "SA"),
        ("CARD: 10♥", "HT"),
        ("CARD: ♥\N{VARIATION SELECTOR-16}10", "HT"),
        ("CARD: AS", "SA"),
        ("CARD: d10", "DT"),
        ("C2", "C2"),
    ],
)
def test_a_card_is_read_from_an_answer(text: str, card: str) -> None:
    assert read_card(text) == Card(card)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names no call"),
        ("I'm sorry, I can't help with gambling.", "names no call"),
        ("I would bid 1NT.\nOr pass.", "no line CALL"),
        ("CALL: 1NT\nOn reflection:\nCALL: 2NT", "more than one call"),
        ("CALL: 1NT or Pass", "names no call"),
        ("CALL: 8NT", "names no call"),
        ("CALL: 1", "names no call"),
        ("CARD: SA\nthat is it", "no line CALL"),
        ("CALL:", "names no call"),
        ('{"call": "1NT"}', "names no call"),
    ],
)
def test_what_is_not_clear_is_unreadable(text: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        read_call(text)


@pytest.mark.parametrize("text", ["CARD: S", "CARD: SAK", "CARD: S1", "CARD: 3NT", "CARD: TT"])
def test_what_is_no_card_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError, match="names no card"):
        read_card(text)


def test_a_meaning_and_an_alert_are_read_from_an_answer() -> None:
    made = read_call("MEANS: transfer [S 5-13, artificial]\nALERT: yes\nCALL: 2H")
    assert made.alert
    assert made.explanation is not None
    assert made.explanation.text == "transfer"
    assert made.explanation.lengths == {Suit.SPADES: (5, 13)}
    assert made.explanation.artificial


def test_a_meaning_that_promises_the_impossible_is_only_text() -> None:
    made = read_call("MEANS: 99 points [hcp 99-99]\nALERT: no\nCALL: 2C")
    assert made.explanation is not None
    assert (made.explanation.text, made.explanation.hcp) == ("99 points [hcp 99-99]", None)
    assert not made.alert


def test_a_meaning_is_one_short_line() -> None:
    made = read_call(f"MEANS: \x1b[31m{'x' * 9999}\nCALL: 2C")
    assert made.explanation is not None
    assert made.explanation.text.isprintable()
    assert len(made.explanation.text) == 500


@given(PROSE, st.sampled_from(CALLS))
def test_prose_before_the_line_changes_nothing(prose: str, call: Call) -> None:
    assert read_call(f"{prose}\nCALL: {call}").call == call


@given(PROSE, st.sampled_from(CARDS))
def test_prose_before_a_card_changes_nothing(prose: str, card: Card) -> None:
    assert read_card(f"{prose}\nCARD: {card}") == card


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_call, read_card):
        with suppress(UnreadableError):
            read(text)


@pytest.mark.parametrize(("begin", "rest"), [("", "\n"), ("", "  "), ("CALL", " *"), ("", "> ")])
def test_no_answer_takes_long_to_read(begin: str, rest: str) -> None:
    """A pattern that tries every line end anew would take hours."""
    text = begin + rest * 500_000
    for answer in (text, f"{text}\nhm"):
        with pytest.raises(UnreadableError):
            read_call(answer)
