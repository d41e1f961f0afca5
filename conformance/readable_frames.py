"""Frames and messages in a form for people and JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import msgpack

from bridge_arena.protocol.messages import Message

LONGEST = 2000
"""The most characters of a frame as JSON; of a longer one the beginning is shown."""


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
