"""The messages of a client are the same however it frames them and the network cuts them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode
from websockets.utils import apply_mask

from bridge_arena.protocol.messages import MAX_FRAME
from tests.server.hostile import HELLO, hostile_client, upgrade
from tests.server.lobby import Lobby, open_lobby, until
from tests.server.tables import WEST

MASK = b"\x01\x02\x03\xfc"


def framed(payload: bytes, kind: int = 0x82) -> bytes:
    """Return a frame of a client; the kind is a final binary one unless another is named."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([kind]) + length + MASK + apply_mask(payload, MASK)


@asynccontextmanager
async def seated(lobby: Lobby) -> AsyncIterator[ServerConnection]:
    """Seat a client, and give the server's end of its connection."""
    async with hostile_client(int(lobby.url.rpartition(":")[2])) as client:
        await client.say(upgrade(lobby.tokens[WEST]) + HELLO)
        yield (await lobby.player(WEST)).server_end


async def received(pieces: Sequence[bytes], count: int) -> list[bytes | str]:
    """Return the first messages of a client whose data comes in these pieces."""
    async with open_lobby() as lobby, seated(lobby) as connection:
        for piece in pieces:
            connection.data_received(piece)
        return [await connection.recv() for _ in range(count)]


async def refusal(*pieces: bytes) -> int | None:
    """Return the code with which the server closes the connection after these pieces."""
    async with open_lobby() as lobby, seated(lobby) as connection:
        for piece in pieces:
            connection.data_received(piece)
        await until(lambda: connection.protocol.close_sent is not None)
        assert connection.protocol.close_sent is not None
        return connection.protocol.close_sent.code


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 128, 4000])
async def test_a_message_of_any_size_arrives(size: int) -> None:
    payload = bytes(number % 251 for number in range(size))
    assert await received([framed(payload)] * 2, 2) == [payload] * 2


@pytest.mark.parametrize("cut", range(1, len(framed(b"one")) * 2))
async def test_messages_cut_anywhere_arrive(cut: int) -> None:
    # The second message looks like a frame of its own wherever it begins a piece.
    first, second = framed(b"one"), framed(framed(b"two"))
    data = first + second
    pieces = [data[:cut], data[cut:], first]
    assert await received(pieces, 3) == [b"one", framed(b"two"), b"one"]


@pytest.mark.parametrize(
    ("between", "messages"),
    [
        (framed(b"ping", 0x89), []),
        (framed(b"pong", 0x8A), []),
        (framed(b"text", 0x81), ["text"]),
        (framed(b"in ", 0x02) + framed(b"two", 0x80), [b"in two"]),
        (framed(b"one") + framed(b"two"), [b"one", b"two"]),
        # The longer form of a length, where the shorter would do.
        (b"\x82\xfe\x00\x7d" + MASK + apply_mask(bytes(125), MASK), [bytes(125)]),
    ],
)
async def test_other_frames_between_messages_change_nothing(
    between: bytes, messages: list[bytes | str]
) -> None:
    pieces = [framed(b"first"), between, framed(b"last")]
    assert await received(pieces, 2 + len(messages)) == [b"first", *messages, b"last"]


async def test_a_message_within_fragments_ends_the_connection() -> None:
    assert await refusal(framed(b"in ", 0x02), framed(b"one")) == CloseCode.PROTOCOL_ERROR


async def test_a_frame_that_is_too_long_ends_the_connection() -> None:
    head = b"\x82\xff" + (MAX_FRAME + 1).to_bytes(8, "big")
    assert await refusal(head + MASK + bytes(MAX_FRAME + 1)) == CloseCode.MESSAGE_TOO_BIG


async def test_a_frame_without_a_mask_ends_the_connection() -> None:
    assert await refusal(b"\x82\x03one" + bytes(4)) == CloseCode.PROTOCOL_ERROR
