"""Tests of spectators over real sockets: what they see, and that no player waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.connection import ConnectionFailedError
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    BoardShown,
    CallMade,
    Error,
    Goodbye,
    Hello,
    MakeCall,
    ServerMessage,
    Snapshot,
    Welcome,
)
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Kibitzer, Viewer
from bridge_arena.server import gateway as gateway_module
from bridge_arena.server import kibitzers as kibitzers_module
from bridge_arena.server.driver import play_board
from bridge_arena.server.feed import Feed
from bridge_arena.server.kibitzers import Balcony, Kibitzers
from bridge_arena.server.link import ClientLink
from bridge_arena.server.players import LocalPlayer, Player
from tests.patience import PATIENCE
from tests.server.links import FakeConnection, Onlooker
from tests.server.lobby import (
    Gated,
    Lobby,
    connected,
    hand_bot,
    open_lobby,
    shrink,
    stop_reading,
    until,
)
from tests.server.tables import (
    DEAL,
    NORTH,
    WEST,
    Lowly,
    RecordingTable,
    faults,
    in_no_time,
    kinds,
    new_table,
    shown_to,
)

TOKEN = "token of kibitzers"


class Explainer(Lowly):
    """North opens 1NT, alerted; all calls are explained."""

    def __init__(self, text: str = "what it means") -> None:
        super().__init__({0: "1NT"})
        self.text = text

    def call(self, view: View) -> MadeCall:
        call = super().call(view)
        assert isinstance(call, Call)
        return MadeCall(call, alert=call.is_bid, explanation=Explanation(self.text))


class Kibitzing:
    """A spectator, and everything that it received."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[ServerMessage] = []

    async def hear(self) -> list[ServerMessage]:
        messages = decode_server(await self.connection.recv())
        self.heard += messages
        return messages

    async def hear_boards(self, number: int) -> None:
        """Until so many are over."""
        while kinds(self.heard).count("BoardEnd") < number:
            await self.hear()

    async def hear_out(self) -> None:
        """Until the connection is closed."""
        while True:
            try:
                await self.hear()
            except ConnectionClosed:
                return


@asynccontextmanager
async def kibitzer(lobby: Lobby, hello: Hello | None = None) -> AsyncIterator[Kibitzing]:
    """One who has said Hello."""
    async with connected(lobby.url, TOKEN) as connection:
        await connection.send(frame([encode(hello or Hello(name="kibitzer"))]))
        yield Kibitzing(connection)


class Watched(Balcony):
    """Those who watch a table, with their connections in the order in which they came."""

    def __init__(self, feed: Feed) -> None:
        super().__init__(feed)
        self.server_ends: list[ServerConnection] = []

    async def attach(self, link: ClientLink) -> None:
        self.server_ends.append(link.connection)
        await super().attach(link)


@asynccontextmanager
async def open_gallery() -> AsyncIterator[tuple[Lobby, list[Feed]]]:
    """A lobby with two tables to watch."""
    feeds = [Feed(Welcome(table=f"table {n}", event="Test")) for n in (1, 2)]
    async with asyncio.timeout(PATIENCE), open_lobby() as lobby:
        kibitzers = lobby.admissions[TOKEN] = Kibitzers(feeds)
        kibitzers.balconies[:] = map(Watched, feeds)
        yield lobby, feeds


def balcony(lobby: Lobby, feed: Feed) -> Watched:
    """Return who watches a table."""
    kibitzers = lobby.admissions[TOKEN]
    assert isinstance(kibitzers, Kibitzers)
    watched = next(each for each in kibitzers.balconies if each.feed is feed)
    assert isinstance(watched, Watched)
    return watched


async def say_goodbye(lobby: Lobby, feed: Feed) -> None:
    feed.end("over")
    await asyncio.wait(balcony(lobby, feed).showing)


def players(bot: Lowly) -> dict[Seat, Player]:
    return {seat: LocalPlayer(Viewer(seat), bot) for seat in SEATS}


def shown(table: RecordingTable) -> list[ServerMessage]:
    """Return what a kibitzer may see of a board."""
    return shown_to(Kibitzer(), table.events)  # type: ignore[return-value]


# What is seen.


async def test_a_kibitzer_sees_all_hands_and_what_every_call_means() -> None:
    async with open_gallery() as (lobby, (feed, _)), kibitzer(lobby) as watching:
        assert await watching.hear() == [feed.welcome]
        assert feed.welcome.seat is None
        table = new_table()
        await play_board(table, players(Explainer()), kibitzers=[feed])
        rest = asyncio.create_task(watching.hear_out())
        await say_goodbye(lobby, feed)
        await rest
        assert watching.heard == [feed.welcome, *shown(table), Goodbye(reason="over")]
        (board, *_) = watching.heard[1:]
        assert isinstance(board, BoardShown)
        assert board.deal == DEAL
        calls = [message for message in watching.heard if isinstance(message, CallMade)]
        assert [call.alert for call in calls] == [True, False, False, False]
        assert all(call.explanation is not None for call in calls)
        assert not {"YourTurn", "Error", "BoardStart"} & set(kinds(watching.heard).split())


async def test_a_kibitzer_who_comes_midway_and_comes_back_misses_nothing() -> None:
    async with open_gallery() as (lobby, (feed, _)):
        table, bot = new_table(), Explainer()
        seated = players(bot)
        west = seated[WEST] = Gated(WEST, bot)
        playing = asyncio.create_task(play_board(table, seated, kibitzers=[feed]))
        await until(lambda: len(table.calls) == 3)
        async with kibitzer(lobby) as watching:
            (welcome, snapshot) = await watching.hear()
            assert welcome == feed.welcome
            assert isinstance(snapshot, Snapshot)
            assert kinds(snapshot.events) == "BoardShown CallMade CallMade CallMade"
            assert snapshot.events == shown(table)
            watching.connection.transport.abort()
        west.gate.set()
        await playing
        async with kibitzer(lobby) as watching:
            (_, snapshot) = await watching.hear()
            assert isinstance(snapshot, Snapshot)
            assert snapshot.events == shown(table)
            assert kinds(snapshot.events).endswith("BoardEnd")
        assert faults(table) == []


async def test_a_table_is_chosen_by_its_name() -> None:
    async with open_gallery() as (lobby, feeds):
        for name, feed in (("", feeds[0]), ("table 1", feeds[0]), ("table 2", feeds[1])):
            async with kibitzer(lobby, Hello(name="k", table=name)) as watching:
                assert await watching.hear() == [feed.welcome]
        async with kibitzer(lobby, Hello(name="k", table="table 3")) as watching:
            (error,) = await watching.hear()
            assert isinstance(error, Error)
            assert error.text == "there is no table 'table 3' (there are: table 1, table 2)"
            with pytest.raises(ConnectionClosed):
                await watching.hear()


# Who may do what.


async def test_a_kibitzers_token_takes_no_seat() -> None:
    async with open_gallery() as (lobby, (feed, _)):
        hello = Hello(name="k", seat=WEST, resume="session of W")
        async with kibitzer(lobby, hello) as watching:
            assert await watching.hear() == [feed.welcome]
            assert not lobby.places[WEST].is_connected


async def test_a_kibitzer_has_nothing_to_say() -> None:
    async with open_gallery() as (lobby, (feed, _)), kibitzer(lobby) as watching:
        await watching.hear()
        table, bot = new_table(), Explainer()
        seated = players(bot)
        north = seated[NORTH] = Gated(NORTH, bot)
        playing = asyncio.create_task(play_board(table, seated, kibitzers=[feed]))
        await watching.hear()
        call = MakeCall(table="A1", board=1, seq=2, call=Call("7NT"))
        for _ in range(20):
            watching.connection.protocol.send_binary(frame([encode(call)]))
        watching.connection.send_data()
        await watching.hear_out()
        assert watching.connection.close_code == 1008
        await until(lambda: balcony(lobby, feed).watching == 0)
        north.gate.set()
        await playing
        assert str(table.calls[0].call) == "1NT"
        assert faults(table) == []


async def test_the_sdk_says_that_a_kibitzers_token_is_for_no_seat() -> None:
    async with open_gallery() as (lobby, _):
        with pytest.raises(ConnectionFailedError, match="the token is a kibitzer's") as failed:
            await asyncio.to_thread(play_table, Bot(), lobby.url, TOKEN, patience=60.0)
        assert failed.value.is_final


async def test_a_players_token_is_not_for_watching() -> None:
    async with open_gallery() as (lobby, (feed, _)):
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
            async with connected(lobby.url, lobby.tokens[WEST]) as connection:
                await connection.send(frame([encode(Hello(name="k", table="table 1"))]))
                (error,) = decode_server(await connection.recv())
                assert isinstance(error, Error)
                assert error.code == ErrorCode.TAKEN
        assert balcony(lobby, feed).watching == 0


async def test_the_number_who_watch_a_table_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kibitzers_module, "MOST_KIBITZERS", 2)
    async with open_gallery() as (lobby, feeds), kibitzer(lobby) as one, kibitzer(lobby) as two:
        await one.hear()
        await two.hear()
        async with kibitzer(lobby) as three:
            (error,) = await three.hear()
            assert isinstance(error, Error)
            assert (error.code, error.text) == (ErrorCode.TAKEN, "too many watch table 1")
        async with kibitzer(lobby, Hello(name="k", table="table 2")) as four:
            assert await four.hear() == [feeds[1].welcome]
        await two.connection.close()
        await until(lambda: balcony(lobby, feeds[0]).watching < 2)
        async with kibitzer(lobby) as five:
            assert await five.hear() == [feeds[0].welcome]


async def test_where_few_files_may_be_open_few_may_watch_in_all() -> None:
    async with open_gallery() as (lobby, feeds), kibitzer(lobby) as one:
        kibitzers = lobby.admissions[TOKEN]
        assert isinstance(kibitzers, Kibitzers)
        kibitzers.room = 1
        await one.hear()
        async with kibitzer(lobby, Hello(name="k", table="table 2")) as two:
            (error,) = await two.hear()
            assert isinstance(error, Error)
            assert (error.code, error.text) == (ErrorCode.TAKEN, "too many watch")
        assert [balcony(lobby, feed).watching for feed in feeds] == [1, 0]


# Nobody waits for them.


async def test_a_kibitzer_who_does_not_read_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kibitzers_module, "READ_SECONDS", 0.2)
    async with open_gallery() as (lobby, (feed, _)):
        watched = balcony(lobby, feed)
        async with kibitzer(lobby) as slow, kibitzer(lobby) as quick:
            await until(lambda: watched.watching == 2)
            stop_reading(slow.connection)
            shrink(watched.server_ends[0])
            await quick.hear()
            talkers = players(Explainer("\U0001f0a1" * 500))
            boards = 0
            while watched.watching == 2 or not boards:
                boards += 1
                table = new_table(number=boards)
                await play_board(table, talkers, kibitzers=[feed])
                assert faults(table) == []
                await quick.hear_boards(boards)
                assert boards < 100
            hearing = asyncio.create_task(quick.hear_out())
            await say_goodbye(lobby, feed)
            await hearing
            slow.connection.transport.abort()
        assert sum(message.type == "BoardEnd" for message in quick.heard) == boards
        assert quick.heard[-1].type == "Goodbye"


async def test_a_kibitzer_who_closes_and_does_not_go_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gateway_module, "CLOSE_SECONDS", 0.5)
    async with open_gallery() as (lobby, (feed, _)), kibitzer(lobby) as watching:
        await watching.hear()
        watched = balcony(lobby, feed)
        (server_end,) = watched.server_ends
        watching.connection.transport.pause_reading()
        watching.connection.protocol.send_close(1000)
        watching.connection.transport.write(b"".join(watching.connection.protocol.data_to_send()))
        await until(lambda: server_end.state is not State.OPEN)
        table = new_table()
        await play_board(table, players(Explainer()), kibitzers=[feed])
        assert table.score is not None
        # All was played before it was cut off.
        assert watched.watching == 1
        await until(lambda: watched.watching == 0)
        watching.connection.transport.abort()


def test_goodbyes_are_said_at_the_same_time() -> None:
    class Lingering(FakeConnection):
        async def close(self) -> None:
            await asyncio.sleep(2)

    async def part() -> float:
        feed = Feed(Welcome(table="A1"))
        watched = Balcony(feed)
        for _ in range(10):
            onlooker = Onlooker()
            onlooker.connection = Lingering()
            await onlooker.attach(watched)
        feed.end("over")
        await asyncio.wait(watched.showing)
        return asyncio.get_running_loop().time()

    assert in_no_time(part()) == 2
