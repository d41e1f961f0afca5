"""The SDK: subclass `Bot`, and `run` it.

    from bots.client import Bot, run

    class Passer(Bot):
        def call(self, view): return view.legal_calls()[0]
        def play(self, view): return next(iter(view.legal_cards()))

    run(Passer)

A process may sit at several tables: it finds one token for each in `ARENA_TOKEN`.
Each table has its own connection, thread and `Bot`, so that thinking at one table
holds up no other.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from random import Random

from bots.claims import surely_takes
from bots.connection import Connection, ConnectionFailedError
from bridge.calls import Call
from bridge.cards import Card
from bridge.errors import NotationError
from bridge.record import MadeCall
from bridge.seats import Seat
from protocol.decision import Ask, decide
from protocol.messages import (
    BoardEnd,
    BoardStart,
    Delivery,
    Error,
    Snapshot,
    YourTurn,
)
from protocol.session import ClientSession
from protocol.view import View

__all__ = ["Ask", "Bot", "play_table", "run"]


class Bot:
    """A player. Override `call` and `play`; one instance sits at one table."""

    name = ""
    version = ""
    delivery = Delivery.TURN

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

    def board_started(self, view: View) -> None:
        """A board begins."""

    def board_ended(self, view: View) -> None:
        """A board is over; `view.result` tells how it went."""


def play_table(bot: Bot, url: str, token: str, seat: Seat | None = None) -> None:
    """Sit down at one table and play until the server says goodbye.

    Raises ConnectionFailedError, also where the token is not for `seat`.
    """
    session = ClientSession(
        bot.name or type(bot).__name__, version=bot.version, delivery=bot.delivery
    )
    with Connection(url, token) as connection:
        connection.send(session.hello())
        while session.goodbye is None:
            answer = _answer(bot, session, connection.receive())
            if answer is not None:
                connection.send(answer)
            if seat is not None and session.welcome and session.welcome.seat != seat:
                raise ConnectionFailedError(
                    f"the token is for {session.welcome.seat}, expected {seat}"
                )


def _answer(bot: Bot, session: ClientSession, data: bytes) -> bytes | None:
    """Take in one frame; the frame that answers it, if it asks for an action."""
    turn: YourTurn | None = None
    # The board that the bot is at; None before the first.
    known = None if session.view is None else session.view.number
    for message in session.receive(data):
        if type(message) is YourTurn:
            turn = message
        elif type(message) is BoardStart and session.view is not None:
            _start_board(bot, session.view)
        elif type(message) is Snapshot and session.view is not None:
            turn = session.view.turn
            if session.view.number != known:
                _start_board(bot, session.view)
        elif type(message) is BoardEnd and session.view is not None:
            bot.board_ended(session.view)
        elif type(message) is Error:
            print(f"{bot.name}: {message.code}: {message.text}", file=sys.stderr)
    view = session.view
    if turn is None or view is None or view.turn is not turn:
        return None
    return session.send(decide(bot, view, turn))


def _start_board(bot: Bot, view: View) -> None:
    bot.rng = Random(view.seed)
    bot.board_started(view)


def run(
    make_bot: Callable[[], Bot],
    *,
    url: str | None = None,
    token: str | None = None,
    seat: str | None = None,
) -> None:
    """Play at every table that there is a token for; return when all is over.

    `url`, `token` and `seat` default to ARENA_URL, ARENA_TOKEN and ARENA_SEAT; several
    tokens are divided by commas; the seat, where given, is the one expected. Ends the
    process with status 1 and a line on standard error when a connection fails, and with
    a traceback when the bot itself does.
    """
    url = url or os.environ.get("ARENA_URL", "")
    tokens = [t for t in (token or os.environ.get("ARENA_TOKEN", "")).split(",") if t]
    expected = seat or os.environ.get("ARENA_SEAT")
    if not url or not tokens:
        sys.exit("no server to play on: set ARENA_URL and ARENA_TOKEN")
    try:
        place = Seat.parse(expected) if expected else None
    except NotationError as error:
        sys.exit(str(error))
    endings: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()

    def sit(token: str) -> None:
        try:
            play_table(make_bot(), url, token, place)
        except BaseException as error:
            endings.put(error)
        else:
            endings.put(None)

    # Daemons: when one table fails, the process ends without waiting for the others.
    for each in tokens:
        threading.Thread(target=sit, args=(each,), daemon=True).start()
    for _ in tokens:
        failure = endings.get()
        if isinstance(failure, ConnectionFailedError):
            sys.exit(str(failure))
        if isinstance(failure, SystemExit):
            raise failure
        if failure is not None:
            traceback.print_exception(failure)
            sys.exit(1)
