"""Clients that do not sit down or send too much disturb nobody else."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from hypothesis.strategies import DataObject, data, integers, sampled_from
from websockets.asyncio.client import ClientConnection

from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import PlayCard
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server import connection_limits
from bridge_arena.server import gateway as gateway_module
from bridge_arena.server.connection_limits import ConnectionLimits, Visit, origin
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from tests.patience import PATIENCE
from tests.server.lobby import HandBot, Lobby, connected, hand_bot, open_lobby, shrink, until
from tests.server.tables import WEST, Lowly, new_table

HOST, OTHER_HOST = "127.0.0.1", "127.0.0.2"

OTHERS = Lowly({0: "1NT"})


# The count.


class Callers:
    """Those who come in, each by a number of its own; `here`: who was not cut."""

    def __init__(self, keeper: ConnectionLimits) -> None:
        self.keeper = keeper
        self.visits: dict[int, Visit] = {}
        self.here: set[int] = set()

    def come(self, address: str) -> int:
        number = len(self.visits)
        self.here.add(number)
        self.visits[number] = self.keeper.comes(address, lambda: self.here.remove(number))
        return number

    def show(self, number: int, token: str) -> None:
        self.keeper.shows(self.visits[number], token)

    def leave(self, number: int) -> None:
        self.keeper.sits_or_goes(self.visits[number])
        self.here.discard(number)


@pytest.fixture
def callers(monkeypatch: pytest.MonkeyPatch) -> Callers:
    """Limits of five connections in all, and three from one address."""
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 3)
    keeper = ConnectionLimits()
    keeper.room = 5
    return Callers(keeper)


def test_the_first_of_too_many_from_one_address_is_cut(callers: Callers) -> None:
    for _ in range(4):
        callers.come("a")
    assert callers.here == {1, 2, 3}
    assert (callers.keeper.waiting, callers.keeper.turned_away) == (3, 1)


def test_the_first_of_the_largest_crowd_is_cut_where_all_are_too_many(callers: Callers) -> None:
    for address in "bbaaa":
        callers.come(address)
    callers.come("c")
    assert callers.here == {0, 1, 3, 4, 5}
    callers.come("d")  # two from a, two from b: b was here first
    assert callers.here == {1, 3, 4, 5, 6}


def test_the_first_is_cut_of_many_that_come_from_an_address_each(callers: Callers) -> None:
    for number in range(100):
        callers.come(f"10.0.0.{number}")
    assert callers.here == {95, 96, 97, 98, 99}


def test_a_client_with_a_good_token_is_no_stranger_any_more(callers: Callers) -> None:
    callers.show(callers.come("a"), "token")
    for _ in range(100):
        callers.come("a")
    assert callers.here == {0, 98, 99, 100}


def test_clients_of_one_token_who_never_sit_down_are_bounded(callers: Callers) -> None:
    honest = callers.come("a")
    callers.show(honest, "honest")
    for number in range(100):
        callers.show(callers.come(f"10.0.0.{number}"), "greedy")
    assert callers.here == {honest, 98, 99, 100}


def test_a_client_that_was_cut_or_sat_down_is_not_counted_again(callers: Callers) -> None:
    for _ in range(4):
        callers.come("a")
    callers.leave(0)
    callers.show(0, "late")
    assert callers.keeper.waiting == 3
    for number in (1, 2, 3, 3):
        callers.leave(number)
    assert callers.keeper.waiting == 0


def test_expected_bots_may_all_come_at_once_from_one_address(
    callers: Callers,
) -> None:
    callers.keeper.expected = 4
    for _ in range(8):
        callers.come("a")
    assert len(callers.here) == 7
    callers.keeper.expected = 0  # they are not, after all
    callers.come("a")
    assert callers.here == {6, 7, 8}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8:0:0:ffff::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("", "/run/socket", False),
    ],
)
def test_addresses_of_one_line_are_one_origin(one: str, other: str, *, same: bool) -> None:
    assert (origin(one) == origin(other)) == same


class Door(RuleBasedStateMachine):
    """Whoever comes, goes, shows a token or sits down, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.keeper = ConnectionLimits()
        self.keeper.room = 6
        self.callers = Callers(self.keeper)
        # Where those come from who have no token, by number; and the tokens of the others.
        self.strangers: dict[int, str] = {}
        self.known: dict[int, str] = {}

    @rule(address=sampled_from("abcdefgh"))
    def comes(self, address: str) -> None:
        before = set(self.callers.here)
        number = self.callers.come(address)
        assert number in self.callers.here, "the newest is never cut"
        crowds = Counter(self.strangers[n] for n in before if n in self.strangers)
        for gone in before - self.callers.here:
            assert gone in self.strangers, "a stranger costs none its place who has a token"
            crowds[address] += 1
            assert crowds[self.strangers[gone]] == max(crowds.values())
            crowds[address] -= 1
        self.strangers[number] = address

    @precondition(lambda self: self.waiting(self.strangers))
    @rule(data=data(), token=sampled_from("xyz"))
    def shows(self, data: DataObject, token: str) -> None:
        number = data.draw(sampled_from(self.waiting(self.strangers)))
        others = set(self.waiting(self.strangers)) - {number}
        self.callers.show(number, token)
        self.known[number] = token
        del self.strangers[number]
        assert number in self.callers.here
        assert others <= self.callers.here

    @precondition(lambda self: self.callers.here)
    @rule(data=data())
    def leaves(self, data: DataObject) -> None:
        number = data.draw(sampled_from(sorted(self.callers.here)))
        self.callers.leave(number)
        self.strangers.pop(number, None)
        self.known.pop(number, None)

    @rule(number=integers(0, 3))
    def expects(self, number: int) -> None:
        # They never fall here: lower bounds hold from the next arrival on.
        self.keeper.expected = max(self.keeper.expected, number)

    @invariant()
    def bounds_hold(self) -> None:
        waiting = [self.waiting(self.strangers), self.waiting(self.known)]
        assert sum(map(len, waiting)) == self.keeper.waiting
        for numbers, origins in zip(waiting, (self.strangers, self.known), strict=True):
            assert len(numbers) <= self.keeper.room + self.keeper.expected
            share = Counter(origins[number] for number in numbers)
            most = connection_limits.MOST_FROM_ONE + self.keeper.expected
            assert all(count <= most for count in share.values())

    def waiting(self, origins: dict[int, str]) -> list[int]:
        return sorted(self.callers.here & set(origins))


def test_the_limits_hold_under_any_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 4)
    run_state_machine_as_test(Door)


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
        """Return how many of them the server has closed."""
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


async def test_a_crowd_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 20)
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        keeper = lobby.gateway.limits
        await until(lambda: keeper.waiting == 0)
        async with crowd(lobby) as people:
            await people.come(300)
            await until(lambda: keeper.turned_away == 280)
            assert keeper.waiting == 20
            await until(lambda: people.sent_away == 280)
            # Who sits already plays on.
            table = await play(lobby, bot)
            assert table.faults == []
            # Who comes is let in, from the same address too.
            async with hand_bot(lobby, SEATS[0]) as late:
                await late.back()
        await until(lambda: keeper.waiting == 0)


async def test_crowds_from_several_addresses_are_bounded() -> None:
    async with open_lobby() as lobby, crowd(lobby) as people:
        keeper = lobby.gateway.limits
        keeper.room = 30
        await people.come(40)
        await people.come(40, OTHER_HOST)
        await until(lambda: keeper.turned_away == 50)
        assert keeper.waiting == 30


async def test_clients_of_one_token_do_not_keep_out_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 3)
    async with open_lobby() as lobby, AsyncExitStack() as greedy:
        keeper = lobby.gateway.limits
        keeper.room = 5
        async with connected(lobby.url, lobby.tokens[WEST]) as slow:
            for seat in [SEATS[0]] * 10 + [SEATS[1]] * 10:
                await greedy.enter_async_context(connected(lobby.url, lobby.tokens[seat]))
            await until(lambda: keeper.turned_away == 16)
            assert keeper.waiting == 5
            await slow.send(ClientSession("slow").hello())
            await lobby.player(WEST)


async def test_a_client_that_has_sat_down_is_no_longer_counted_as_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 1)
    async with open_lobby() as lobby, AsyncExitStack() as bots:
        for seat in SEATS:
            bot = await bots.enter_async_context(hand_bot(lobby, seat))
            await bot.back()
        assert lobby.gateway.limits.waiting == 0
        assert lobby.gateway.limits.turned_away == 0


# Those who do not come to the point.


REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"


@pytest.mark.parametrize("said", [b"", b"G", REQUEST])
async def test_half_a_request_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 1)
    async with open_lobby() as lobby, crowd(lobby) as people:
        await people.come(10)
        for writer in people.writers:
            writer.write(said)
        async with asyncio.timeout(PATIENCE):
            answers = await asyncio.gather(*(reader.read() for reader in people.readers))
        assert set(answers) == {b""}
        await until(lambda: lobby.gateway.limits.waiting == 0)
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
async def test_bytes_that_are_no_request_are_answered_briefly_and_cut(
    monkeypatch: pytest.MonkeyPatch, request_: bytes, status: bytes
) -> None:
    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 1)
    async with open_lobby() as lobby, crowd(lobby) as people:
        await people.come(1)
        people.writers[0].write(request_)
        try:
            answer = await people.readers[0].read()
        except ConnectionError:
            answer = b""
        assert len(answer) < 500
        assert not answer or answer.split()[1].startswith(status or b"4")
        await until(lambda: lobby.gateway.limits.waiting == 0)
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
        shrink(lobby.places[WEST].server_end)
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
        server_end = lobby.places[WEST].server_end
        if when == "out of turn":
            written = await flooding
            # The server has stopped reading: what it holds is no more than one read brings.
            assert written < 50_000_000
            assert len(server_end.recv_messages.frames) * len(flood) < 400_000
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
