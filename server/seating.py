"""The seats that a token opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge_arena.protocol.messages import FINAL, Hello
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.websocket_player import WebsocketPlayer


class SeatRefusedError(Exception):
    """There is no such seat to take; the message is one line."""


class Seating:
    """The seats that one token opens, in the order in which they are given away.

    A strict seating is for one process that was started here. Its token opens each seat once, and a
    client that comes back must name its session. A client that connects and does not say Hello as
    it should makes a seat unusable, as only the bot itself can have the token. In a seating that is
    not strict, such a client has no effect.
    """

    def __init__(self, players: Iterable[WebsocketPlayer] = (), *, strict: bool = False) -> None:
        self._players = list(players)
        self._strict = strict
        # The players whose seats were given away without a session.
        self._given: set[WebsocketPlayer] = set()

    def open(self, players: Iterable[WebsocketPlayer]) -> None:
        self._players += players

    def close(self, players: Iterable[WebsocketPlayer]) -> None:
        gone = set(players)
        self._players = [player for player in self._players if player not in gone]

    def cut_off(self, why: str) -> None:
        """Cut the connections of all who sit here; their seats wait for who may come next."""
        for player in self._players:
            player.cut_off(FINAL, why)

    @property
    def is_full(self) -> bool:
        """Whether somebody is connected to each seat."""
        return all(player.is_connected for player in self._players)

    def claim(self, hello: Hello) -> WebsocketPlayer:
        """Return the seat of a client; SeatRefusedError if there is none such, or it is taken.

        A client that names a session gets the seat where it sat. Others get the seat that they ask
        for at the first table where it is free or has lost its bot. A client that asks for no
        particular seat gets, if possible, one in which nobody sits at any table yet, as the bot
        that has another seat will take it at the other tables too.

        Who takes a seat that has lost its bot begins a new session there. So the other bot, if it
        comes back after all, does not push out the new one; it may have another seat. A seat at
        which all is over is for nobody else, as who comes then wants to play elsewhere.
        """
        players = [player for player in self._players if not player.seated.cancelled()]
        for player in players:
            if hello.resume and player.welcome.session == hello.resume:
                return player
        player = self._next([player for player in players if not player.is_over], hello)
        if player.seated.done():
            player.renew_session()
        if self._strict:
            self._given.add(player)
        return player

    def _next(self, players: Sequence[WebsocketPlayer], hello: Hello) -> WebsocketPlayer:
        """Return the seat of a client without a session. Raises SeatRefusedError."""
        if self._strict:
            players = [player for player in players if player not in self._given]
        wanted = [player for player in players if hello.seat in (None, player.viewer.seat)]
        free = [player for player in wanted if not player.seated.done()]
        taken = {player.viewer.seat for player in wanted if player.seated.done()}
        for player in sorted(free, key=lambda player: player.viewer.seat in taken):
            return player
        for player in wanted:
            if not player.is_connected and player.seated.exception() is None:
                return player
        if players and not wanted:
            raise SeatRefusedError(f"this token is for no table in seat {hello.seat}")
        if players and hello.seat is not None:
            raise SeatRefusedError(f"seat {hello.seat} of this token is taken")
        raise SeatRefusedError("every seat of this token is taken")

    def complain(self, fault: SeatFault) -> None:
        """Note that a client had the token but failed before it claimed a seat."""
        if not self._strict:
            return
        for player in self._players:
            if not player.seated.done():
                player.seated.set_exception(fault)
                return
