"""The values of the game as they travel."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from pydantic import TypeAdapter, ValidationError

from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import CARDS, Card, Deal, Hand, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.types import (
    WireCall,
    WireCard,
    WireDeal,
    WireExplanation,
    WireHand,
    WireInt,
    WireSeat,
    WireVulnerability,
)
from tests.protocol.strategies import DEALS, EXPLANATIONS

SEAT: TypeAdapter[Any] = TypeAdapter(WireSeat)
VULNERABILITY: TypeAdapter[Any] = TypeAdapter(WireVulnerability)
CALL: TypeAdapter[Any] = TypeAdapter(WireCall)
CARD: TypeAdapter[Any] = TypeAdapter(WireCard)
HAND: TypeAdapter[Any] = TypeAdapter(WireHand)
DEAL: TypeAdapter[Any] = TypeAdapter(WireDeal)
EXPLANATION: TypeAdapter[Any] = TypeAdapter(WireExplanation)
INT: TypeAdapter[Any] = TypeAdapter(WireInt)
AS_TEXT = [SEAT, VULNERABILITY, CALL, CARD, HAND, DEAL]


def check_travels(adapter: TypeAdapter[Any], value: object) -> None:
    text = adapter.dump_python(value)
    assert text == str(value)
    assert adapter.validate_python(text) == value
    assert adapter.validate_python(value) is value
    assert re.search(adapter.json_schema()["pattern"], text)


@pytest.mark.parametrize(
    ("adapter", "values"),
    [(SEAT, SEATS), (VULNERABILITY, list(Vulnerability)), (CALL, CALLS), (CARD, CARDS)],
)
def test_every_value_travels_as_its_text(adapter: TypeAdapter[Any], values: list[object]) -> None:
    for value in values:
        check_travels(adapter, value)


@given(DEALS)
def test_hands_and_deals_travel_as_their_text(deal: Deal) -> None:
    check_travels(DEAL, deal)
    for seat in SEATS:
        check_travels(HAND, deal[seat])


def test_values_that_are_zero_are_values() -> None:
    assert SEAT.dump_python(Seat.NORTH) == "N"
    assert CALL.dump_python(Call("Pass")) == "Pass"
    assert CARD.dump_python(Card("C2")) == "C2"
    assert HAND.validate_python("...") == Hand()


@pytest.mark.parametrize("adapter", AS_TEXT)
@pytest.mark.parametrize("value", [None, 0, 1.5, True, [], {}, b"N", "", "?", "\ud800", "SA SA"])
def test_anything_else_is_refused(adapter: TypeAdapter[Any], value: object) -> None:
    with pytest.raises(ValidationError):
        adapter.validate_python(value)


@pytest.mark.parametrize("adapter", AS_TEXT)
def test_the_schemas_example_is_one(adapter: TypeAdapter[Any]) -> None:
    schema = adapter.json_schema()
    for example in schema["examples"]:
        assert re.search(schema["pattern"], example)
        assert adapter.dump_python(adapter.validate_python(example)) == example


@given(EXPLANATIONS)
def test_explanations_travel_as_maps(explanation: Explanation) -> None:
    assert EXPLANATION.validate_python(EXPLANATION.dump_python(explanation)) == explanation


def test_a_text_that_is_too_long_is_cut() -> None:
    """A file may have it: players are told the beginning."""
    assert EXPLANATION.dump_python(Explanation("x" * 600, hcp=(6, 9))) == {
        "text": "x" * 500,
        "hcp": (6, 9),
    }


def test_an_explanation_says_only_what_it_promises() -> None:
    assert EXPLANATION.dump_python(Explanation()) == {}
    hearts = Explanation("raise", hcp=(6, 9), lengths={Suit.HEARTS: (3, 13)}, forcing=True)
    assert EXPLANATION.dump_python(hearts) == {
        "text": "raise",
        "hcp": (6, 9),
        "lengths": {"H": (3, 13)},
        "forcing": True,
    }


@pytest.mark.parametrize(
    "value",
    [
        "text",
        [],
        {"hcp": [0, 38]},
        {"hcp": [10, 9]},
        {"hcp": 12},
        {"lengths": {"S": [0, 14]}},
        {"lengths": {"N": [0, 4]}},
        {"text": "x" * 501},
    ],
)
def test_an_explanation_that_makes_no_sense_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        EXPLANATION.validate_python(value)


def test_numbers_are_those_that_every_language_holds() -> None:
    assert INT.validate_python(2**53 - 1) == 2**53 - 1
    for outside in (-1, 2**53, "9" * 30, "1", 1.0, True, None):
        with pytest.raises(ValidationError):
            INT.validate_python(outside)
