"""The test vectors are what the code does, and lack nothing that a bot may meet."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import MAX_FRAME, Hello, Message
from bridge_arena.protocol.session import ServerSession
from docs.generators import protocol_vectors as vectors
from docs.generators.protocol_document import CLIENT_MESSAGES, SERVER_MESSAGES
from docs.generators.protocol_vectors import NAME, Vector, data_of
from tests.data import DOCS

FILE = DOCS / NAME
READ: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
MODELS = (*CLIENT_MESSAGES, *SERVER_MESSAGES)
DECODE: dict[str, Callable[[bytes | str], list[Any]]] = {
    "client": decode_client,
    "server": decode_server,
}
BY_NAME = {vector["name"]: vector for vector in READ["refused"]}


def named(section: str) -> pytest.MarkDecorator:
    found = READ[section]
    return pytest.mark.parametrize("vector", found, ids=[vector["name"] for vector in found])


def model_of(message: dict[str, Any]) -> type[Message]:
    return next(model for model in MODELS if model.__name__ == message["type"])


def bytes_of(vector: Vector) -> bytes:
    data = data_of(vector)
    assert isinstance(data, bytes)
    return data


def test_the_committed_file_is_what_the_code_generates() -> None:
    assert FILE.read_text(encoding="utf-8") == vectors.text(), (
        "run: python -m docs.generators.protocol_vectors"
    )


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "docs.generators.protocol_vectors", tmp_path], check=True)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    assert (tmp_path / NAME).read_text(encoding="utf-8") == vectors.text()


# What is well formed.


@named("messages")
def test_a_message_is_its_bytes_both_ways(vector: Vector) -> None:
    message = model_of(vector["json"]).model_validate(vector["json"])
    assert encode(message) == bytes_of(vector)
    assert DECODE[vector["from"]](b"\x91" + bytes_of(vector)) == [message]
    assert msgpack.unpackb(bytes_of(vector)) == vector["json"]


@named("frames")
def test_a_frame_is_its_bytes_both_ways(vector: Vector) -> None:
    messages = [model_of(each).model_validate(each) for each in vector["json"]]
    assert frame([encode(message) for message in messages]) == bytes_of(vector)
    assert DECODE[vector["from"]](bytes_of(vector)) == messages
    assert msgpack.unpackb(bytes_of(vector)) == vector["json"]


@named("read")
def test_a_message_in_another_form_is_read_as_the_same(vector: Vector) -> None:
    (message,) = DECODE[vector["from"]](bytes_of(vector))
    assert [msgpack.unpackb(encode(message))] == vector["json"]
    assert encode(message) != bytes_of(vector)[1:]


@pytest.mark.parametrize("model", MODELS)
def test_every_message_is_there_in_full_and_at_its_least(model: type[Message]) -> None:
    by_name = {vector["name"]: vector["json"] for vector in READ["messages"]}
    full = by_name[f"{model.__name__} with every field"]
    least = by_name[f"{model.__name__} with what it needs"]
    fields = model.model_fields.items()
    needed = {"type"} | {name for name, field in fields if field.is_required()}
    bare = [v for v in READ["read"] if v["name"] == f"{model.__name__} without what has a default"]
    assert len(bare) == (needed < model.model_fields.keys())
    for vector in bare:
        (sent,) = msgpack.unpackb(bytes_of(vector))
        assert sent.keys() == needed
    for name, field in fields:
        if name not in ("type", "version") and not field.is_required():
            assert full[name] != field.default, "nothing shows what else it may be"
            assert least.get(name) == field.default


def test_every_form_of_msgpack_that_messages_take_is_there() -> None:
    first = {data[at] for data in map(bytes_of, READ["messages"]) for at in range(len(data))}
    # uint8 to uint64, int8 and int16, float, str8 and str16.
    assert {0xCC, 0xCD, 0xCE, 0xCF, 0xD0, 0xD1, 0xCB, 0xD9, 0xDA, 0xC2, 0xC3} <= first
    assert any(bytes_of(vector)[0] == 0xDC for vector in READ["frames"])


def test_the_limit_is_told_by_a_frame_on_each_side() -> None:
    longest = next(v for v in READ["read"] if v["name"] == "the longest frame")
    assert len(bytes_of(longest)) == MAX_FRAME
    assert len(bytes_of(BY_NAME["a frame too long"])) == MAX_FRAME + 1


# What is refused.


@named("refused")
def test_a_frame_that_is_refused_has_its_error(vector: Vector) -> None:
    if vector["from"] == "server":
        with pytest.raises(ProtocolError) as caught:
            decode_server(data_of(vector))
    else:
        session = ServerSession()
        if vector["welcomed"]:
            session.receive(frame([encode(Hello(name="x"))]))
        with pytest.raises(ProtocolError) as caught:
            session.receive(data_of(vector))
        is_version = type(caught.value).__name__ == "VersionMismatchError"
        assert vector["code"] == ("version" if is_version else "malformed")
    assert str(caught.value) == vector["error"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("another version", "expected version 1, received 2"),
        ("no Hello", "expected Hello, received Leave"),
        ("a text frame", "expected a binary frame, received a text frame"),
        ("a second Hello", "expected an action, received a second Hello"),
        ("a frame too long", "expected at most 65536 bytes, received 65537"),
        ("more messages than a bot may send", "expected at most 8 messages, received 9"),
        ("an unknown type", "Resign"),
        ("the second message is bad", "message field 1.MakeCall.call"),
        ("a range upside down", "hcp 17 to 15 is not a range within 0 to 37"),
        ("an explanation too long", "message field 0.MakeCall.explanation.text"),
        ("PlayCard.seq is missing", "message field 0.PlayCard.seq"),
        ("PlayCard.seq is 9007199254740992", "message field 0.PlayCard.seq"),
        ("Claim.tricks is 14", "message field 0.Claim.tricks"),
        ("Hello.name of 81 characters", "message field 0.Hello.name"),
    ],
)
def test_the_error_names_what_is_wrong(name: str, complaint: str) -> None:
    found = [v["error"] for v in READ["refused"] if v["name"] == name and v["from"] == "client"]
    assert len(found) == 1
    assert complaint in found[0]


def test_names_of_vectors_are_given_once() -> None:
    for section in ("messages", "frames", "read", "refused"):
        names = [(vector["from"], vector["name"]) for vector in READ[section]]
        assert len(set(names)) == len(names), section


def test_a_good_frame_cannot_be_among_the_refused_vectors() -> None:
    hello = frame([encode(Hello(name="x"))])
    with pytest.raises(ValueError, match="the session does not refuse a good frame"):
        vectors._refused("a good frame", hello, welcomed=False)
    with pytest.raises(ValueError, match="the codec does not refuse a good frame"):
        vectors._refused_of_server("a good frame", b"\x90")
