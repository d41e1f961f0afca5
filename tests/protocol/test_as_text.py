"""The protocol's messages as a page speaks them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import read_answer, text_of
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    Answer,
    AnswerClaim,
    CallMade,
    Claim,
    Explain,
    MakeCall,
    PlayCard,
    Undo,
)

TURN: dict[str, Any] = {"table": "t", "board": 1, "seq": 2}


@pytest.mark.parametrize(
    "answer",
    [
        MakeCall(**TURN, call=Call("1NT"), alert=True, explanation=Explanation("strong")),
        PlayCard(**TURN, card=Card("SA")),
        Claim(**TURN, tricks=3),
        AnswerClaim(**TURN, accept=False),
        Explain(**TURN, call=0),
        Undo(**TURN),
    ],
)
def test_messages_are_read_as_they_were_written(answer: Answer) -> None:
    assert read_answer(text_of(answer)) == answer


def test_absent_fields_are_left_out() -> None:
    text = text_of(CallMade(seq=3, table="t", board=1, seat=Seat.NORTH, call=Call("Pass")))
    assert json.loads(text) == {
        "seq": 3,
        "table": "t",
        "board": 1,
        "type": "CallMade",
        "seat": "N",
        "call": "Pass",
        "alert": False,
    }


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"type": "Hello", "name": "x"}', '{"type": "Leave"}', "[" * 9999]
)
def test_text_that_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        read_answer(text)


def test_text_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(ProtocolError, match="characters"):
        read_answer("[" * (MAX_FRAME + 1))
