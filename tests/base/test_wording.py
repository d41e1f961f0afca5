"""Texts for people: one line, cells of a spreadsheet, what cannot be listened on."""

from __future__ import annotations

import asyncio
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.wording import as_text, cannot_listen, one_line


@given(text=st.text(), most=st.integers(0, 20))
def test_one_line_of_any_text_can_be_printed_and_is_no_longer_than_the_text(
    text: str, most: int
) -> None:
    assert one_line(text).isprintable()
    assert len(one_line(text)) == len(text)
    assert one_line(text, most) == one_line(text)[:most]


@given(st.sampled_from("=+-@\t\r"), st.text(min_size=1))
def test_what_would_be_a_formula_is_a_text(sign: str, rest: str) -> None:
    assert as_text(sign + rest) == f"'{sign}{rest}"


@pytest.mark.parametrize("cell", ["Ann", "1=2", "", "-", "é", " =x", -3, -0.5, None])
def test_other_cells_stay_as_they_are(cell: str | float | None) -> None:
    assert as_text(cell) == cell


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
