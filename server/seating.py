"""Who may sit down by a token, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge_arena.protocol.messages import Hello
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.websocket_player import WebsocketPlayer


class SeatRefusedError(Exception):
    """There is no such seat to take: one line says why."""


class Seating:
    """The seats that one token opens, each as the player who is to sit there, in the order in
    which they are given away.

    With `strict` they are for one process that was started here: its token opens each seat
    once, and who is to come back names its session; and one who connects and does not say
    Hello as it should spoils a seat, since only the bot itself can have the token. Else that
    was but an attempt.
    """

    def __init__(self, players: Iterable[WebsocketPlayer] = (), *, strict: bool = False) -> None:
        self._players = list(players)
        self._strict = strict
        # Whose seats were given away by the token alone.
        self._given: set[WebsocketPlayer] = set()

    def open(self, players: Iterable[WebsocketPlayer]) -> None:
        """More seats can be taken."""
        self._players += players

    def close(self, players: Iterable[WebsocketPlayer]) -> None:
        """Seats can be taken no more."""
        gone = set(players)
        self._players = [player for player in self._players if player not in gone]

    def claim(self, hello: Hello) -> WebsocketPlayer:
        """Where a client may sit: where it sat, if it names a session; else at the first table
        that is free, or that has lost its bot, in the seat that it wants. One that wants no
        certain seat gets, if it can, one in which nobody sits yet: who is there already will
        take the other tables of its own. Raises SeatRefusedError."""
        players = [player for player in self._players if not player.seated.cancelled()]
        for player in players:
            if hello.resume and player.welcome.session == hello.resume:
                return player
        player = self._next(players, hello)
        if self._strict:
            self._given.add(player)
        return player

    def _next(self, players: Sequence[WebsocketPlayer], hello: Hello) -> WebsocketPlayer:
        """For one without a session. Raises SeatRefusedError."""
        if self._strict:
            players = [player for player in players if player not in self._given]
        wanted = [player for player in players if hello.seat in (None, player.viewer.seat)]
        free = [player for player in wanted if not player.seated.done()]
        taken = {player.viewer.seat for player in wanted if player.seated.done()}
        for player in sorted(free, key=lambda each: each.viewer.seat in taken):
            return player
        for player in wanted:
            if not player.is_connected and player.seated.exception() is None:
                return player
        if players and not wanted:
            raise SeatRefusedError(f"this token is for no table in seat {hello.seat}")
        raise SeatRefusedError("every seat of this token is taken")

    def complain(self, fault: SeatFault) -> None:
        """A client had the token, and did not get as far as to claim a seat."""
        if not self._strict:
            return
        for player in self._players:
            if not player.seated.done():
                player.seated.set_exception(fault)
                return
