"""Frames: the forms in which a server may send messages, and how frames are shown."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from enum import Enum, auto
from typing import Any

import msgpack

from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import Message


class WireForm(Enum):
    PLAIN = auto()  # as the server sends them
    GATHERED = auto()  # as many in a frame as may wait, whatever the delivery
    SINGLE = auto()  # each in a frame of its own
    FRAGMENTED = auto()  # each frame in several websocket frames
    GROWN = auto()  # with fields that a bot cannot know


def packed(message: Message, form: WireForm) -> bytes:
    if form is not WireForm.GROWN:
        return encode(message)
    grown: bytes = msgpack.packb(_grown(message.model_dump(exclude_none=True)))
    return grown


def frames(messages: list[bytes], form: WireForm) -> list[bytes]:
    if form is WireForm.SINGLE:
        return [frame([message]) for message in messages]
    return [frame(messages)]


def fragments(data: bytes) -> Iterator[bytes]:
    """Yield a frame in three parts, none of which ends with a message."""
    third = max(1, len(data) // 3)
    yield data[:third]
    yield data[third : 2 * third]
    yield data[2 * third :]


_UNKNOWN: dict[str, Any] = {
    "x_text": "new",
    "x_number": 7,
    "x_list": [1, [2, "three"], {}],
    "x_map": {"type": "YourTurn", "seq": 0},
    "x_truth": False,
}


def _grown(value: dict[str, Any]) -> dict[str, Any]:
    """Return a map with unknown fields before and after its own, and in its explanation too."""
    # The ranges of an explanation are keyed by suit, so they get no unknown fields.
    inner = value.get("explanation")
    known = {**value, "explanation": _grown(inner)} if isinstance(inner, dict) else value
    first = dict(list(_UNKNOWN.items())[:2])
    return {**first, **known, **_UNKNOWN}


LONGEST = 2000  # the most characters of a frame as JSON; of a longer one the beginning is shown


def readable_frame(data: bytes | str) -> Any:
    """Return a frame as JSON has it, or as text if it is no msgpack or very long."""
    if isinstance(data, str):
        return f"text frame: {data[:LONGEST]}"
    try:
        value = _plain(msgpack.unpackb(data, strict_map_key=False))
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError):
        return f"{len(data)} bytes, not msgpack: {data[:64].hex(' ')}"
    return value if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def readable_message(message: Message) -> Any:
    """Return a message as JSON has it, its type first."""
    return {"type": None, **message.model_dump(exclude_none=True)}


def printable(text: str) -> str:
    """Return a bot's text with control characters escaped, safe for a terminal."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return repr(value)
