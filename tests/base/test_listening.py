"""How a server says that it cannot listen."""

from __future__ import annotations

import asyncio
import socket

import pytest

from bridge_arena.base.listening import cannot_listen


async def open_with_asyncio(port: int) -> None:
    await asyncio.start_server(lambda *_: None, "127.0.0.1", port)


def test_both_ways_to_listen_tell_a_port_in_use_alike() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(OSError) as here:  # noqa: PT011
            socket.create_server(("127.0.0.1", port))
        with pytest.raises(OSError) as there:  # noqa: PT011
            asyncio.run(open_with_asyncio(port))
    told = f"cannot listen on 127.0.0.1 port {port}: Address already in use"
    place = f"127.0.0.1 port {port}"
    assert cannot_listen(place, here.value) == cannot_listen(place, there.value) == told


def test_a_name_that_is_not_found() -> None:
    with pytest.raises(socket.gaierror) as failed:
        socket.getaddrinfo("256.0.0.1", 0, flags=socket.AI_NUMERICHOST)
    assert cannot_listen("256.0.0.1 port 0", failed.value).endswith(str(failed.value.strerror))


def test_an_error_without_a_number_is_told_in_its_own_words() -> None:
    assert cannot_listen("x", OSError("no room")) == "cannot listen on x: no room"
