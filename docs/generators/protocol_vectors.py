"""Write test vectors for bots in any language, from the protocol's models.

    python -m docs.generators.protocol_vectors [FOLDER]

`protocol.vectors.json` has messages and frames beside their bytes, and what is refused
with the error that is told. FOLDER is `docs` unless given.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgpack
from pydantic.fields import FieldInfo

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import CARD_TEXTS, Card, Deal, Hand, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import ModelUse
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.codec import MOST_ENTRIES, decode_server, encode, frame
from bridge_arena.protocol.errors import ErrorCode, ProtocolError, VersionMismatchError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    MAX_MESSAGES,
    MOST_CANDIDATES,
    SUBPROTOCOL,
    VERSION,
    BoardEnd,
    Goodbye,
    Hello,
    Leave,
    MakeCall,
    Message,
    PlayCard,
    Thought,
)
from bridge_arena.protocol.session import ServerSession
from docs.generators.protocol_document import (
    CLIENT_MESSAGES,
    EXAMPLE_DEAL,
    SERVER_MESSAGES,
    example,
)

NAME = "protocol.vectors.json"

Vector = dict[str, Any]
"""One test: what it shows, the bytes, and what they are."""

_ABOUT = {
    "messages": "Each message type with every field, and with no more than it needs, then "
    "numbers and texts of the sizes at which msgpack changes its form. `hex` is one message as "
    "the arena encodes it, without the array that makes it a frame. Another order of the fields "
    "or another form of a number is as good.",
    "frames": "Whole frames, as the arena encodes them: those of the example in protocol.md, and "
    "some of many messages.",
    "read": "Frames in another form than the arena's: what they are read as is `json`.",
    "refused": "What is no frame of this protocol. From a client: the `Error` that answers it has "
    "`code` and the text `error`, whose wording may change; where it is not `welcomed`, it is the "
    "first that the client sends, and the error is fatal; else a good Hello came before. `text` in "
    "place of `hex` is a websocket text frame.",
    "fill": "Where there is `fill`, the frame goes on after `hex` with the byte `fill.hex`, "
    "`fill.times` times.",
}


# Examples of messages, made from the fields that their models declare.

_BY_TYPE: dict[object, Any] = {
    Seat: Seat.WEST,
    Vulnerability: Vulnerability.EW,
    Call: Call("3NT"),
    Card: Card("DT"),
    Hand: EXAMPLE_DEAL[Seat.WEST],
    Deal: EXAMPLE_DEAL,
    Explanation: Explanation(
        "balanced, 5 hearts “possible” ♥",
        hcp=(15, 17),
        lengths={Suit.HEARTS: (2, 5), Suit.SPADES: (2, 4)},
        forcing=True,
        artificial=True,
    ),
    ModelUse: ModelUse(
        questions=3,
        unreadable=1,
        illegal=1,
        answered=True,
        same=False,
        tokens_in=3210,
        tokens_out=123,
        money=0.0125,
        seconds=7.5,
    ),
    int: 7,
    float: 7.5,
    bool: True,
}

_BY_NAME: dict[str, Any] = {
    "version": VERSION,
    "name": "my-bot",
    "table": "A1",
    "contract": "3NTX",
    "legal": ["Pass", "X", "4H", "7NT"],
    "score": -1100,
    "undo": "3NT",
}
"""The values of fields whose type alone does not determine them."""


def full(model: type[Message]) -> Message:
    """Return a message with every field, of which only the version has its default."""
    return model(**{name: _value(name, field) for name, field in model.model_fields.items()})


def least(model: type[Message]) -> Message:
    """Return a message with only the fields that it needs, and empty lists."""
    needed = {name: field for name, field in model.model_fields.items() if field.is_required()}
    return model(
        **{
            name: [] if get_origin(field.annotation) is list else _value(name, field)
            for name, field in needed.items()
        }
    )


def _value(name: str, field: FieldInfo) -> Any:
    if isinstance(field.default, bool):
        return not field.default
    return _example(name, field.annotation)


def _example(name: str, annotation: object) -> Any:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return parts[0]
    if origin is Annotated:
        return _example(name, parts[0])
    if origin in (Union, UnionType):
        return _example(name, next(part for part in parts if part is not type(None)))
    if annotation in _BY_TYPE and name not in _BY_NAME:
        return _BY_TYPE[annotation]
    if name in _BY_NAME:
        return _BY_NAME[name]
    if annotation is str:
        return name
    if origin is dict:
        return {"3NT": _example(name, parts[1])}
    if origin is list:
        return [_example(name, member) for member in _members(parts[0])]
    assert isinstance(annotation, type), annotation
    if issubclass(annotation, Message):
        return full(annotation)
    assert issubclass(annotation, StrEnum), annotation
    return list(annotation)[-1]


def _members(annotation: object) -> tuple[object, ...]:
    """Return the types of a union, or the one type that is no union."""
    if get_origin(annotation) is Annotated:
        return _members(get_args(annotation)[0])
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _direction(model: type[Message]) -> str:
    return "client" if model in CLIENT_MESSAGES else "server"


def _plain(message: Message) -> dict[str, Any]:
    return message.model_dump(exclude_none=True)


# The vectors.


def messages() -> list[Vector]:
    """Return each message beside its bytes."""
    vectors = []
    for model in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        vectors.append(_message(f"{model.__name__} with every field", full(model)))
        vectors.append(_message(f"{model.__name__} with what it needs", least(model)))
    for number in (0, 127, 128, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**53 - 1):
        play = PlayCard(table="A1", board=1, seq=number, card=Card("S2"))
        vectors.append(_message(f"the number {number}", play))
    for score in (-32, -33, -128, -129, -7600):
        end = BoardEnd(table="A1", board=1, seq=148, tricks=0, score=score)
        vectors.append(_message(f"the number {score}", end))
    said = [(f"text of {length} bytes", "x" * length) for length in (0, 1, 31, 32, 255, 256, 500)]
    said.append(("text that is not ASCII", 'é♠🂡\0\n"\\'))
    return vectors + [_message(name, Leave(reason=reason)) for name, reason in said]


def frames() -> list[Vector]:
    """Return whole frames beside their bytes."""
    vectors = [
        _frame(f"frame {number} of the example", exchange.by_client, exchange.messages)
        for number, exchange in enumerate(example(), 1)
    ]
    vectors.append(_frame("no message", True, ()))  # noqa: FBT003
    for count in (15, 16):
        goodbyes = [Goodbye(reason=str(number)) for number in range(count)]
        vectors.append(_frame(f"{count} messages", False, goodbyes))  # noqa: FBT003
    return vectors


def read() -> list[Vector]:
    """Return frames that the arena reads but would write otherwise, with their messages."""
    vectors = []
    for model in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        message = least(model)
        plain = _plain(message)
        fields = model.model_fields.items()
        needed = ["type", *(name for name, field in fields if field.is_required())]
        if len(needed) < len(model.model_fields):
            bare = msgpack.packb([{name: plain[name] for name in needed}])
            name = f"{model.__name__} without what has a default"
            vectors.append(_read(name, _direction(model), bare, message))
    call = full(MakeCall)
    plain = _plain(call)
    turned = dict(reversed(plain.items()))
    more = {**plain, "mood": ["good", {"very": None}], "explanation": {"text": "weak", "odds": 0.5}}
    absent = {**_plain(least(MakeCall)), "explanation": None}
    play = full(PlayCard)
    forms: list[tuple[str, bytes, Message]] = [
        ("fields in another order", msgpack.packb([turned]), call),
        (
            "unknown fields are ignored",
            msgpack.packb([more]),
            call.model_copy(update={"explanation": Explanation("weak")}),
        ),
        ("null for what is absent", msgpack.packb([absent]), least(MakeCall)),
        ("every length and number in its widest form", _wide([_plain(play)]), play),
    ]
    vectors += [_read(name, "client", data, message) for name, data, message in forms]
    longest = _long_frame(MAX_FRAME)
    vectors.append(_filled(_read("the longest frame", "client", longest, Leave()), longest))
    return vectors


def refused() -> list[Vector]:
    """Return what the arena refuses to read, with its errors."""
    hello = _plain(least(Hello))
    call = _plain(least(MakeCall))
    thought = _plain(least(Thought))
    first: list[tuple[str, bytes | str]] = [
        ("another version", msgpack.packb([{**hello, "version": VERSION + 1}])),
        ("true for the version", msgpack.packb([{**hello, "version": True}])),
        ("1.0 for the version", msgpack.packb([{**hello, "version": 1.0}])),
        ("no Hello", msgpack.packb([_plain(Leave())])),
        ("no Hello before an action", msgpack.packb([_plain(Leave()), hello])),
        ("an empty frame in place of Hello", b"\x90"),
        ("two Hellos", msgpack.packb([hello, hello])),
        ("a text frame", json.dumps([hello])),
        ("JSON in a binary frame", json.dumps([hello]).encode()),
        *_bad_fields([Hello]),
    ]
    good = msgpack.packb([call])
    later: list[tuple[str, bytes | str]] = [
        ("a second Hello", msgpack.packb([hello])),
        ("no bytes", b""),
        ("a message without the array", msgpack.packb(call)),
        ("no map in the array", msgpack.packb([["type", "Leave"]])),
        ("nothing but null", msgpack.packb(None)),
        ("a frame cut short", good[:-1]),
        ("two frames in one", good + good),
        ("a byte that msgpack does not use", b"\x91\xc1"),
        ("a number as a key", msgpack.packb([{1: 2}])),
        ("text that is not UTF-8", b"\x91\x81\xa4type\xa1\xff"),
        ("an array longer than the frame", b"\xdd\xff\xff\xff\xff"),
        ("an array in an array in an array …", b"\x91" * 2000),
        ("no type", msgpack.packb([{k: v for k, v in call.items() if k != "type"}])),
        ("an unknown type", msgpack.packb([{**call, "type": "Resign"}])),
        ("a type in other letters", msgpack.packb([{**call, "type": "makecall"}])),
        ("a server's message", msgpack.packb([_plain(Goodbye())])),
        ("the second message is bad", msgpack.packb([call, {**call, "call": "8C"}])),
        ("no call", msgpack.packb([{**call, "call": "8C"}])),
        ("a call that is a number", msgpack.packb([{**call, "call": 5}])),
        ("null for a call", msgpack.packb([{**call, "call": None}])),
        ("no card", msgpack.packb([{**_plain(least(PlayCard)), "card": "10S"}])),
        ("a number with a fraction", msgpack.packb([{**call, "seq": 1.5}])),
        ("a number as text", msgpack.packb([{**call, "seq": "1"}])),
        ("true for a number", msgpack.packb([{**call, "seq": True}])),
        ("more messages than a bot may send", msgpack.packb([call] * (MAX_MESSAGES + 1))),
        ("a list too long", msgpack.packb([{**call, "more": [0] * (MOST_ENTRIES + 1)}])),
        ("too many lists", msgpack.packb([{**call, "more": [[[]] * (MOST_ENTRIES - 1)] * 4}])),
        ("an extension type", msgpack.packb([{**call, "more": msgpack.ExtType(5, b"x")}])),
        *(
            (name, msgpack.packb([{**call, "explanation": explanation}]))
            for name, explanation in _BAD_EXPLANATIONS
        ),
        *((name, msgpack.packb([{**thought, **bad}])) for name, bad in _BAD_THOUGHTS),
        *_bad_fields(model for model in CLIENT_MESSAGES if model is not Hello),
    ]
    bye = frame([encode(Goodbye())])
    from_server: list[tuple[str, bytes]] = [
        ("a frame cut short", bye[:-1]),
        ("a message without the array", bye[1:]),
        ("a client's message", msgpack.packb([hello])),
        ("an unknown type", msgpack.packb([{"type": "Kibitz"}])),
    ]
    long = _long_frame(MAX_FRAME + 1)
    return [
        *(_refused(name, data, welcomed=False) for name, data in first),
        *(_refused(name, data, welcomed=True) for name, data in later),
        _filled(_refused("a frame too long", long, welcomed=True), long),
        *(_refused_of_server(name, data) for name, data in from_server),
    ]


_BAD_EXPLANATIONS: list[tuple[str, object]] = [
    ("an explanation that is text", "strong"),
    ("a range upside down", {"hcp": [17, 15]}),
    ("a range of one number", {"hcp": [15]}),
    ("a range from false to true", {"hcp": [False, True]}),
    ("a length of true", {"lengths": {"S": [True, 4]}}),
    ("too many points", {"hcp": [0, 38]}),
    ("too many cards", {"lengths": {"S": [0, 14]}}),
    ("an unknown suit", {"lengths": {"NT": [0, 5]}}),
    ("an explanation too long", {"text": "x" * 501}),
]


_BAD_THOUGHTS: list[tuple[str, dict[str, object]]] = [
    ("a thought of two lines", {"text": "one\ntwo"}),
    ("candidates that are a list", {"candidates": ["SA"]}),
    ("a candidate that is neither call nor card", {"candidates": {"<b>": 1.0}}),
    ("a candidate without a value", {"candidates": {"SA": None}}),
    ("true for a candidate's value", {"candidates": {"SA": True}}),
    ("a candidate's value that is no number", {"candidates": {"SA": math.nan}}),
    ("a candidate's value out of bounds", {"candidates": {"SA": 1_000_001}}),
    ("too many candidates", {"candidates": dict.fromkeys(CARD_TEXTS[: MOST_CANDIDATES + 1], 0.0)}),
    ("layouts below none", {"layouts": -1}),
    ("a depth with a fraction", {"depth": 1.5}),
    ("text for seconds", {"seconds": "1"}),
    ("endless seconds", {"seconds": math.inf}),
]


def _bad_fields(models: Iterable[type[Message]]) -> Iterator[tuple[str, bytes]]:
    """Yield each message without a field that it needs, and with values just beyond limits."""
    for model in models:
        plain = _plain(least(model))
        for name, field in model.model_fields.items():
            label = f"{model.__name__}.{name}"
            if field.is_required():
                rest = {key: value for key, value in plain.items() if key != name}
                yield f"{label} is missing", msgpack.packb([rest])
            for value in _beyond(field):
                shown = f"of {len(value)} characters" if isinstance(value, str) else f"is {value}"
                yield f"{label} {shown}", msgpack.packb([{**plain, name: value}])


def _beyond(field: FieldInfo) -> Iterator[str | int]:
    for limit in field.metadata:
        for name, step in (("ge", -1), ("gt", 0), ("le", 1), ("lt", 0)):
            bound = getattr(limit, name, None)
            if bound is not None:
                yield bound + step
        length = getattr(limit, "max_length", None)
        if length is not None and field.annotation is str:
            yield "x" * (length + 1)


# One vector.


def _message(name: str, message: Message) -> Vector:
    return {
        "name": name,
        "from": _direction(type(message)),
        "json": _plain(message),
        "hex": encode(message).hex(),
    }


def _frame(name: str, by_client: bool, content: Sequence[Message]) -> Vector:  # noqa: FBT001
    return {
        "name": name,
        "from": "client" if by_client else "server",
        "json": [_plain(message) for message in content],
        "hex": frame([encode(message) for message in content]).hex(),
    }


def _read(name: str, direction: str, data: bytes, message: Message) -> Vector:
    return {"name": name, "from": direction, "json": [_plain(message)], "hex": data.hex()}


def _refused(name: str, data: bytes | str, *, welcomed: bool) -> Vector:
    session = ServerSession()
    if welcomed:
        session.receive(frame([encode(least(Hello))]))
    try:
        session.receive(data)
    except VersionMismatchError as error:
        code, text = ErrorCode.VERSION, str(error)
    except ProtocolError as error:
        code, text = ErrorCode.MALFORMED, str(error)
    else:
        raise ValueError(f"the session does not refuse {name}")
    sent = {"text": data} if isinstance(data, str) else {"hex": data.hex()}
    vector = {"name": name, "from": "client", "welcomed": welcomed, **sent}
    return {**vector, "code": code, "error": text}


def _refused_of_server(name: str, data: bytes) -> Vector:
    try:
        decode_server(data)
    except ProtocolError as error:
        return {"name": name, "from": "server", "hex": data.hex(), "error": str(error)}
    raise ValueError(f"the codec does not refuse {name}")


def _long_frame(size: int) -> bytes:
    """Return a `Leave` whose frame is so long, by an unknown field."""
    head = msgpack.packb([{"type": "Leave", "padding": "x" * MAX_FRAME}])[:-MAX_FRAME]
    rest = size - len(head)
    return head[:-4] + rest.to_bytes(4, "big") + b"x" * rest


def _filled(vector: Vector, data: bytes) -> Vector:
    """Return the vector with the run of equal bytes at its end given as a number."""
    head = data.rstrip(data[-1:])
    return {**vector, "hex": head.hex(), "fill": {"hex": "78", "times": len(data) - len(head)}}


def _wide(value: object) -> bytes:
    """Return a value as msgpack, with every length in four bytes and every number in eight."""
    if isinstance(value, dict):
        pairs = [_wide(key) + _wide(each) for key, each in value.items()]
        return b"\xdf" + len(value).to_bytes(4, "big") + b"".join(pairs)
    if isinstance(value, list):
        return b"\xdd" + len(value).to_bytes(4, "big") + b"".join(map(_wide, value))
    if isinstance(value, str):
        text = value.encode()
        return b"\xdb" + len(text).to_bytes(4, "big") + text
    assert type(value) is int, value
    return b"\xcf" + value.to_bytes(8, "big")


def data_of(vector: Vector) -> bytes | str:
    """Return the frame or message of a vector as it is sent."""
    if "text" in vector:
        text: str = vector["text"]
        return text
    fill = vector.get("fill", {"hex": "", "times": 0})
    return bytes.fromhex(vector["hex"]) + bytes.fromhex(fill["hex"]) * int(fill["times"])


def vectors() -> dict[str, Any]:
    """Return all vectors, by section."""
    return {
        "protocol": SUBPROTOCOL,
        "about": _ABOUT,
        "messages": messages(),
        "frames": frames(),
        "read": read(),
        "refused": refused(),
    }


def text() -> str:
    """Return the text of the file."""
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0] if arguments else "docs")
    folder.joinpath(NAME).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
