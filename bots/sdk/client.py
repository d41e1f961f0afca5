"""The SDK: subclass `Bot`, and `run` it.

    from bridge_arena import Bot, run

    class Passer(Bot):
        def call(self, view): return view.legal_calls()[0]
        def play(self, view): return next(iter(view.legal_cards()))

    run(Passer)

A process may sit at several tables: the server says at how many. Each table has its own
connection, thread and `Bot`, so that thinking at one table holds up no other.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

from bridge_arena.bots.sdk.claims import surely_takes
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.wire_log import WireLogError, wire_log
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.errors import BridgeError, NotationError
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.decision import Ask, decide, thoughts_at
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    BoardEnd,
    BoardStart,
    Delivery,
    Error,
    ServerMessage,
    Snapshot,
    Thinking,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.types import TEXT_LIMIT
from bridge_arena.protocol.view import View

__all__ = ["Ask", "Bot", "play_table", "run"]

_log = logging.getLogger(__name__)
"""Warnings go to standard error where the program says nothing else (`logging.lastResort`)."""


class Bot:
    """A player. Override `call` and `play`; one instance sits at one table."""

    name = ""
    version = ""
    delivery = Delivery.TURN
    thoughts: tuple[Thinking, ...] = ()
    """What it thought since it was last asked."""

    def __init__(self) -> None:
        # For the bot's random choices; seeded anew for each board, so that a bot plays a
        # board alike whatever it played before. Only `random()` is the same on every
        # version of Python: draw with `pick`.
        self.rng = Random(0)

    def call(self, view: View) -> Call | MadeCall | Ask:
        """The call to make at one's turn: one of `view.legal_calls()`; or `Ask`, and it is
        asked again."""
        raise NotImplementedError

    def play(self, view: View) -> Card | Ask:
        """The card to play at one's turn, or at dummy's when declaring: one of
        `view.legal_cards()`; or `Ask`, and it is asked again."""
        raise NotImplementedError

    def claim(self, view: View) -> int | None:
        """Asked before `play` where declarer may claim: how many of the tricks that are
        left to claim, the one in progress included; None to play on."""
        del view
        return None

    def answer_claim(self, view: View) -> bool:
        """Whether to accept declarer's claim, `view.claim`; `view.deal` has all four hands
        then. As it is, only where no defence could change anything."""
        return view.claim is not None and surely_takes(view, view.claim.tricks)

    def think(
        self,
        text: str = "",
        *,
        candidates: Mapping[Call, float] | Mapping[Card, float] | None = None,
        layouts: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
    ) -> None:
        """Say what you think about the turn that you are asked about: those who watch see it, no
        player does, and it is kept with the results.

        `candidates`: what each call or card is worth to you, by any measure, to four decimals.
        `layouts`: how many you looked at; `depth`: how far ahead; `seconds`: how long. Of the
        text 500 characters are sent, and of a turn's thoughts the last four. Raises ValueError
        for what cannot be sent, as a number that is not finite.
        """
        line = "".join(each if each.isprintable() else " " for each in text)[:TEXT_LIMIT]
        weighed = {str(each): round(float(worth), 4) for each, worth in (candidates or {}).items()}
        thinking = Thinking(
            text=line, candidates=weighed, layouts=layouts, depth=depth, seconds=seconds
        )
        self.thoughts = (*self.thoughts, thinking)

    def board_started(self, view: View) -> None:
        """A board begins."""

    def board_ended(self, view: View) -> None:
        """A board is over; `view.result` tells how it went."""


REPLAY_LOG = "ARENA_REPLAY_LOG"
"""The environment variable that names a wire log: `run` plays it back, and connects to no
server."""

PATIENCE = 60.0
"""How long, in seconds, a server is tried that cannot be reached or has no seat free."""


def play_table(
    bot: Bot,
    url: str,
    token: str,
    seat: Seat | None = None,
    *,
    patience: float = 0.0,
    seated: Callable[[Welcome], None] = lambda _: None,
) -> None:
    """Sit down at one table and play until the server says goodbye. Where the connection is
    lost, come back.

    `patience`: how long, in seconds, to try a server that cannot be reached. `seated`: is
    told where the bot sits. Raises ConnectionFailedError, also where there is no such `seat`.
    """
    name = name_of(bot)
    session = ClientSession(name, version=bot.version, delivery=bot.delivery, seat=seat)
    pauses = _Pauses(patience)
    try:
        wire = wire_log()
    except OSError as error:
        raise ConnectionFailedError(f"cannot keep a wire log: {error}", is_final=True) from None

    def send(connection: Connection, data: bytes) -> None:
        if wire is not None:
            wire.sent(data)
        connection.send(data)

    def receive(connection: Connection) -> bytes:
        data = connection.receive()
        if wire is not None:
            wire.received(data)
        return data

    # Since the last frame that made no sense.
    has_acted = False
    while True:
        before = session.welcome
        try:
            with Connection(url, token) as connection:
                send(connection, session.hello())
                while session.goodbye is None:
                    answer = answer_to(bot, session, receive(connection))
                    if answer is not None:
                        send(connection, answer)
                        has_acted = True
                    if session.welcome is not None and session.welcome is not before:
                        before = session.welcome
                        _log.info("%s: at table %s as %s", name, before.table, before.seat)
                        seated(before)
                        pauses = _Pauses(patience, way_back=before.grace_seconds > 0)
        except ProtocolError as error:
            # It may have been spoilt on its way: once, but not before anything went well.
            text = f"cannot play on {url}: {error}"
            lost, has_acted = ConnectionFailedError(text, is_final=not has_acted), False
        except ConnectionFailedError as error:
            lost = _ending(error, session)
        else:
            return
        pause = pauses.next()
        if lost.is_final or pause is None:
            raise lost
        if pauses.are_to_be_told():
            _log.warning("%s: %s; trying for %.0f s", name, lost, patience)
        else:
            _log.info("%s: %s", name, lost)
        time.sleep(pause)


class _Pauses:
    """Between attempts to come to a server: none before the first where there is a `way_back`,
    and longer ones as long as there is `patience`, in seconds."""

    def __init__(self, patience: float, *, way_back: bool = False) -> None:
        self._patience = patience
        self._pauses = [*([0.0] if way_back else []), 0.05, 0.2, 1.0]
        # When the first attempt failed; None before.
        self._since: float | None = None
        self._told = False

    def next(self) -> float | None:
        """Seconds until the next attempt; None when there is to be none."""
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        pause = self._pauses.pop(0) if len(self._pauses) > 1 else self._pauses[0]
        return pause if now + pause <= self._since + self._patience else None

    def are_to_be_told(self) -> bool:
        """Whether people should hear of it: once, when the quick attempts have failed."""
        tell = len(self._pauses) == 1 and not self._told
        self._told = self._told or tell
        return tell


def name_of(bot: Bot) -> str:
    """Return what a bot calls itself."""
    return bot.name or type(bot).__name__


def _ending(error: ConnectionFailedError, session: ClientSession) -> ConnectionFailedError:
    """Why a connection ended: as the server said, if it did."""
    refused, session.refused = session.refused, None
    if refused is not None:
        return ConnectionFailedError(
            f"{refused.code}: {refused.text}", is_final=refused.code != ErrorCode.TAKEN
        )
    return error


def answer_to(bot: Bot, session: ClientSession, data: bytes) -> bytes | None:
    """Take in one frame; the frame that answers it, if it asks for an action."""
    turn: YourTurn | None = None
    before = session.view
    for message in _received(session, data):
        if type(message) is YourTurn:
            turn = message
        elif type(message) is BoardStart and session.view is not None:
            start_board(bot, session.view)
            _log.debug("%s: board %d begins", name_of(bot), message.board)
        elif type(message) is Snapshot and session.view is not None:
            turn = session.view.turn
            # What the bot knew of this board; None where it is new.
            known = before if before is not None and _is_same(before, session.view) else None
            if known is None:
                start_board(bot, session.view)
            if session.view.result is not None and (known is None or known.result is None):
                bot.board_ended(session.view)
        elif type(message) is BoardEnd and session.view is not None:
            bot.board_ended(session.view)
        elif type(message) is Error and not message.fatal:
            _log.warning("%s: %s: %s", name_of(bot), message.code, message.text)
    view = session.view
    if turn is None or view is None or view.turn is not turn:
        return None
    action = decide(bot, view, turn)
    return session.send(*thoughts_at(bot, turn), action)


def _received(session: ClientSession, data: bytes) -> Iterator[ServerMessage]:
    """Raises ProtocolError, also for events that break the rules of the game."""
    try:
        yield from session.receive(data)
    except BridgeError as error:
        raise ProtocolError(str(error)) from error


def _is_same(one: View, other: View) -> bool:
    """Whether two views are of the same board."""
    return (one.number, one.seed, one.hand) == (other.number, other.seed, other.hand)


def start_board(bot: Bot, view: View) -> None:
    """Tell a bot of a board that begins, with the board's own seed."""
    bot.rng = Random(view.seed)
    bot.board_started(view)


def run(
    make_bot: Callable[[], Bot],
    *,
    url: str | None = None,
    token: str | None = None,
    seat: str | None = None,
) -> None:
    """Play at every table of a seat; return when all is over.

    `url`, `token` and `seat` default to ARENA_URL, ARENA_TOKEN and ARENA_SEAT; without a
    seat any is taken that is free. The token does not stay in the environment, which every
    program that the bot starts can read. A server that cannot be reached is tried again for
    ARENA_PATIENCE seconds (60 where there is none). Ends the process with status 1 and a line
    on standard error when a connection fails, and with a traceback when the bot itself does.

    With ARENA_WIRE_LOG=FILE every message is kept in that file (`wire_log`); with
    ARENA_REPLAY_LOG=FILE such a file is played back to the bot, without a server, and it is
    printed where the bot answers differently now.
    """
    if log := os.environ.get(REPLAY_LOG):
        sys.exit(_replayed(make_bot, Path(log)))
    url = url or os.environ.get("ARENA_URL", "")
    told = os.environ.pop("ARENA_TOKEN", "")
    token = token or told
    wanted = seat or os.environ.get("ARENA_SEAT")
    if not url or not token:
        sys.exit("no server to play on: set ARENA_URL and ARENA_TOKEN")
    try:
        place = Seat.parse(wanted) if wanted else None
        patience = float(os.environ.get("ARENA_PATIENCE", PATIENCE))
    except NotationError as error:
        sys.exit(str(error))
    except ValueError:
        sys.exit(f"ARENA_PATIENCE is {os.environ['ARENA_PATIENCE']!r}, expected seconds")
    _Tables(make_bot, url, token, patience).play(place)


def _replayed(make_bot: Callable[[], Bot], log: Path) -> str | None:
    """Play a wire log back; why that cannot be done, or None."""
    # It needs this module.
    from bridge_arena.bots.sdk.replay_log import print_replay  # noqa: PLC0415

    try:
        print_replay(make_bot, log)
    except (OSError, WireLogError) as error:
        return str(error)
    return None


class _Tables:
    """The tables that a process plays at, each in a thread of its own: the first, and as many
    more as the server says."""

    def __init__(self, make_bot: Callable[[], Bot], url: str, token: str, patience: float) -> None:
        self._make_bot = make_bot
        self._url = url
        self._token = token
        self._patience = patience
        # How it ended at a table; None: as it should.
        self._endings: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        # How many tables there are.
        self._tables = 0

    def play(self, seat: Seat | None) -> None:
        self._open(seat)
        ended = 0
        while ended < self._tables:
            failure = self._endings.get()
            ended += 1
            if isinstance(failure, ConnectionFailedError):
                sys.exit(str(failure))
            if isinstance(failure, SystemExit):
                raise failure
            if failure is not None:
                traceback.print_exception(failure)
                sys.exit(1)

    def _open(self, seat: Seat | None) -> None:
        self._tables += 1
        # A daemon: when one table fails, the process ends without waiting for the others.
        threading.Thread(target=self._sit, args=(seat,), daemon=True).start()

    def _sit(self, seat: Seat | None) -> None:
        try:
            play_table(
                self._make_bot(),
                self._url,
                self._token,
                seat,
                patience=self._patience,
                seated=self._go_on,
            )
        except BaseException as error:
            self._endings.put(error)
        else:
            self._endings.put(None)

    def _go_on(self, welcome: Welcome) -> None:
        """Sit down at the next table: not at all at once, which the server might take for an
        attack."""
        with self._lock:
            if self._tables < welcome.tables:
                self._open(welcome.seat)
