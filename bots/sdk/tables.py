"""How a bot's process plays at its tables: its connections, and what it does when one is lost.

Each table has its own connection, thread and `Bot`.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bridge_arena.base.wording import one_line, plural
from bridge_arena.bots.sdk.client import Bot, name_of, start_board
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.wire_log import WIRE_LOG, WireLog
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.decision import LeavingError, decide, thoughts_at
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    Answer,
    BoardEnd,
    BoardStart,
    Error,
    Leave,
    ServerMessage,
    Snapshot,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.types import TEXT_LIMIT
from bridge_arena.protocol.view import View

_log = logging.getLogger(__name__)

PATIENCE = 60.0
"""The seconds for which a server is tried that cannot be reached or has no free seat."""


@dataclass(frozen=True, slots=True)
class Stay:
    """What became of a bot at a table."""

    boards: int  # the number of boards that it played to their end
    # The server's reason for ending the session; "" if the server has fewer tables now.
    goodbye: str


def play_table(
    bot: Bot,
    url: str,
    token: str,
    seat: Seat | None = None,
    *,
    patience: float = 0.0,
    is_sure: bool = False,
    seated: Callable[[Welcome], None] = lambda _: None,
    is_table_gone: Callable[[], bool] = lambda: False,
) -> Stay:
    """Sit down at one table and play until the server says goodbye.

    When the connection is lost, the bot connects again.

    Args:
        bot: The bot.
        url: The address of the server.
        token: The token of the entry.
        seat: The seat to take; any free one if None.
        patience: The seconds for which a server that cannot be reached is tried again.
        is_sure: Whether the address is known to be right.
        seated: Called with the server's welcome whenever the bot has sat down.
        is_table_gone: Called when every seat is taken; if it returns True, the bot does not wait
            for one.

    Raises:
        ConnectionFailedError: The connection failed for good, or there is no such seat.
    """
    name = name_of(bot)
    session = ClientSession(name, version=bot.version, delivery=bot.delivery, seat=seat)
    seated_bot = SeatedBot(bot, session)
    pauses = _Pauses(patience)
    wire = _wire_log()
    # Whether the bot has acted since the last frame that made no sense.
    has_acted = False
    while True:
        before = session.welcome
        try:
            with Connection(url, token, is_sure=is_sure) as opened:
                connection = _LoggedConnection(opened, wire)
                connection.send(session.hello())
                while session.goodbye is None:
                    answer = seated_bot.answer_to(connection.receive())
                    if answer is not None:
                        try:
                            connection.send(answer)
                        except ConnectionFailedError:
                            # The server may have said goodbye while the bot thought.
                            seated_bot.hear_out(connection.receive)
                        has_acted = True
                    if session.welcome is not None and session.welcome is not before:
                        level = logging.DEBUG if before is None else logging.INFO
                        before = session.welcome
                        _log.log(level, "%s: at %s as %s", name, before.table, before.seat)
                        seated(before)
                        pauses = _Pauses(patience, way_back=before.grace_seconds > 0)
        except ProtocolError as error:
            # The frame may have been damaged on its way. Try again once, but only if the bot
            # has acted before.
            text = f"cannot play on {url}: {error}"
            lost, has_acted = ConnectionFailedError(text, is_final=not has_acted), False
        except ConnectionFailedError as error:
            if _is_taken(session.refused) and is_table_gone():
                return Stay(seated_bot.boards, "")
            lost = _ending(error, session)
        else:
            return Stay(seated_bot.boards, session.goodbye.reason)
        pause = pauses.next()
        if lost.is_final or pause is None:
            raise lost
        if pauses.are_to_be_announced():
            _log.warning("%s: %s; trying for %.0f s", name, lost, patience)
        else:
            _log.debug("%s: %s", name, lost)
        time.sleep(pause)


@dataclass(frozen=True, slots=True)
class _LoggedConnection:
    """A connection whose frames are kept in a wire log, if there is one."""

    connection: Connection
    wire: WireLog | None

    def send(self, data: bytes) -> None:
        """Send a frame. Raises ConnectionFailedError."""
        if self.wire is not None:
            self.wire.sent(data)
        self.connection.send(data)

    def receive(self) -> bytes:
        """Wait for a frame and return it. Raises ConnectionFailedError."""
        data = self.connection.receive()
        if self.wire is not None:
            self.wire.received(data)
        return data


def _wire_log() -> WireLog | None:
    """Return the wire log that the environment asks for. Raises ConnectionFailedError."""
    path = os.environ.get(WIRE_LOG)
    try:
        return WireLog(Path(path)) if path else None
    except OSError as error:
        raise ConnectionFailedError(f"cannot keep a wire log: {error}", is_final=True) from None


class _Pauses:
    """The pauses between attempts to connect to a server, which go on for `patience` seconds.

    The first attempt is made at once where there is a way back, as the server keeps the seat.
    """

    def __init__(self, patience: float, *, way_back: bool = False) -> None:
        self._patience = patience
        self._pauses = [*([0.0] if way_back else []), 0.05, 0.2, 1.0]
        self._since: float | None = None  # the time of the first failed attempt; None before it
        self._is_announced = False

    def next(self) -> float | None:
        """Return the seconds until the next attempt, or None if there is to be none."""
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        pause = self._pauses.pop(0) if len(self._pauses) > 1 else self._pauses[0]
        return pause if now + pause <= self._since + self._patience else None

    def are_to_be_announced(self) -> bool:
        """Return whether to tell the user: once, when the quick attempts have failed."""
        is_time = len(self._pauses) == 1 and not self._is_announced
        self._is_announced = self._is_announced or is_time
        return is_time


def _is_taken(refused: Error | None) -> bool:
    """Return whether the server refused a client because every seat is taken."""
    return refused is not None and refused.code == ErrorCode.TAKEN


def _ending(error: ConnectionFailedError, session: ClientSession) -> ConnectionFailedError:
    """Return why a connection ended: the server's refusal, if it sent one."""
    refused, session.refused = session.refused, None
    if refused is None:
        return error
    text = f"{refused.code}: {refused.text}"
    return ConnectionFailedError(text, is_final=not _is_taken(refused))


class SeatedBot:
    """A bot in its session: it takes in the frames of the server, and answers its turns."""

    def __init__(self, bot: Bot, session: ClientSession) -> None:
        self.boards = 0  # the number of boards that it played to their end
        self._bot = bot
        self._session = session

    def answer_to(self, data: bytes) -> bytes | None:
        """Take in a frame, and return the frame that answers it, if any. Raises ProtocolError."""
        turn = self.take_in(data)
        view = self._session.view
        if turn is None or view is None or view.turn is not turn:
            return None
        action: Answer | Leave
        try:
            action = decide(self._bot, view, turn)
        except LeavingError as error:
            _log.warning("%s: leaves: %s", name_of(self._bot), error)
            action = Leave(reason=one_line(str(error), TEXT_LIMIT))
        return self._session.send(*thoughts_at(self._bot, turn), action)

    def take_in(self, data: bytes) -> YourTurn | None:
        """Tell the bot what is in a frame, and return its last turn. Raises ProtocolError."""
        turn: YourTurn | None = None
        session, before = self._session, self._session.view
        for message in _received(session, data):
            if type(message) is YourTurn:
                turn = message
            elif type(message) is BoardStart and session.view is not None:
                start_board(self._bot, session.view)
                _log.debug("%s: board %d begins", name_of(self._bot), message.board)
            elif type(message) is Snapshot and session.view is not None:
                turn = session.view.turn
                # The bot's earlier view of this board; None if the board is new.
                known = before if before is not None and _is_same(before, session.view) else None
                if known is None:
                    start_board(self._bot, session.view)
                if session.view.result is not None and (known is None or known.result is None):
                    self._end_board(session.view)
            elif type(message) is BoardEnd and session.view is not None:
                self._end_board(session.view)
            elif type(message) is Error and not message.fatal:
                _log.warning("%s: %s: %s", name_of(self._bot), message.code, message.text)
        return turn

    def hear_out(self, receive: Callable[[], bytes]) -> None:
        """Take in all frames up to the server's goodbye, when no answer reaches it.

        Turns are not thought about: a bot that comes back is told them again. `receive` raises
        ConnectionFailedError.
        """
        while self._session.goodbye is None:
            self.take_in(receive())

    def _end_board(self, view: View) -> None:
        self.boards += 1
        self._bot.board_ended(view)


def _received(session: ClientSession, data: bytes) -> Iterator[ServerMessage]:
    """Yield the messages of a frame; raise ProtocolError also if one breaks the rules of bridge."""
    try:
        yield from session.receive(data)
    except BridgeError as error:
        raise ProtocolError(str(error)) from error


def _is_same(one: View, other: View) -> bool:
    """Return whether two views are of the same board."""
    return (one.number, one.seed, one.hand) == (other.number, other.seed, other.hand)


class Tables:
    """The tables that a process plays at, each in its own thread.

    The server says how many there are. A server that was started again may have more of them, or
    fewer: a thread that finds every seat taken ends, if the others sit at as many tables as that.
    """

    def __init__(
        self,
        make_bot: Callable[[], Bot],
        url: str,
        token: str,
        patience: float,
        *,
        is_sure: bool = False,
    ) -> None:
        self._make_bot = make_bot
        self._url = url
        self._play_table = partial(
            play_table,
            url=url,
            token=token,
            patience=patience,
            is_sure=is_sure,
            seated=self._go_on,
            is_table_gone=self._is_table_gone,
        )
        # For each table that ended, its error, or what became of the bot if it ended well.
        self._endings: queue.SimpleQueue[BaseException | Stay] = queue.SimpleQueue()
        self._lock = threading.Lock()
        # The number of threads so far, and of those that found their table gone.
        self._threads = self._gone = 0
        # The threads that sit at a table or are on their way back, and at how many tables the
        # server last said that the process plays.
        self._seated: set[int] = set()
        self._tables = 0
        self._name = ""  # the name of the bot of the first table
        self._is_any_seat = False  # whether the bot takes any seat
        self._is_announced = False  # whether the user has been told where the bot sits

    def play(self, seat: Seat | None) -> None:
        """Play at all tables until they end; exit the process when one fails."""
        self._is_any_seat = seat is None
        self._open(seat)
        stays: list[Stay] = []
        while len(stays) < self._threads:
            ending = self._endings.get()
            if isinstance(ending, Stay):
                stays.append(ending)
            elif isinstance(ending, ConnectionFailedError):
                sys.exit(one_line(str(ending)))
            elif isinstance(ending, SystemExit):
                raise ending
            else:
                traceback.print_exception(ending)
                sys.exit(1)
        boards = plural(sum(stay.boards for stay in stays), "board")
        goodbye = next((stay.goodbye for stay in reversed(stays) if stay.goodbye), "the end")
        _log.info("%s: %s; %s played", self._name, goodbye, boards)

    def _open(self, seat: Seat | None) -> None:
        self._threads += 1
        # A daemon thread: when one table fails, the process does not wait for the others.
        threading.Thread(target=self._sit, args=(seat,), daemon=True).start()

    def _sit(self, seat: Seat | None) -> None:
        try:
            bot = self._make_bot()
            self._name = self._name or name_of(bot)
            self._endings.put(self._play_table(bot, seat=seat))
        except BaseException as error:
            self._endings.put(error)

    def _go_on(self, welcome: Welcome) -> None:
        """Sit down at the next table, if there is one; tell the user of the first."""
        # One after the other: the server might take many connections at once for an attack.
        with self._lock:
            if not self._is_announced:
                self._is_announced = True
                self._tell(welcome)
            self._seated.add(threading.get_ident())
            self._tables = welcome.tables
            if self._threads - self._gone < welcome.tables:
                self._open(welcome.seat)

    def _is_table_gone(self) -> bool:
        """Return whether this thread's table is gone, as the others have all that there are."""
        with self._lock:
            self._seated.discard(threading.get_ident())
            is_gone = 0 < self._tables <= len(self._seated)
            self._gone += is_gone
        return is_gone

    def _tell(self, welcome: Welcome) -> None:
        """Tell the user where the bot sits, and what it takes to have all seats."""
        tables = plural(welcome.tables, "table")
        where = f"seat {welcome.seat} at {tables}" + (welcome.event and f" of {welcome.event}")
        _log.info(
            "%s: connected to %s: %s; waiting for the first board", self._name, self._url, where
        )
        if self._is_any_seat:
            _log.info(
                "%s: no seat was asked for, and this one was free; a process takes one seat: start "
                "one for each seat of the entry (ARENA_SEAT, or --seat of arena bot, names it)",
                self._name,
            )


# What is shown of the log.

LOG_LEVEL = "ARENA_LOG"
"""The environment variable with the least level of the lines that are shown."""

LEVELS = ("debug", "info", "warning", "error")


class LogLevelError(ValueError):
    """The environment asks for a level that does not exist; the message is one line."""


def show_log() -> None:
    """Show the SDK's log on standard error, unless the program has set up logging itself."""
    level = os.environ.get(LOG_LEVEL, "info")
    if level.lower() not in LEVELS:
        expected = f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}"
        raise LogLevelError(f"{LOG_LEVEL} is {level!r}, expected {expected}")
    # The logger above those of the modules.
    log = logging.getLogger(__package__)
    if log.hasHandlers():
        return
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    log.addHandler(handler)
    log.setLevel(level.upper())


class _OneLine(logging.Formatter):
    """A formatter for messages that contain texts of a server, which may be anybody's."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message as one line."""
        return one_line(super().format(record))
