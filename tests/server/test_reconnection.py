"""Connections that are lost and come back, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from bridge_arena.bots.sdk import tables as tables_module
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import HELLO_LATE, Welcome, YourTurn
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server import gateway as gateway_module
from bridge_arena.server import websocket_player as player_module
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from tests.patience import PATIENCE
from tests.server.lobby import (
    Gated,
    HandBot,
    Lobby,
    connected,
    hand_bot,
    open_lobby,
    until,
)
from tests.server.tables import EAST, NORTH, SOUTH, WEST, Lowly, faults, kinds, new_table

GRACE = 30.0

OTHERS = Lowly({0: "1NT"})
"""The other three: North opens 1NT and plays there. West, who is tested, passes as the fourth
and plays to every trick; the first time as the third, at action 6."""

UNTIL_WEST = "BoardStart CallMade CallMade CallMade YourTurn"


@dataclass
class Board:
    """A board that is being played."""

    table: Table
    players: dict[Seat, Player]
    playing: asyncio.Task[None]


@asynccontextmanager
async def board_with(
    lobby: Lobby,
    *,
    seconds: float = 60.0,
    claims: Claims = Claims.OFF,
    others: Lowly = OTHERS,
    gated: Gated | None = None,
) -> AsyncIterator[Board]:
    """A board where West's place is the lobby's; played to its end, and goodbye said, when
    the context is left."""
    table = new_table(seconds=seconds, claims=claims)
    players: dict[Seat, Player] = {seat: LocalPlayer(Viewer(seat), others) for seat in SEATS}
    players[WEST] = lobby.places[WEST]
    if gated is not None:
        players[gated.viewer.seat] = gated
    async with asyncio.timeout(PATIENCE):
        playing = asyncio.create_task(play_board(table, players))
        try:
            yield Board(table, players, playing)
            await playing
        finally:
            playing.cancel()


async def lose(lobby: Lobby, bot: HandBot) -> str:
    """Break a bot's connection; what the server makes of it, once it has noticed."""
    bot.connection.transport.abort()
    return await lobby.news[WEST].get()


async def play_out(lobby: Lobby, bot: HandBot, board: Board, *, answered: bool = False) -> None:
    """Play on to the end, and to goodbye."""
    rest = asyncio.create_task(bot.play_on(answered=answered))
    await board.playing
    await lobby.places[WEST].say_goodbye("over")
    await rest


# Coming back.


@pytest.mark.parametrize("delivery", Delivery)
async def test_a_bot_that_is_lost_in_its_own_turn_goes_on_with_it(delivery: Delivery) -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST, delivery) as bot:
        assert await bot.back() is None
        async with board_with(lobby) as board:
            turn = await bot.turn()
            why = await lose(lobby, bot)
            assert why == "connection lost (no close frame received or sent)"
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events) == UNTIL_WEST
                assert await lobby.news[WEST].get() == "back"
                (*_, told) = snapshot.events
                assert isinstance(told, YourTurn)
                assert told.seq == turn.seq
                assert told.seconds <= turn.seconds
                await play_out(lobby, again, board)
            assert faults(board.table) == []
            assert board.table.score is not None
            assert lobby.places[WEST].answers == 14


async def test_a_bot_that_is_lost_while_others_think_misses_nothing() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        north = Gated(NORTH, OTHERS)
        async with board_with(lobby, gated=north) as board:
            await bot.hear()
            await lose(lobby, bot)
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events) == "BoardStart"
                north.gate.set()
                await play_out(lobby, again, board)
            assert faults(board.table) == []
            assert board.table.score is not None


async def test_a_bot_that_is_away_while_others_act_is_told_what_they_did() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        north = Gated(NORTH, OTHERS)
        async with board_with(lobby, gated=north) as board:
            await bot.hear()
            await lose(lobby, bot)
            north.gate.set()
            await until(lambda: len(board.table.calls) == 3)
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events) == UNTIL_WEST
                await play_out(lobby, again, board)
            assert faults(board.table) == []


async def test_a_bot_that_is_lost_between_boards_plays_the_next() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby) as board:
            while not bot.heard or bot.heard[-1].type != "BoardEnd":
                for message in await bot.hear():
                    if isinstance(message, YourTurn):
                        await bot.say_something(message)
        await lose(lobby, bot)
        async with hand_bot(lobby, WEST, session=bot.session) as again:
            snapshot = await again.back()
            assert snapshot is not None
            assert kinds(snapshot.events).endswith("TrickEnd BoardEnd")
            assert "YourTurn" not in kinds(snapshot.events)
            view = again.session.view
            assert view is not None
            assert view.result is not None
            async with board_with(lobby) as board:
                await play_out(lobby, again, board)
            assert faults(board.table) == []


class Claimer(Lowly):
    """North claims nine tricks at once, and East accepts what is claimed."""

    def claim(self, view: View) -> int | None:
        return 9 if not view.playing.tricks else None

    def answer_claim(self, view: View) -> bool:
        del view
        return True


async def test_a_bot_that_is_lost_during_a_claim_answers_it() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        claimer = Claimer({0: "1NT"})
        async with board_with(lobby, claims=Claims.PLAYERS, others=claimer) as board:
            await bot.say_something(await bot.turn())
            turn = await bot.turn()
            assert turn.claim
            await lose(lobby, bot)
            # A process of its own, which knows nothing but what it is told.
            async with hand_bot(lobby, WEST) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events).endswith("DummyShown ClaimMade YourTurn")
                view = again.session.view
                assert view is not None
                assert (
                    view.deal == board.table.board.deal
                )  # both hands that were faced, and its own
                assert view.turn is not None
                assert view.turn.claim
                await play_out(lobby, again, board)
            # Lowly refuses; the claim was settled once both had answered.
            assert [claim.accepted for claim in board.table.settled_claims] == [False]
            assert faults(board.table) == []


async def test_a_bot_that_has_answered_a_claim_is_not_asked_again() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        east = Gated(EAST, OTHERS, lambda turn: turn.claim)
        claimer = Claimer({0: "1NT"})
        async with board_with(lobby, claims=Claims.PLAYERS, others=claimer, gated=east) as board:
            await bot.say_something(await bot.turn())
            turn = await bot.turn()
            assert turn.claim
            await bot.say_something(turn)
            place = lobby.places[WEST]
            await until(lambda: place.answers == 2)
            await lose(lobby, bot)
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events).endswith("DummyShown ClaimMade")
                east.gate.set()
                await play_out(lobby, again, board)
            assert len(board.table.settled_claims) == 1
            assert faults(board.table) == []


# The clock, and the grace.


async def test_the_clock_runs_while_a_bot_is_away() -> None:
    async with open_lobby(seconds=0.02, grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby, seconds=0.02) as board:
            await bot.turn()
            await lose(lobby, bot)
            await board.playing
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events).endswith("BoardEnd")
                view = again.session.view
                assert view is not None
                assert [str(made.call) for made in view.calls] == ["1NT", "Pass", "Pass", "Pass"]
                assert len(view.playing.cards) == 52
        assert {fault[:9] for fault in faults(board.table)} == {"W timeout"}
        assert len(board.table.faults) == 14
        assert board.table.score is not None


@pytest.mark.parametrize("grace", [0.0, 0.03])
async def test_a_bot_that_does_not_come_back_in_time_is_lost(grace: float) -> None:
    async with open_lobby(grace=grace) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby) as board:
            await bot.turn()
            await lose(lobby, bot)
            await board.playing
            assert faults(board.table) == ["W disconnect 3"]
            why = "connection lost (no close frame received or sent)"
            late = ", and the bot was not back within 0.03 s"
            assert board.table.faults[0].detail == why + (late if grace else "")
            assert board.table.score is None


async def test_a_bot_that_fails_tells_the_server_why() -> None:
    class Failing(Bot):
        def call(self, view: View) -> Call:
            raise LookupError(f"no card\nof {view.seat}'s fits " + "\u2660" * 100)

    async with open_lobby() as lobby:
        token = lobby.tokens[WEST]
        async with asyncio.TaskGroup() as group:
            failing = asyncio.to_thread(play_table, Failing(), lobby.url, token)
            group.create_task(fails_with(LookupError, failing))
            await lobby.player(WEST)
            async with board_with(lobby) as board:
                await board.playing
        assert faults(board.table) == ["W disconnect 3"]
        (fault,) = board.table.faults
        assert fault.detail.startswith("connection lost (LookupError: no card of W's fits \u2660")


async def fails_with(kind: type[Exception], failing: Awaitable[object]) -> None:
    with pytest.raises(kind):
        await failing


# Answers and connections that cross.


async def test_an_answer_sent_again_is_counted_once() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        east = Gated(EAST, OTHERS, lambda turn: "Pass" not in turn.legal)
        async with board_with(lobby, gated=east) as board:
            turn = await bot.turn()
            await bot.say(turn, "Pass")
            while bot.heard[-1].type != "AuctionEnd":
                await bot.hear()
            await lose(lobby, bot)
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                snapshot = await again.back()
                assert snapshot is not None
                assert kinds(snapshot.events).endswith("CallMade AuctionEnd")
                await again.send(again.session.answer(turn, Call("Pass")))
                east.gate.set()
                error = await again.error()
                assert error.code == ErrorCode.STALE
                await play_out(lobby, again, board)
            assert faults(board.table) == []
            assert [str(made.call) for made in board.table.calls] == ["1NT", *["Pass"] * 3]


async def test_an_answer_that_was_sent_as_the_connection_broke_counts_once() -> None:
    """It may have arrived or not: that is what the bot sees from the snapshot."""
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby) as board:
            turn = await bot.turn()
            await bot.say(turn, "Pass")
            await lose(lobby, bot)
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                assert await again.back() is not None
                await play_out(lobby, again, board)
            assert faults(board.table) == []
            assert [str(made.call) for made in board.table.calls] == ["1NT", *["Pass"] * 3]


async def test_a_connection_that_is_dead_without_knowing_is_replaced_at_once() -> None:
    async with open_lobby(grace=GRACE, seconds=1.0) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby, seconds=1.0) as board:
            await bot.turn()
            bot.connection.transport.pause_reading()  # it answers nothing, no close either
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                assert await again.back() is not None
                await play_out(lobby, again, board)
            assert faults(board.table) == []
            bot.connection.transport.resume_reading()
            await bot.connection.wait_closed()
            assert bot.connection.close_code == 1008
            assert bot.connection.close_reason == "replaced by a new connection"


async def test_a_bot_that_closes_and_does_not_go_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gateway_module, "CLOSE_SECONDS", 0.3)
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        north = Gated(NORTH, OTHERS)
        async with board_with(lobby, gated=north) as board:
            await bot.hear()
            bot.connection.protocol.send_close(1000)
            for data in bot.connection.protocol.data_to_send():
                bot.connection.transport.write(data)
            bot.connection.transport.pause_reading()
            server_end = lobby.places[WEST].server_end
            await until(lambda: server_end.state is not State.OPEN)
            north.gate.set()
            await until(lambda: len(board.table.calls) == 3)
            assert lobby.news[WEST].empty()
            assert (await lobby.news[WEST].get()).startswith("connection lost (received 1000")
            async with hand_bot(lobby, WEST, session=bot.session) as again:
                await again.back()
                await play_out(lobby, again, board)
            assert faults(board.table) == []
            bot.connection.transport.abort()


# Who may take a place.


async def test_a_fresh_process_takes_the_place_of_one_that_crashed() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby) as board:
            await bot.turn()
            await lose(lobby, bot)
            async with hand_bot(lobby, WEST) as fresh:
                assert fresh.session.welcome is None
                snapshot = await fresh.back()
                assert snapshot is not None
                assert kinds(snapshot.events) == UNTIL_WEST
                await play_out(lobby, fresh, board)
            assert faults(board.table) == []


async def test_a_bot_that_comes_back_when_all_is_over_is_said_goodbye_to() -> None:
    async with asyncio.timeout(PATIENCE), open_lobby(grace=GRACE) as lobby:
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
            await lobby.player(WEST)
        await until(lambda: not lobby.places[WEST].is_connected)
        parting = asyncio.create_task(lobby.places[WEST].say_goodbye("over"))
        async with hand_bot(lobby, WEST) as again:
            while again.session.goodbye is None:
                await again.hear()
            assert [message.type for message in again.heard] == ["Welcome", "Goodbye"]
        await parting


async def test_a_goodbye_waits_for_a_bot_whose_connection_breaks_over_it() -> None:
    async with asyncio.timeout(PATIENCE), open_lobby(grace=GRACE) as lobby:
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
            player = await lobby.player(WEST)
            bot.connection.transport.abort()
            parting = asyncio.create_task(player.say_goodbye("over"))
            await bot.connection.wait_closed()
        async with hand_bot(lobby, WEST) as again:
            while again.session.goodbye is None:
                await again.hear()
        await parting


async def test_a_goodbye_does_not_wait_beyond_the_grace() -> None:
    async with asyncio.timeout(PATIENCE), open_lobby(grace=0.01) as lobby:
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
            player = await lobby.player(WEST)
        await until(lambda: not player.is_connected)
        await player.say_goodbye("over")


async def test_a_bot_that_comes_back_again_and_again_and_does_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(player_module, "MOST_RETURNS", 3)
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as first:
        await first.back()
        async with board_with(lobby) as board:
            for _ in range(5):
                with suppress(ConnectionClosed):
                    async with hand_bot(lobby, WEST, session=first.session) as bot:
                        await bot.hear()
            await board.playing
    assert faults(board.table) == ["W disconnect 3"]
    assert board.table.faults[0].detail == "it came back 4 times without acting"


async def test_a_wrong_session_opens_no_place() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        stranger = ClientSession("stranger")
        stranger.welcome = Welcome(table="A1", seat=WEST, session="no such session")
        async with hand_bot(lobby, WEST, session=stranger) as refused:
            assert (await refused.error()).code == ErrorCode.TAKEN
        # The one who sits there has noticed nothing.
        assert lobby.places[WEST].is_connected
        assert lobby.news[WEST].empty()


async def test_no_token_brings_another_seats_snapshot() -> None:
    async with open_lobby(grace=GRACE) as lobby, hand_bot(lobby, WEST) as bot:
        await bot.back()
        async with board_with(lobby) as board:
            await bot.turn()
            thief = ClientSession("thief")
            thief.welcome = bot.session.welcome
            for seat in (NORTH, EAST, SOUTH):
                async with connected(lobby.url, lobby.tokens[seat]) as connection:
                    other = HandBot(connection, thief)
                    thief.welcome = Welcome(table="A1", seat=seat, session="session of W")
                    await other.send(thief.hello())
                    assert await other.back() is None
                    assert thief.welcome.seat == seat
            assert lobby.places[WEST].is_connected
            await play_out(lobby, bot, board)
            assert faults(board.table) == []


# The SDK.


class Stumbling(Bot):
    """Its connections break, in the middle of thought."""

    def __init__(self, broken: list[Connection]) -> None:
        super().__init__()
        self.connections = broken
        self.views: list[View] = []
        self.started = 0
        self._thinker = Lowly({0: "1NT"})

    def board_started(self, view: View) -> None:
        del view
        self.started += 1

    def board_ended(self, view: View) -> None:
        self.views.append(view)

    def call(self, view: View) -> Call:
        self.stumble(view)
        call = self._thinker.call(view)
        assert isinstance(call, Call)
        return call

    def play(self, view: View) -> Card:
        self.stumble(view)
        return self._thinker.play(view)

    def stumble(self, view: View) -> None:
        """Lose the connection at its first call, its first card and its sixth card."""
        played = len(view.played[view.seat])
        if len(self.connections) == 1 + (view.play is not None) + (played >= 5):
            self.connections[-1]._socket.close()


async def test_the_sdk_comes_back_and_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Connection] = []

    class Kept(Connection):
        def __init__(self, url: str, token: str, *, is_sure: bool) -> None:
            super().__init__(url, token, is_sure=is_sure)
            made.append(self)

    monkeypatch.setattr("bridge_arena.bots.sdk.tables.Connection", Kept)
    bot = Stumbling(made)
    async with asyncio.timeout(PATIENCE), open_lobby(grace=GRACE) as lobby:
        thread = asyncio.create_task(
            asyncio.to_thread(play_table, bot, lobby.url, lobby.tokens[WEST])
        )
        await lobby.player(WEST)
        async with board_with(lobby) as board:
            pass
        await lobby.places[WEST].say_goodbye("over")
        await thread
    assert len(made) == 4
    assert bot.started == 1
    assert faults(board.table) == []
    (view,) = bot.views
    assert tuple(view.playing.cards) == board.table.record(("n", "e", "s", "w")).cards


async def test_the_sdk_comes_back_when_its_hello_was_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", 0.1)
    closed: list[ConnectionFailedError] = []

    class Late(Connection):
        def send(self, data: bytes) -> None:
            if not closed:
                try:
                    self.receive()
                except ConnectionFailedError as error:
                    closed.append(error)
                    monkeypatch.setattr(gateway_module, "HELLO_SECONDS", PATIENCE)
                    raise
            super().send(data)

    monkeypatch.setattr(tables_module, "Connection", Late)
    async with open_lobby() as lobby:
        sitting = asyncio.create_task(
            asyncio.to_thread(play_table, Bot(), lobby.url, lobby.tokens[WEST], patience=PATIENCE)
        )
        player = await lobby.player(WEST)
        await player.say_goodbye("over")
        await sitting
    (error,) = closed
    assert str(HELLO_LATE) in str(error)
    assert not error.is_final


async def test_the_sdk_does_not_come_back_where_another_took_its_place() -> None:
    async with asyncio.timeout(PATIENCE), open_lobby(grace=GRACE) as lobby:
        thread = asyncio.create_task(
            asyncio.to_thread(play_table, Stumbling([]), lobby.url, lobby.tokens[WEST])
        )
        await lobby.player(WEST)
        session = ClientSession("another")
        session.welcome = lobby.places[WEST].welcome
        async with hand_bot(lobby, WEST, session=session) as another:
            await another.back()
            with pytest.raises(ConnectionFailedError, match="replaced by a new connection") as lost:
                await thread
            assert lost.value.is_final
            assert lobby.places[WEST].is_connected


async def test_both_ends_have_a_network_that_is_gone_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nobody is in turn nothing is said: only the operating system can find out. Else a
    bot would wait for ever, and one that is started anew would find its seat taken."""
    create_connection, opened = socket.create_connection, list[socket.socket]()

    def note_and_open(*where: Any) -> socket.socket:
        opened.append(create_connection(*where))
        return opened[-1]

    monkeypatch.setattr(socket, "create_connection", note_and_open)
    async with open_lobby() as lobby:
        with await asyncio.to_thread(Connection, lobby.url, lobby.tokens[WEST]):
            assert notices_loss(opened[0])
        async with hand_bot(lobby, WEST) as bot:
            await bot.back()
            server_end = lobby.places[WEST].server_end
            assert notices_loss(server_end.transport.get_extra_info("socket"))


def notices_loss(connection: socket.socket) -> bool:
    options = {
        name: connection.getsockopt(level, getattr(socket, name))
        for level, name in (
            (socket.SOL_SOCKET, "SO_KEEPALIVE"),
            (socket.IPPROTO_TCP, "TCP_KEEPIDLE"),
            (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT"),
        )
        if hasattr(socket, name)
    }
    return options.pop("SO_KEEPALIVE") == 1 and all(0 < v <= 30_000 for v in options.values())


async def test_the_sdk_learns_from_what_the_closing_server_sends_that_all_is_lost() -> None:
    """The server's word has been read, and the bot's answer comes after."""
    async with open_lobby(grace=GRACE) as lobby:
        connection = await asyncio.to_thread(Connection, lobby.url, lobby.tokens[WEST])
        connection.send(ClientSession("slow").hello())
        await lobby.player(WEST)
        await asyncio.to_thread(connection.receive)
        lobby.places[WEST].part("no more")
        with pytest.raises(ConnectionFailedError) as lost:
            await asyncio.to_thread(connection.receive)
        assert not lost.value.is_final
        with pytest.raises(ConnectionFailedError) as late:
            connection.send(b"\x90")
        assert not late.value.is_final
        connection.close()
