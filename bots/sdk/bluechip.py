"""A bot of the SDK at another program's table manager, over the Blue Chip protocol."""

from __future__ import annotations

import socket
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from bridge_arena.bots.sdk.client import Bot, name_of, start_board
from bridge_arena.bots.sdk.connection import CONNECT_SECONDS, ConnectionFailedError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.client import ClientSession
from bridge_arena.protocol.bluechip.lines import FramingError, LineBuffer
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks
from bridge_arena.protocol.decision import LeavingError, decide
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    Answer,
    BoardEnd,
    BoardStart,
    Error,
    Message,
    NoAction,
    YourTurn,
)
from bridge_arena.protocol.tcp_keepalive import notice_loss
from bridge_arena.protocol.view import View

MOST_STRANGE = 16
"""The most lines that do not belong to the protocol before the bot gives up."""

_CHUNK = 4096
"""The most bytes that are read at a time."""


def play_bluechip(
    bot: Bot,
    address: tuple[str, int],
    *,
    team: str = "",
    seat: Seat | None = None,
    quirks: Quirks = STANDARD,
    seed: int = 0,
) -> None:
    """Sit down at the manager's table and play until the end of the session.

    Args:
        bot: The bot.
        address: The host and the port of the manager.
        team: The name of the team; the bot's name if empty.
        seat: The seat to ask for; any if None.
        quirks: How the manager's dialect differs from the protocol.
        seed: The seed of the bot's random choices.

    Raises:
        ConnectionFailedError: The manager cannot be reached, does not speak the protocol, refuses
            the bot, or closes the connection.
    """
    session = ClientSession(team or name_of(bot), seat, quirks=quirks, seed=seed)
    where = f"{address[0]}:{address[1]}"
    try:
        connection = socket.create_connection(address, CONNECT_SECONDS)
    except (OSError, UnicodeError) as error:
        raise ConnectionFailedError(f"cannot connect to {where}: {error}") from None
    with connection:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        notice_loss(connection)
        try:
            _Seated(bot, session, connection).play()
        except OSError as error:
            raise ConnectionFailedError(f"connection to {where} lost ({error})") from None
        except FramingError as error:
            raise ConnectionFailedError(f"{where} does not speak Blue Chip: {error}") from None


@dataclass(slots=True)
class _Seated:
    """A bot on a connection."""

    bot: Bot
    session: ClientSession
    connection: socket.socket
    strange: int = 0  # the number of lines so far that do not belong to the protocol

    def play(self) -> None:
        """Play until goodbye; raise OSError, FramingError or ConnectionFailedError."""
        lines = LineBuffer()
        self.session.connect()
        self._flush()
        while True:
            data = self.connection.recv(_CHUNK)
            if not data:
                raise ConnectionFailedError("the manager closed the connection")
            for line in lines.feed(data):
                self._hear(line)
                if self.session.goodbye is not None:
                    return

    def _hear(self, line: str) -> None:
        try:
            events = self.session.receive(line)
        except ProtocolError as error:
            self.strange += 1
            if not self.session.is_seated or self.strange > MOST_STRANGE:
                raise ConnectionFailedError(f"the manager's lines make no sense: {error}") from None
            self._say(f"ignored: {error}")
            return
        self._flush()
        waiting = deque[Message](events)
        while waiting:
            waiting.extend(self._take(waiting.popleft()))
            self._flush()

    def _take(self, event: Message) -> Sequence[Message]:
        """Tell the bot of an event, and return the events that follow from its answer."""
        bot, view = self.bot, self.session.view
        if type(event) is Error:
            if event.fatal:
                raise ConnectionFailedError(f"the manager says: {event.text}")
            self._say(f"the manager says: {event.text}")
        elif view is None:
            return ()
        elif type(event) is BoardStart:
            start_board(bot, view)
        elif type(event) is BoardEnd:
            bot.board_ended(view)
        elif type(event) is YourTurn:
            return self.session.send(self._answer(view, event))
        return ()

    def _answer(self, view: View, turn: YourTurn) -> Answer:
        """Return the bot's answer; raise ConnectionFailedError if it has none."""
        try:
            answer = decide(self.bot, view, turn)
        except LeavingError as error:
            raise ConnectionFailedError(f"{self.bot.name} leaves: {error}") from None
        if isinstance(answer, NoAction):  # Blue Chip has no word for it
            raise ConnectionFailedError(f"{self.bot.name} has no action: {answer.reason}")
        return answer

    def _say(self, text: str) -> None:
        print(f"{self.bot.name}: {text}", file=sys.stderr)

    def _flush(self) -> None:
        data = self.session.data_to_send()
        if data:
            self.connection.sendall(data)
