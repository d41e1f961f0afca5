"""Those who come and do not sit down, and those who send too much: nobody else is disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection

from bridge.record import FaultKind
from bridge.seats import SEATS, Seat
from protocol.codec import encode, frame
from protocol.messages import PlayCard
from protocol.visibility import Viewer
from server import doorkeeper as doorkeeper_module
from server import gateway as gateway_module
from server.doorkeeper import Doorkeeper
from server.driver import play_board
from server.players import LocalPlayer, Player
from server.table import Table
from tests.server.lobby import HandBot, Lobby, hand_bot, open_lobby, shrink, until
from tests.server.tables import WEST, Lowly, new_table

HOST, OTHER_HOST = "127.0.0.1", "127.0.0.2"

OTHERS = Lowly({0: "1NT"})


# The count.


def test_so_many_wait_and_so_many_from_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper_module, "MOST_WAITING", 5)
    monkeypatch.setattr(doorkeeper_module, "MOST_FROM_ONE", 3)
    keeper = Doorkeeper()
    assert [keeper.comes("a") for _ in range(5)] == [True, True, True, False, False]
    assert [keeper.comes("b") for _ in range(3)] == [True, True, False]
    assert (keeper.waiting, keeper.turned_away) == (5, 3)
    keeper.sits_or_goes("a")
    assert keeper.comes("b")
    assert not keeper.comes("a")  # there would be room from there, but not in all
    for address in "aabbb":
        keeper.sits_or_goes(address)
    assert keeper.waiting == 0
    assert not keeper._waiting


# Those who wait.


class Crowd:
    """Bare connections that say nothing."""

    def __init__(self, lobby: Lobby) -> None:
        self._address = lobby.url.removeprefix("ws://").split(":")
        self.writers: list[asyncio.StreamWriter] = []
        self.readers: list[asyncio.StreamReader] = []

    async def come(self, number: int, host: str = HOST) -> None:
        for _ in range(number):
            name, port = self._address
            reader, writer = await asyncio.open_connection(name, int(port), local_addr=(host, 0))
            self.readers.append(reader)
            self.writers.append(writer)

    @property
    def sent_away(self) -> int:
        """How many of them the server has closed."""
        return sum(reader.at_eof() for reader in self.readers)

    def go(self) -> None:
        for writer in self.writers:
            writer.transport.abort()


@asynccontextmanager
async def crowd(lobby: Lobby) -> AsyncIterator[Crowd]:
    people = Crowd(lobby)
    try:
        yield people
    finally:
        people.go()


async def test_a_crowd_keeps_nobody_else_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper_module, "MOST_FROM_ONE", 20)
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        keeper = lobby.gateway.doorkeeper
        await until(lambda: keeper.waiting == 0)
        async with crowd(lobby) as people:
            await people.come(300)
            await until(lambda: keeper.waiting + keeper.turned_away == 300)
            assert keeper.waiting == 20
            await until(lambda: people.sent_away == 280)
            # Who sits already plays on.
            table = await play(lobby, bot)
            assert table.faults == []
            # Who comes from elsewhere is let in.
            await people.come(1, OTHER_HOST)
            await until(lambda: keeper.waiting == 21)
            assert keeper.turned_away == 280
        await until(lambda: keeper.waiting == 0)
        async with hand_bot(lobby, SEATS[0]) as late:
            await late.back()


async def test_crowds_from_everywhere_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper_module, "MOST_FROM_ONE", 20)
    monkeypatch.setattr(doorkeeper_module, "MOST_WAITING", 30)
    async with open_lobby() as lobby, crowd(lobby) as people:
        keeper = lobby.gateway.doorkeeper
        await people.come(40)
        await people.come(40, OTHER_HOST)
        await until(lambda: keeper.waiting + keeper.turned_away == 80)
        assert keeper.waiting == 30


async def test_who_sits_waits_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper_module, "MOST_FROM_ONE", 1)
    async with open_lobby() as lobby, AsyncExitStack() as bots:
        for seat in SEATS:
            bot = await bots.enter_async_context(hand_bot(lobby, seat))
            await bot.back()
        assert lobby.gateway.doorkeeper.waiting == 0
        assert lobby.gateway.doorkeeper.turned_away == 0


# Those who do not come to the point.


REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"


@pytest.mark.parametrize("said", [b"", b"G", REQUEST])
async def test_half_a_request_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 0.05)
    async with open_lobby() as lobby, crowd(lobby) as people:
        await people.come(10)
        for writer in people.writers:
            writer.write(said)
        async with asyncio.timeout(gateway_module.CLOSE_SECONDS):
            answers = await asyncio.gather(*(reader.read() for reader in people.readers))
        assert set(answers) == {b""}
        await until(lambda: lobby.gateway.doorkeeper.waiting == 0)
        async with hand_bot(lobby, WEST) as bot:
            await bot.back()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (REQUEST + b"X: " + b"x" * 20000 + b"\r\n\r\n", b"431"),
        (REQUEST + b"X: y\r\n" * 200 + b"\r\n", b"431"),
        (b"x" * 100_000, b"414"),
        (b"\x16\x03\x01\x02\x00" + bytes(600) + b"\r\n", b""),
        (b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n", b""),
    ],
    ids=["path", "header", "headers", "no end", "TLS", "POST"],
)
async def test_what_is_no_request_is_answered_briefly_and_cut(
    monkeypatch: pytest.MonkeyPatch, request_: bytes, status: bytes
) -> None:
    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 0.2)
    async with open_lobby() as lobby, crowd(lobby) as people:
        await people.come(1)
        people.writers[0].write(request_)
        try:
            answer = await people.readers[0].read()
        except ConnectionError:
            answer = b""
        assert len(answer) < 500
        assert not answer or answer.split()[1].startswith(status or b"4")
        await until(lambda: lobby.gateway.doorkeeper.waiting == 0)
        async with hand_bot(lobby, WEST) as bot:
            await bot.back()


# Those who sit, and send too much.


async def play(lobby: Lobby, bot: HandBot) -> Table:
    """A board, where the bot is West and plays as it should."""
    players: dict[Seat, Player] = {seat: LocalPlayer(Viewer(seat), OTHERS) for seat in SEATS}
    players[WEST] = lobby.places[WEST]
    table = new_table()
    playing = asyncio.create_task(play_board(table, players))
    playing_on = asyncio.create_task(bot.play_on())
    await playing
    await lobby.places[WEST].say_goodbye("over")
    await playing_on
    return table


async def pour(connection: ClientConnection, data: bytes, total: int) -> int:
    """Write and write, as fast as it is read: how much went, until it is not read any more,
    the connection is lost, or all is gone."""
    transport = connection.transport
    written = 0
    while written < total and not transport.is_closing():
        transport.write(data)
        written += len(data)
        for _ in range(200):
            if transport.get_write_buffer_size() == 0 or transport.is_closing():
                break
            await asyncio.sleep(0)
        else:
            return written
    return written


async def test_a_flood_of_pings_whose_answers_are_not_read_is_cut_off() -> None:
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        link = lobby.places[WEST]._link
        assert link is not None
        shrink(link.connection)
        bot.connection.transport.pause_reading()
        ping = b"\x89\xfd" + bytes(4) + bytes(125)
        await pour(bot.connection, ping * 100, 100_000_000)
        await until(lambda: not lobby.places[WEST].is_connected)
        assert "connection lost" in await lobby.news[WEST].get()
        bot.connection.transport.abort()


def masked(payload: bytes) -> bytes:
    """A binary frame as a client sends it; the mask is zero."""
    size = len(payload)
    assert 126 <= size < 2**16 or size < 126
    head = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x82" + head + bytes(4) + payload


STALE = frame([encode(PlayCard(table="A1", board=1, seq=1, card="SA"))] * 8)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("flood", "kinds"),
    [
        (b"garbage" * 100, {FaultKind.MALFORMED}),
        (STALE, {FaultKind.MALFORMED}),
        (frame([]), {FaultKind.TIMEOUT}),
    ],
    ids=["garbage", "stale", "empty"],
)
@pytest.mark.parametrize("when", ["out of turn", "in turn"])
async def test_a_flood_of_frames_costs_only_who_sends_it(
    flood: bytes, kinds: set[FaultKind], when: str
) -> None:
    async with open_lobby(seconds=0.05) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        players: dict[Seat, Player] = {seat: LocalPlayer(Viewer(seat), OTHERS) for seat in SEATS}
        players[WEST] = lobby.places[WEST]
        table = new_table(control="0.05")
        quick = play_board(
            other := new_table(), {seat: LocalPlayer(Viewer(seat), OTHERS) for seat in SEATS}
        )
        flooding = pour(bot.connection, masked(flood) * 20, 50_000_000)
        link = lobby.places[WEST]._link
        assert link is not None
        if when == "out of turn":
            written = await flooding
            # The server has stopped reading: what it holds is no more than one read brings.
            assert written < 50_000_000
            assert len(link.connection.recv_messages.frames) * len(flood) < 400_000
            pouring = None
        else:
            pouring = asyncio.create_task(flooding)
        playing = asyncio.create_task(play_board(table, players))
        await quick
        assert other.score is not None
        await playing
        assert table.score is not None
        assert {fault.seat for fault in table.faults} == {WEST}
        assert {fault.kind for fault in table.faults} <= kinds | {FaultKind.TIMEOUT}
        bot.connection.transport.abort()
        if pouring is not None:
            await pouring


def test_where_there_is_little_room_few_may_wait() -> None:
    doorkeeper = Doorkeeper()
    doorkeeper.expected, doorkeeper.room = 4, 2
    assert [doorkeeper.comes("a") for _ in range(8)] == [True] * 6 + [False] * 2
    doorkeeper.sits_or_goes("a")
    assert doorkeeper.comes("b")
