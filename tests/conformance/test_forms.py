"""Tests of the forms in which messages are sent, and of how received frames are shown."""

from __future__ import annotations

import json
import math
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.frames import (
    LONGEST,
    WireForm,
    fragments,
    frames,
    packed,
    printable,
    readable_frame,
    readable_message,
)
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.messages import CallMade, Goodbye, TrickEnd

TRICK = TrickEnd(table="A1", board=3, seq=9, winner=Seat.WEST)

CALL = CallMade(
    table="A1",
    board=3,
    seq=4,
    seat=Seat.NORTH,
    call=Call("1NT"),
    explanation=Explanation("strong", hcp=(15, 17)),
)


@pytest.mark.parametrize("message", [TRICK, CALL, Goodbye(reason="over")])
def test_a_grown_message_means_the_same(message: TrickEnd | CallMade | Goodbye) -> None:
    grown = packed(message, WireForm.GROWN)
    assert decode_server(frame([grown])) == [message]
    plain = msgpack.unpackb(encode(message))
    fields = msgpack.unpackb(grown)
    assert plain.keys() < fields.keys()
    assert next(iter(fields)) not in plain
    if "explanation" in plain:
        assert plain["explanation"].keys() < fields["explanation"].keys()


def test_any_other_dress_leaves_a_message_as_it_is() -> None:
    for dress in set(WireForm) - {WireForm.GROWN}:
        assert packed(TRICK, dress) == encode(TRICK)


def test_messages_are_packed_into_frames_of_every_form() -> None:
    messages = [encode(TRICK), encode(CALL)]
    assert [len(decode_server(data)) for data in frames(messages, WireForm.PLAIN)] == [2]
    assert [len(decode_server(data)) for data in frames(messages, WireForm.SINGLE)] == [1, 1]


@given(st.binary(min_size=1, max_size=40))
def test_fragments_make_up_the_frame(data: bytes) -> None:
    parts = list(fragments(data))
    assert b"".join(parts) == data
    assert len(parts) == 3


NESTED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(0, 9), inner),
)


@given(NESTED)
def test_whatever_is_msgpack_can_be_shown(value: Any) -> None:
    text = json.dumps(readable_frame(msgpack.packb(value)), allow_nan=False)
    assert len(text) <= 20 * LONGEST


@given(st.binary() | st.text())
def test_whatever_comes_can_be_shown(data: bytes | str) -> None:
    json.dumps(readable_frame(data), allow_nan=False)


def test_a_frame_is_shown_as_its_messages() -> None:
    assert readable_frame(frame([encode(TRICK)])) == [
        {"table": "A1", "board": 3, "seq": 9, "type": "TrickEnd", "winner": "W"}
    ]
    assert next(iter(readable_message(TRICK))) == "type"
    assert readable_frame("hello") == "text frame: hello"
    assert readable_frame(b"\xc1\x02") == "2 bytes, not msgpack: c1 02"
    assert readable_frame(msgpack.packb([math.inf, b"x"])) == ["inf", "b'x'"]
    long = readable_frame(msgpack.packb(["x" * 5000]))
    assert long.endswith("…")
    assert len(long) == LONGEST + 1
    assert readable_frame(b"\x91" * 1100 + b"\x01").startswith("1101 bytes, ")


@pytest.mark.parametrize("depth", [300, 450, 900])
def test_nested_frames_are_shown_as_deep_as_python_can(depth: int) -> None:
    shown = readable_frame(b"\x91" * depth + b"\x01")
    assert json.dumps(shown).startswith(("[" * depth + "1", f'"{depth + 1} bytes, '))


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    assert printable("a\x1b[2Jb\nc ♠") == "a\\x1b[2Jb\\x0ac ♠"
