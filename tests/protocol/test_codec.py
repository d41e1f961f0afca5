"""Frames: there and back, and everything that is not one."""

from __future__ import annotations

import contextlib
import json
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from hypothesis import example, given, target
from hypothesis import strategies as st

from bridge_arena.bridge.calls import Call
from bridge_arena.protocol.codec import (
    build,
    decode_client,
    decode_server,
    encode,
    frame,
    text_of,
)
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    CallMade,
    Goodbye,
    Hello,
    Leave,
    MakeCall,
    Message,
)
from tests.protocol.strategies import CLIENT, SERVER

Decode = Callable[[bytes | str], list[Any]]
BOTH = pytest.mark.parametrize("decode", [decode_client, decode_server])

CALL = {"type": "MakeCall", "table": "A1", "board": 1, "seq": 3, "call": "1NT"}


@given(st.lists(CLIENT, max_size=4))
def test_what_a_client_sends_arrives(messages: list[Message]) -> None:
    assert decode_client(frame([encode(m) for m in messages])) == messages


@given(st.lists(SERVER, max_size=4))
def test_what_a_server_sends_arrives(messages: list[Message]) -> None:
    assert decode_server(frame([encode(m) for m in messages])) == messages


@given(CLIENT | SERVER)
def test_a_page_s_json_and_a_frame_say_the_same(message: Message) -> None:
    """They are written by different code: JSON by pydantic, frames by the codec."""
    assert msgpack.unpackb(encode(message)) == json.loads(text_of(message))


@pytest.mark.parametrize("count", [0, 1, 15, 16, 100, 1000])
def test_a_frame_is_a_msgpack_array_of_any_length(count: int) -> None:
    messages = [Goodbye(reason=str(number)) for number in range(count)]
    data = frame([encode(message) for message in messages])
    assert msgpack.unpackb(data) == [message.model_dump() for message in messages]
    assert decode_server(data) == messages


def test_what_is_nothing_is_left_out() -> None:
    bare = MakeCall(table="A1", board=1, seq=3, call=Call("1NT"))
    assert msgpack.unpackb(encode(bare)) == {**CALL, "alert": False}


def test_unknown_fields_are_ignored() -> None:
    data = msgpack.packb([{"type": "Leave", "reason": "tea", "mood": ["good"]}])
    assert decode_client(data) == [Leave(reason="tea")]


def test_messages_are_read_in_their_own_direction_alone() -> None:
    with pytest.raises(ProtocolError, match="Goodbye"):
        decode_client(frame([encode(Goodbye())]))
    with pytest.raises(ProtocolError, match="Hello"):
        decode_server(frame([encode(Hello(name="x"))]))


# What is not a frame.


def changed(**fields: object) -> bytes:
    return msgpack.packb([{**CALL, **fields}])


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("[]", "expected a binary frame, received a text frame"),
        (b"", "the frame is not msgpack: .*incomplete"),
        (b"\xc1", "the frame is not msgpack: FormatError"),
        (b"\x91" * 5000, "the frame is not msgpack: StackError"),
        (b"\x90\x90", "the frame is not msgpack: .*extra data"),
        (b"\x91\x81\x01\x02", "the frame is not msgpack: int is not allowed for map key"),
        (b"\x91\xa1\xff", "the frame is not msgpack: 'utf-8'"),
        (b"\xc0", "the frame: Input should be a valid list"),
        (msgpack.packb(CALL), "the frame: Input should be a valid list"),
        (msgpack.packb([7]), "message field 0: Input should be a valid dictionary"),
        (msgpack.packb([{}]), "message field 0: Unable to extract tag .* 'type'"),
        (changed(type="Resign"), "message field 0: Input tag 'Resign'"),
        (changed(call="8C"), "message field 0.MakeCall.call: .*'8C' is not a call"),
        (changed(call=5), "message field 0.MakeCall.call: .*expected text, received int"),
        (changed(call=None), "message field 0.MakeCall.call: .*received NoneType"),
        (changed(seq="soon"), "message field 0.MakeCall.seq: .*integer"),
        (changed(seq=-1), "message field 0.MakeCall.seq: .*greater than or equal to 0"),
        (changed(seq=2**63), "message field 0.MakeCall.seq: .*less than 9007199254740992"),
        (changed(seq=2**53), "message field 0.MakeCall.seq: .*less than 9007199254740992"),
        (changed(table=None), "message field 0.MakeCall.table: .*string"),
        (changed(explanation="strong"), "message field 0.MakeCall.explanation: .*dictionary"),
        (changed(explanation={"hcp": [17, 15]}), "hcp 17 to 15 is not a range within 0 to 37"),
        (changed(explanation={"hcp": [15]}), "explanation.hcp.1: Field required"),
        (changed(explanation={"lengths": {"Z": [0, 5]}}), "explanation.lengths.Z"),
        (changed(explanation={"text": "x" * 501}), "explanation.text: .*at most 500"),
        (msgpack.packb([{"type": "Hello"}]), "message field 0.Hello.name: Field required"),
    ],
)
def test_the_error_says_what_is_wrong(data: bytes | str, complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        decode_client(data)


def test_only_the_first_bad_message_is_named() -> None:
    good = {"type": "Leave"}
    with pytest.raises(ProtocolError, match=r"^message field 1\.Leave\.reason"):
        decode_client(msgpack.packb([good, {**good, "reason": 5}, 6]))


@BOTH
def test_a_frame_may_be_as_long_as_the_limit_and_no_longer(decode: Decode) -> None:
    # A list of the right length that is no frame otherwise: it is read only if not too long.
    overhead = len(msgpack.packb([b"x" * 60000])) - 60000
    longest = msgpack.packb([b"x" * (MAX_FRAME - overhead)])
    assert len(longest) == MAX_FRAME
    with pytest.raises(ProtocolError, match="message field 0"):
        decode(longest)
    with pytest.raises(ProtocolError, match="at most 65536 bytes, received 65537"):
        decode(longest + b"x")


@pytest.mark.parametrize(
    ("padding", "complaint"),
    [
        ([0] * 64, ""),
        ([0] * 65, r"65 exceeds max_array_len\(64\)"),
        (dict.fromkeys(map(str, range(64))), ""),
        (dict.fromkeys(map(str, range(65))), r"65 exceeds max_map_len\(64\)"),
        ([[[]] * 60] * 4, ""),
        ([[[]] * 60] * 5, "more than 256 lists and maps"),
        (msgpack.Timestamp(1), "exceeds max_ext_len"),
        (msgpack.ExtType(5, b""), "extension 5 has no meaning here"),
    ],
)
def test_a_client_s_frame_holds_so_much_and_no_more(padding: object, complaint: str) -> None:
    data = msgpack.packb([{"type": "Leave", "padding": padding}])
    if not complaint:
        assert decode_client(data) == [Leave()]
    else:
        with pytest.raises(ProtocolError, match=f"^the frame is not msgpack: .*{complaint}"):
            decode_client(data)


MOST_CALLS = 2000
"""The most functions that a frame may have the decoder call."""

MOST_MADE = 32 * MAX_FRAME
"""The most bytes that a frame may have the decoder make: about those of a text of two letters
for each three bytes of the frame."""

PIECES = [bytes.fromhex(piece) for piece in """
    80 81 81a0 81a161 8f de0040 de7fff deffff df00007fff df0000ffff dfffffffff
    90 91 9191 9f dc0040 dcffff dd00000040 dd0000ffff ddffffffff
    a0 a161 a26162 bf d9ff daffff db0000ffff c400 c4ff c5ffff c60000ffff
    c0 c2 00 ff cc80 cd0100 ce00010000 cf0000000100000000 ca00000000 cb0000000000000000
    d40500 d5050000 d6ff00000000 d7ff0000000000000000 c70005 c700ff c7ff05 c8ffff05 c90000ffff05
    91 81a474797065 a54c65617665 a454686f75676874 a963616e6469646174657380
""".split()]  # fmt: skip
"""Headers of all kinds with entries promised, values of all kinds, and parts of messages."""


def in_a_row(*runs: tuple[bytes, int]) -> bytes:
    """A whole frame: pieces, each so many times, and then nothing until the frame is full."""
    return b"".join(piece * count for piece, count in runs)[:MAX_FRAME].ljust(MAX_FRAME, b"\xc0")


def filled(leaf: bytes, width: int) -> bytes:
    """A whole frame: lists of lists of so many leaves, as long as may be."""
    found = [leaf] * (MAX_FRAME // (len(leaf) + 1) - 64)
    while len(found) > 1:
        groups = [found[at : at + width] for at in range(0, len(found), width)]
        found = [frame(group) for group in groups]
    return found[0]


RUN = st.tuples(st.sampled_from(PIECES), st.sampled_from([1, 2, 60, 1023, MAX_FRAME]))
TREE = st.tuples(st.sampled_from(PIECES), st.sampled_from([2, 15, 60, 30000]))


@given(st.tuples(st.just(in_a_row), st.lists(RUN)) | st.tuples(st.just(filled), TREE))
@example((in_a_row, [(b"\xdd\0\0\xff\xff", 1023)]))
@example((in_a_row, [(b"\xde\x7f\xff", 1023)]))
@example((in_a_row, [(b"\xdc\0\x40", 1023)]))
@example((filled, (b"\x80", 60)))
@example((filled, (b"\x91\x90", 60)))
@example((filled, (b"\xa2ab", 60)))
@example((filled, (b"\xc7\0\5", 60)))
def test_no_frame_has_a_decoder_do_much(made_of: tuple[Callable[..., bytes], Any]) -> None:
    """Everything that takes time makes something that is there until the frame is read."""
    make, parts = made_of
    data = make(*parts)
    build()  # it is not what is counted
    calls = 0

    def note(*_: object) -> None:
        nonlocal calls
        calls += 1

    tracemalloc.start()
    sys.setprofile(note)
    try:
        with contextlib.suppress(ProtocolError):
            decode_client(data)
    finally:
        sys.setprofile(None)
        made = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    target(float(made), label="bytes made")
    target(float(calls), label="calls")
    assert made < MOST_MADE
    assert calls < MOST_CALLS


@pytest.mark.parametrize(
    "data",
    [changed(call="1\0" * 30000), changed(type="x" * 60000), changed(call="\U0001f0a1" * 15000)],
)
def test_an_error_never_repeats_more_than_a_little_of_the_frame(data: bytes) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_client(data)
    assert len(str(caught.value)) <= 300


# Fuzz: a list of messages that can be told again, or a ProtocolError; nothing else.


def check_harmless(decode: Decode, data: bytes | str) -> None:
    with contextlib.suppress(ProtocolError):
        messages = decode(data)
        again = frame([encode(message) for message in messages])
        assert decode(again) == messages


@BOTH
@given(data=st.binary(max_size=200) | st.text(max_size=50))
@example(data=b"\x91\xd6\xff\0\0\0\0")  # a timestamp
@example(data=b"\xc7\x0c\xff" + b"\xff" * 12)  # a timestamp out of range
@example(data=b"\xdd\xff\xff\xff\xff")  # an array of four thousand million
def test_garbage_is_refused(decode: Decode, data: bytes | str) -> None:
    check_harmless(decode, data)


@BOTH
@given(message=CLIENT | SERVER, data=st.data())
def test_a_damaged_frame_is_refused_or_read(
    decode: Decode, message: Message, data: st.DataObject
) -> None:
    good = frame([encode(message)])
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, min(len(good), start + 4)))
    check_harmless(decode, good[:start] + data.draw(st.binary(max_size=4)) + good[end:])


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.text("0123456789-.", max_size=40)
    | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@BOTH
@given(message=CLIENT | SERVER, data=st.data())
def test_a_field_of_another_kind_is_refused_or_read(
    decode: Decode, message: Message, data: st.DataObject
) -> None:
    fields = message.model_dump(exclude_none=True)
    name = data.draw(st.sampled_from(sorted(fields)))
    check_harmless(decode, msgpack.packb([{**fields, name: data.draw(ANYTHING)}]))


def test_what_all_see_alike_is_the_same_bytes_in_every_frame() -> None:
    call = encode(CallMade(table="A1", board=1, seq=3, seat="N", call="Pass"))  # type: ignore[arg-type]
    assert call in frame([call])
    assert frame([call, call]).count(call) == 2
