"""Real sockets for tests: a gateway with free seats, and clients that may do anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from bridge.calls import Call
from bridge.cards import Card
from bridge.seats import SEATS, Seat
from protocol.decision import decide
from protocol.messages import (
    MAX_FRAME,
    SUBPROTOCOL,
    Delivery,
    Error,
    ServerMessage,
    Welcome,
    YourTurn,
)
from protocol.session import ClientSession
from protocol.visibility import Viewer
from server.claims import Claims
from server.clock import TimeControl
from server.driver import play_board
from server.gateway import Gateway, OneTimeTokens, Reservation
from server.players import LocalPlayer, Player, WebsocketPlayer
from server.table import Table
from tests.server.tables import Lowly, new_table

PATIENCE = 30.0
"""Seconds after which a test gives up what should long have happened."""


@dataclass
class Lobby:
    """Seats to be taken: `tokens` for those who come, `seated` for those who wait."""

    url: str
    tokens: dict[Seat, str] = field(default_factory=dict)
    seated: dict[Seat, asyncio.Future[WebsocketPlayer]] = field(default_factory=dict)

    async def player(self, seat: Seat) -> WebsocketPlayer:
        """Who took the seat. Raises SeatFault."""
        async with asyncio.timeout(PATIENCE):
            return await self.seated[seat]


@asynccontextmanager
async def open_lobby(*, seconds: float = 60.0, lag: float = 0.0) -> AsyncIterator[Lobby]:
    issued = OneTimeTokens()
    async with Gateway(issued.admit) as gateway:
        lobby = Lobby(gateway.url)
        for seat in SEATS:
            control = TimeControl(seconds, lag=lag)
            welcome = Welcome(table="A1", seat=seat, event="Test", **control.told())
            reservation = Reservation(Viewer(seat), welcome)
            lobby.tokens[seat] = issued.issue(reservation)
            lobby.seated[seat] = reservation.seated
        yield lobby


@asynccontextmanager
async def connected(
    url: str,
    token: str | None,
    *,
    scheme: str = "Bearer",
    subprotocol: str | None = SUBPROTOCOL,
) -> AsyncIterator[ClientConnection]:
    """A bare connection. Raises InvalidStatus where it is refused."""
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
    """A client led by hand: it does what a test says, right or wrong."""

    def __init__(self, connection: ClientConnection, delivery: Delivery) -> None:
        self.connection = connection
        self.session = ClientSession("hand", delivery=delivery)
        self.heard: list[ServerMessage] = []
        self._thinker = Lowly()

    async def hear(self) -> list[ServerMessage]:
        """The messages of the next frame."""
        messages = list(self.session.receive(await self.connection.recv()))
        self.heard += messages
        return messages

    async def turn(self) -> YourTurn:
        """Wait until it is asked."""
        while True:
            turns = [message for message in await self.hear() if isinstance(message, YourTurn)]
            if turns:
                return turns[-1]

    async def error(self) -> Error:
        """Wait until it is told that something was wrong."""
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
        """A legal answer."""
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


Conduct = Callable[[HandBot], Awaitable[None]]


@asynccontextmanager
async def hand_bot(
    lobby: Lobby, seat: Seat, delivery: Delivery = Delivery.LIVE
) -> AsyncIterator[HandBot]:
    """A bot that has said Hello."""
    async with connected(lobby.url, lobby.tokens[seat]) as connection:
        bot = HandBot(connection, delivery)
        await bot.send(bot.session.hello())
        yield bot


@dataclass
class Outcome:
    """How it went: the table, and all that the bot heard."""

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
