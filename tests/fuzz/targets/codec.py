"""The codec in both directions: bytes are refused, or are messages that can be encoded again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import MAX_FRAME, Message
from docs.generators.protocol_vectors import data_of, frames, messages, read, refused


def check(data: bytes) -> None:
    """The bytes as a client's frame, and as a server's."""
    _check_frame(decode_client, data)
    _check_frame(decode_server, data)
    with suppress(ProtocolError):
        decode_client(data.decode("latin-1"))
        raise AssertionError("a text frame was read")


def _check_frame(decode: Callable[[bytes | str], Sequence[Message]], data: bytes) -> None:
    try:
        found = [encode(message) for message in decode(data)]
    except ProtocolError as error:
        if len(str(error)) > 300:
            raise AssertionError("the error repeats the frame") from error
        return
    # Told again it may be longer, for what was left out is said.
    again = frame(found)
    if len(again) <= MAX_FRAME:
        # Compared as bytes: NaN is not equal to itself.
        assert [encode(message) for message in decode(again)] == found


def seeds() -> list[bytes]:
    """Every test vector that is no text frame."""
    found = [data_of(vector) for vector in [*frames(), *read(), *refused()]]
    bare = [data_of(vector) for vector in messages()]
    whole = [b"\x91" + data for data in bare if isinstance(data, bytes)]
    return [*whole, *(data for data in found if isinstance(data, bytes))]
