"""The codecs: a frame is one msgpack array of messages, each a map; a page gets JSON text.

Each message is encoded by itself, so that one encoding serves every viewer who may see the same,
and a frame is put together from encoded messages.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, get_args

import msgpack
from pydantic import ConfigDict, FailFast, Field, TypeAdapter, ValidationError

from bridge_arena.bridge.calls import CALL_TEXTS, Call
from bridge_arena.bridge.cards import CARD_TEXTS, Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import ModelUse
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    Answer,
    AnswerClaim,
    AnswerUndo,
    BoardEvent,
    BoardMessage,
    Claim,
    ClientMessage,
    Explain,
    MakeCall,
    Message,
    PlayCard,
    ServerMessage,
    Undo,
)
from bridge_arena.protocol.types import write_explanation, write_model_use

MOST_ENTRIES = 64
"""The most entries of a list or map in a client's frame."""

MOST_NESTED = 256
"""The most lists and maps in a client's frame."""

_TEXT_LIMIT = 300
"""The most characters of an error message, which may quote what the other end sent."""

# Stop at the first error, so that a frame of many errors costs no more than one.
_DEFERRED = ConfigDict(defer_build=True)
_CLIENT: TypeAdapter[list[ClientMessage]] = TypeAdapter(
    Annotated[list[ClientMessage], FailFast()], config=_DEFERRED
)
_SERVER: TypeAdapter[list[ServerMessage]] = TypeAdapter(
    Annotated[list[ServerMessage], FailFast()], config=_DEFERRED
)
# What a person's page may answer; it always has an action, and may take it back.
_OF_PERSON: TypeAdapter[Answer] = TypeAdapter(
    Annotated[
        MakeCall | PlayCard | Claim | AnswerClaim | Explain | Undo | AnswerUndo,
        Field(discriminator="type"),
    ],
    config=_DEFERRED,
)


def build() -> None:
    """Build the models of all messages, which otherwise are built when they are first used."""
    for adapter in (_CLIENT, _SERVER):
        adapter.rebuild()


_SEQ_AT = 1 + len(msgpack.packb("seq"))
"""The offset of an event's number in its encoding. The map's header takes one byte, as no event
has more than 15 fields."""


def encode(message: Message) -> bytes:
    """Return a message as msgpack; fields that are None are left out."""
    return _PACKERS.pack(_present(message))


def _present(message: Message) -> dict[str, Any]:
    # Far quicker than `model_dump`, which looks at every value once more.
    return {name: value for name, value in vars(message).items() if value is not None}


_PLAIN: dict[type, Callable[[Any], Any]] = {
    Card: CARD_TEXTS.__getitem__,
    Call: CALL_TEXTS.__getitem__,
    Seat: "NESW".__getitem__,
    Explanation: write_explanation,
    ModelUse: write_model_use,
    tuple: list,
    **dict.fromkeys(get_args(get_args(BoardMessage)[0]), _present),  # in a snapshot
}
"""What makes a value that msgpack does not know travel; any other type travels as its text."""


def _plain(value: Any) -> Any:
    return _PLAIN.get(type(value), str)(value)


class _Packers(threading.local):
    """The packer of a thread: a new one for each message would take most of the time."""

    def __init__(self) -> None:
        self.pack: Callable[[Any], bytes] = msgpack.Packer(strict_types=True, default=_plain).pack


_PACKERS = _Packers()


def around_seq(event: BoardEvent) -> tuple[bytes, bytes]:
    """Return the encoding of an event before and after its number.

    Another number, which is the event's first field, may stand between the two parts.
    """
    encoded = encode(event)
    return encoded[:_SEQ_AT], encoded[_SEQ_AT + len(packed_seq(event.seq)) :]


@lru_cache(maxsize=1024)
def packed_seq(seq: int) -> bytes:
    """Return an event's number as it stands in the encoding of the event."""
    packed: bytes = msgpack.packb(seq)
    return packed


_HEADER = 3
"""The most bytes that `frame` puts before the messages."""


def frame(messages: Sequence[bytes]) -> bytes:
    """Return one frame of encoded messages."""
    count = len(messages)
    # msgpack's array header: one byte up to 15 elements, else three.
    header = bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")
    return header + b"".join(messages)


def frames(messages: Sequence[bytes]) -> Iterator[bytes]:
    """Yield frames of encoded messages, none longer than `MAX_FRAME` unless one message is."""
    if messages and _HEADER + sum(map(len, messages)) <= MAX_FRAME:
        yield frame(messages)
        return
    part: list[bytes] = []
    size = _HEADER
    for message in messages:
        size += len(message)
        if part and size > MAX_FRAME:
            yield frame(part)
            part, size = [], _HEADER + len(message)
        part.append(message)
    if part:
        yield frame(part)


def decode_client(data: bytes | str) -> list[ClientMessage]:
    """Return the messages of a client's frame; raise ProtocolError if it is not of the protocol."""
    return _decode(_CLIENT, data, _unpack_bounded)


def decode_server(data: bytes | str) -> list[ServerMessage]:
    """Return the messages of a server's frame; raise ProtocolError if it is not of the protocol."""
    return _decode(_SERVER, data, msgpack.unpackb)


def _unpack_bounded(data: bytes) -> Any:
    """Unpack a frame whose sender may mean to cost time.

    What a frame declares is made before it has come, and the event loop waits for that: nested
    lists of thousands of entries, thousands of small maps, or of values of msgpack's extensions.
    """
    left = iter(range(MOST_NESTED))

    def count(value: Any) -> Any:
        if next(left, None) is None:
            raise ValueError(f"more than {MOST_NESTED} lists and maps")
        return value

    return msgpack.unpackb(
        data,
        max_array_len=MOST_ENTRIES,
        max_map_len=MOST_ENTRIES,
        max_ext_len=0,
        list_hook=count,
        object_hook=count,
        ext_hook=_refuse_extension,
    )


def _refuse_extension(code: int, _: bytes) -> Any:
    raise ValueError(f"extension {code} has no meaning here")


def _decode(
    adapter: TypeAdapter[list[Any]], data: bytes | str, unpack: Callable[[bytes], Any]
) -> list[Any]:
    if isinstance(data, str):
        raise ProtocolError("expected a binary frame, received a text frame")
    if len(data) > MAX_FRAME:
        raise ProtocolError(f"expected at most {MAX_FRAME} bytes, received {len(data)}")
    try:
        return adapter.validator.validate_python(unpack(data))  # type: ignore[no-any-return]
    except ValidationError as error:
        raise ProtocolError(_complaint(error)) from None
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise ProtocolError(_brief(f"the frame is not msgpack: {reason}")) from None


def _complaint(error: ValidationError) -> str:
    """Return the first error of a frame in one line."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    where = f"message field {place}" if place else "the frame"
    return _brief(f"{where}: {first['msg']}")


def _brief(text: str) -> str:
    return text if len(text) <= _TEXT_LIMIT else f"{text[: _TEXT_LIMIT - 1]}…"


def text_of(message: Message) -> str:
    """Return a message as JSON in one line, for a page; fields that are None are left out."""
    return message.model_dump_json(exclude_none=True)


def read_answer(text: str) -> Answer:
    """Read the answer of a person from JSON, as a page sends it; else raise ProtocolError."""
    if len(text) > MAX_FRAME:
        raise ProtocolError(f"expected at most {MAX_FRAME} characters, received {len(text)}")
    try:
        return _OF_PERSON.validate_json(text)
    except ValidationError as error:
        raise ProtocolError(_complaint(error)) from None
