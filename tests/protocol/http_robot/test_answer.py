"""Answers of robots: what is read of them, whatever they are, and what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import CARDS, Card, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.http_robot.answer import (
    complaint,
    player_number,
    read_bid,
    read_card,
    read_thinking,
    write_bid,
    write_card,
    write_details,
    write_meanings,
)
from bridge_arena.protocol.http_robot.position import AnswerError
from bridge_arena.protocol.messages import MOST_CANDIDATES, Thinking
from bridge_arena.protocol.types import TEXT_LIMIT, WireExplanation

MEANINGS = st.builds(
    Explanation,
    st.text("abc hearts, 15+", max_size=40).map(lambda text: " ".join(["a", *text.split()])),
    st.none() | st.just((15, 17)),
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "bid card call alert explanation candidates samples who insta_score "
                "expected_score message error".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(st.builds(MadeCall, st.sampled_from(CALLS), st.booleans(), st.none() | MEANINGS))
def test_a_call_reads_as_it_was_written(made: MadeCall) -> None:
    assert read_bid(json.loads(json.dumps(write_bid(made, "us")))) == made


def test_ranges_in_the_words_of_an_explanation_are_read() -> None:
    words = "5+ !S -- 5+!S;  11-20 HCP; Forcing; Artificial"
    meant = read_bid({"bid": "1S", "alert": "True", "explanation": words}).explanation
    assert meant == Explanation(
        "5+ ♠ -- 5+♠; 11-20 HCP; Forcing; Artificial",
        (11, 20),
        {Suit.SPADES: (5, 13)},
        forcing=True,
        artificial=True,
    )


@given(st.sampled_from(CARDS))
def test_a_card_reads_as_it_was_written(card: Card) -> None:
    assert read_card(write_card(card, "us")) == card


@pytest.mark.parametrize("text", ["PASS", "Pass", "P", "--", " pass "])
def test_every_word_for_a_pass_is_read(text: str) -> None:
    assert read_bid({"bid": text}) == MadeCall(Call("Pass"))


@pytest.mark.parametrize("alert", ["True", "true", True])
def test_every_word_for_an_alert_is_read(alert: object) -> None:
    assert read_bid({"bid": "2C", "alert": alert}).alert


@pytest.mark.parametrize("alert", ["False", "", None, 1, "no", ["True"]])
def test_every_word_for_no_alert_is_read(alert: object) -> None:
    assert not read_bid({"bid": "2C", "alert": alert}).alert


def test_a_meaning_is_cut_to_what_can_be_sent() -> None:
    meaning = read_bid({"bid": "2C", "explanation": "a\x00b\n" + "x" * 10_000}).explanation
    assert meaning is not None
    assert meaning.text.startswith("a b x")
    assert len(meaning.text) == TEXT_LIMIT


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([], "expected a JSON object, received list"),
        (None, "expected a JSON object, received NoneType"),
        ({}, "the answer has no bid"),
        ({"bid": None}, "the answer has no bid"),
        ({"bid": 7}, "the answer has no bid"),
        ({"bid": "9C"}, "bid '9C' makes no sense"),
        ({"bid": "x" * 99}, "bid 'xxxxxxxxxxxxxxxxxxxx' makes no sense"),
        ({"message": "Bidding is over"}, "Bidding is over"),
        ({"error": "Hand is missing"}, "Hand is missing"),
    ],
)
def test_answers_without_a_call_are_refused(answer: object, words: str) -> None:
    with pytest.raises(AnswerError, match=words):
        read_bid(answer)


def test_a_message_in_place_of_a_card_is_told() -> None:
    with pytest.raises(AnswerError, match="Called as dummy or with wrong dealer / seat"):
        read_card({"message": "Called as dummy or with wrong dealer / seat"})


@given(JSON)
def test_whatever_is_answered_is_a_decision_or_an_error(answer: Any) -> None:
    complaints = [complaint(answer)]
    for read in (read_bid, read_card):
        try:
            read(answer)
        except AnswerError as error:
            complaints.append(str(error))
    thinking = read_thinking(answer)
    # It can be sent as it is.
    assert Thinking.model_validate(thinking.model_dump()) == thinking
    assert all(text.isprintable() for text in complaints)


def test_candidates_are_measured_alike() -> None:
    """By the first measure that all of them have."""
    rows = [
        {"call": "PASS", "insta_score": 0.2},
        {"call": "1S", "insta_score": 0.7, "expected_score": 110},
    ]
    assert read_thinking({"candidates": rows}).candidates == {"1S": 0.7, "Pass": 0.2}
    rows[0]["expected_score"] = -20
    assert read_thinking({"candidates": rows}).candidates == {"1S": 110.0, "Pass": -20.0}


def test_more_of_a_measure_is_better() -> None:
    """The tricks of a lead are declarer's."""
    rows = [
        {"card": "H2", "insta_score": 0.1, "expected_tricks_dd": 9.5, "p_make_contract": 0.2},
        {"card": "SK", "insta_score": 0.6, "expected_tricks_dd": 8.1, "p_make_contract": 0.7},
    ]
    assert read_thinking({"candidates": rows}).candidates == {"SK": 0.6, "H2": 0.1}
    for row, score in zip(rows, (-420, 50), strict=True):
        row["expected_score_dd"] = score
    assert read_thinking({"candidates": rows}).candidates == {"SK": 50.0, "H2": -420.0}


def test_candidates_that_cannot_be_compared_are_left_out() -> None:
    rows = [{"card": "CA", "expected_score_dd": 91}, {"card": "C2"}, {"card": "ZZ"}, 5]
    assert read_thinking({"candidates": rows}).candidates == {}


def test_a_flood_of_candidates_is_cut() -> None:
    rows = [{"card": str(card), "insta_score": int(card)} for card in CARDS]
    assert len(read_thinking({"candidates": rows * 50}).candidates) == MOST_CANDIDATES


def test_remarks_of_a_robot_on_its_decision_are_read() -> None:
    thinking = read_thinking({"who": "NN", "quality": 0.9, "samples": ["a", "b", "c"]})
    assert (thinking.text, thinking.layouts) == ("who NN; quality 0.9", 3)


def test_candidates_of_ours_read_as_theirs() -> None:
    calls = Thinking(candidates={"3NT": 0.6, "Pass": 0.4})
    cards = Thinking(candidates={"SA": 9.5})
    assert write_details([Thinking(text="words"), calls])["candidates"][0] == {
        "call": "3N",
        "insta_score": 0.6,
    }
    for told in (calls, cards):
        assert read_thinking(write_details([told])).candidates == told.candidates
    assert write_details([Thinking(text="words")]) == {"candidates": [], "samples": []}


def test_players_are_numbered_from_declarer_s_left() -> None:
    numbers = [player_number(seat, Seat.SOUTH) for seat in (Seat.WEST, Seat.NORTH, Seat.EAST)]
    assert [*numbers, player_number(Seat.SOUTH, Seat.SOUTH)] == [0, 1, 2, 3]


@given(st.lists(MEANINGS, min_size=1, max_size=4))
def test_meanings_are_those_of_the_protocol(meanings: list[Explanation]) -> None:
    """A program reads them as it reads the explanation of a call at a table."""
    auction = Auction(Seat.SOUTH, list(map(Call, ["Pass", "1NT", "X", "XX"]))[: len(meanings)])
    told = write_meanings(auction, meanings, "me")
    assert [each["call"] for each in told["calls"]] == ["PASS", "1N", "X", "XX"][: len(meanings)]
    assert "".join(each["seat"] for each in told["calls"]) == "SWNE"[: len(meanings)]
    read = TypeAdapter(WireExplanation).validate_python
    assert [read(each) for each in told["calls"]] == meanings
    assert Explanation.parse(told["explanation"]) == meanings[-1]
