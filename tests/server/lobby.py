"""Real sockets for tests: a gateway with free seats, and clients that may do anything."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import Thinker, decide
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    SUBPROTOCOL,
    Answer,
    Error,
    ServerMessage,
    Snapshot,
    Thought,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.gateway import Admission, Gateway, Page
from bridge_arena.server.link import ClientLink, Link
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.seating import Seating
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import WebsocketPlayer
from tests.patience import PATIENCE
from tests.server.tables import Lowly, new_table


async def until(happened: Callable[[], bool]) -> None:
    """Let the others go on until something has happened of which nobody is told."""
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 (there is no event)
            await asyncio.sleep(0.001)


def shrink(connection: ServerConnection) -> None:
    """Have the network hold little of what is sent and not read."""
    transport = connection.transport
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


def stop_reading(connection: ClientConnection) -> None:
    """Have a client read no more, and the network hold little for it."""
    transport = connection.transport
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    transport.pause_reading()


class Place(WebsocketPlayer):
    """A seat that shows the connection of the last bot that sat down, `server_end`."""

    server_end: ServerConnection

    async def attach(self, link: Link) -> None:
        assert isinstance(link, ClientLink)
        self.server_end = link.connection
        await super().attach(link)


@dataclass
class Lobby:
    """Places to be taken, one in each seat: `tokens` for those who come, `places` for those
    who wait. `admissions`: what each token opens."""

    gateway: Gateway
    admissions: dict[str, Admission]
    tokens: dict[Seat, str] = field(default_factory=dict)
    places: dict[Seat, Place] = field(default_factory=dict)
    # What is noted of each place: how a connection was lost, or `back`.
    news: dict[Seat, asyncio.Queue[str]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return self.gateway.url

    async def player(self, seat: Seat) -> Place:
        """Return who took the seat. Raises SeatFault."""
        async with asyncio.timeout(PATIENCE):
            await self.places[seat].seated
        return self.places[seat]


@asynccontextmanager
async def open_lobby(
    *,
    seconds: float = 60.0,
    lag: float = 0.0,
    grace: float = 0.0,
    strict: bool = False,
    tls: ssl.SSLContext | None = None,
    pages: Mapping[str, Page] | None = None,
) -> AsyncIterator[Lobby]:
    admissions: dict[str, Admission] = {}
    async with Gateway(admissions.get, tls=tls, pages=pages) as gateway:
        lobby = Lobby(gateway, admissions)
        told = TimeControl(seconds, lag=lag).in_welcome()
        for seat in SEATS:
            welcome = Welcome(
                table="A1",
                seat=seat,
                event="Test",
                session=f"session of {seat}" if grace else "",
                grace_seconds=grace,
                **told,
            )
            heard: asyncio.Queue[str] = asyncio.Queue()

            def note(news: str, *, back: bool, heard: asyncio.Queue[str] = heard) -> None:
                heard.put_nowait("back" if back else news)

            place = Place(Viewer(seat), welcome, note)
            token = f"token of {seat}"
            admissions[token] = Seating([place], strict=strict)
            lobby.tokens[seat], lobby.places[seat], lobby.news[seat] = token, place, heard
        yield lobby


@asynccontextmanager
async def connected(
    url: str,
    token: str | None,
    *,
    scheme: str = "Bearer",
    subprotocol: str | None = SUBPROTOCOL,
) -> AsyncIterator[ClientConnection]:
    """Open a bare connection. Raises InvalidStatus if it is refused."""
    headers = {} if token is None else {"Authorization": f"{scheme} {token}"}
    subprotocols = None if subprotocol is None else [Subprotocol(subprotocol)]
    async with (
        asyncio.timeout(PATIENCE),
        connect(
            url,
            additional_headers=headers,
            subprotocols=subprotocols,
            compression=None,
            proxy=None,
            ping_interval=None,
            max_size=MAX_FRAME,
        ) as connection,
    ):
        yield connection


class HandBot:
    """A client that a test controls: it sends what the test says, right or wrong."""

    def __init__(self, connection: ClientConnection, session: ClientSession) -> None:
        self.connection = connection
        self.session = session
        self.heard: list[ServerMessage] = []
        self._thinker = Lowly()

    async def hear(self) -> list[ServerMessage]:
        """Return the messages of the next frame."""
        messages = list(self.session.receive(await self.connection.recv()))
        self.heard += messages
        return messages

    async def back(self) -> Snapshot | None:
        """Hear the answer to Hello: the Snapshot that comes with Welcome, if one does."""
        welcome, *rest = await self.hear()
        assert isinstance(welcome, Welcome)
        assert len(rest) <= 1
        for message in rest:
            assert isinstance(message, Snapshot)
            return message
        return None

    async def turn(self) -> YourTurn:
        """Wait until the client is asked."""
        while True:
            turns = [message for message in await self.hear() if isinstance(message, YourTurn)]
            if turns:
                return turns[-1]

    async def error(self) -> Error:
        """Wait until the client is told of an error."""
        while True:
            for message in await self.hear():
                if isinstance(message, Error):
                    return message

    async def send(self, data: bytes | str) -> None:
        await self.connection.send(data)

    async def say(self, turn: YourTurn, said: str) -> None:
        action = Call(said) if self._in_auction else Card(said)
        await self.send(self.session.answer(turn, action))

    async def say_something(self, turn: YourTurn) -> None:
        """Return a legal answer."""
        view = self.session.view
        assert view is not None
        await self.send(self.session.send(decide(self._thinker, view, turn)))

    async def play_on(self, *, answered: bool = False) -> None:
        """Answer as it should, to the end of the session; the turn that is open too, if it
        has not `answered` that."""
        view = self.session.view
        if view is not None and view.turn is not None and not answered:
            await self.say_something(view.turn)
        while self.session.goodbye is None:
            for message in await self.hear():
                if isinstance(message, YourTurn):
                    await self.say_something(message)

    @property
    def _in_auction(self) -> bool:
        view = self.session.view
        assert view is not None
        return view.play is None


class Gated(LocalPlayer):
    """A player who does not act, at the turns that are `held`, before it is let."""

    def __init__(
        self, seat: Seat, bot: Thinker, held: Callable[[YourTurn], bool] = lambda _: True
    ) -> None:
        super().__init__(Viewer(seat), bot)
        self.gate = asyncio.Event()
        self._held = held

    async def act(self, turn: YourTurn) -> Answer | Thought:
        if self._held(turn):
            await self.gate.wait()
        return await super().act(turn)


Conduct = Callable[[HandBot], Awaitable[None]]


@asynccontextmanager
async def hand_bot(
    lobby: Lobby,
    seat: Seat,
    delivery: Delivery = Delivery.LIVE,
    *,
    session: ClientSession | None = None,
) -> AsyncIterator[HandBot]:
    """A bot that has said Hello; `session`: the one to go on with, of a connection that was
    lost."""
    session = session or ClientSession("hand", delivery=delivery)
    async with connected(lobby.url, lobby.tokens[seat]) as connection:
        bot = HandBot(connection, session)
        await bot.send(bot.session.hello())
        yield bot


@dataclass
class Outcome:
    """The outcome of a visit: the table, and all that the bot heard."""

    table: Table
    heard: list[ServerMessage]

    @property
    def errors(self) -> list[str]:
        return [message.code for message in self.heard if isinstance(message, Error)]


async def play_with(
    seat: Seat,
    conduct: Conduct,
    *,
    others: Lowly,
    seconds: float = 60.0,
    delivery: Delivery = Delivery.LIVE,
    claims: Claims = Claims.OFF,
) -> Outcome:
    """A board, where `seat` is taken over a socket by one who behaves as `conduct` says."""
    heard: list[ServerMessage] = []

    async def behave(lobby: Lobby) -> None:
        async with hand_bot(lobby, seat, delivery) as bot:
            try:
                await conduct(bot)
            except ConnectionClosed:
                pass
            finally:
                heard.extend(bot.heard)

    async with open_lobby(seconds=seconds) as lobby:
        bad = asyncio.create_task(behave(lobby))
        player = await lobby.player(seat)
        players: dict[Seat, Player] = {s: LocalPlayer(Viewer(s), others) for s in SEATS}
        players[seat] = player
        table = new_table(seconds=seconds, claims=claims)
        async with asyncio.timeout(PATIENCE):
            await play_board(table, players)
            await player.say_goodbye("the board is over")
            await bad
    return Outcome(table, heard)
