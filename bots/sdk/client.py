"""The SDK: subclass `Bot`, and `run` it.

    from bridge_arena import Bot, run

    class Passer(Bot):
        def call(self, view): return view.legal_calls()[0]
        def play(self, view): return next(iter(view.legal_cards()))

    run(Passer)

A process may sit at several tables; the server says at how many. Each table has its own connection,
thread and `Bot`, so a bot that thinks at one table does not delay the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

from bridge_arena.base.wording import one_line
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.delivery import Delivery

# The program of a bot imports this first. What speaks the protocol is imported when it runs, so
# that whoever only reads a class for its options, such as `arena bots`, does not pay for it.
if TYPE_CHECKING:
    from bridge_arena.bots.library.many_auctions.auctions import Calls, Turns
    from bridge_arena.bridge.calls import Call
    from bridge_arena.bridge.cards import Card
    from bridge_arena.bridge.record import MadeCall, ModelUse
    from bridge_arena.protocol.decision import Ask
    from bridge_arena.protocol.messages import Thinking
    from bridge_arena.protocol.view import View

__all__ = ["Bot", "run"]

READING = ContextVar("reading", default=False)
"""Set while `bots.registry` executes a file for a class of it: `run` then does nothing."""


class Bot:
    """A player; subclasses override `call` and `play`.

    One instance sits at one table.

    Attributes:
        name: The bot's name; that of its class if empty.
        version: The bot's version.
        delivery: When events reach the bot: with its next turn, or as they happen.
        secrets: The environment variables that the arena gives to no other bot, if the bot ships.
        thoughts: What the bot has thought since it was last asked; `think` adds to it.
        rng: The generator for the bot's random choices, with a new seed for each board.
    """

    name = ""
    version = ""
    delivery = Delivery.TURN
    secrets: tuple[str, ...] = ()
    thoughts: tuple[Thinking, ...] = ()

    def __init__(self) -> None:
        # Only `random()` is the same on every version of Python, so draw with `pick`.
        self.rng = Random(0)

    def prepare(self) -> None:
        """Read what the bot needs before it sits down.

        It is called for bots that ship, in their own process. A bot does nothing unless it
        overrides this.

        Raises:
            ValueError: A file or a variable of the environment is missing, or unusable.
        """

    def call(self, view: View) -> Call | MadeCall | Ask:
        """Return the call to make at the bot's turn.

        Args:
            view: What the bot sees.

        Returns:
            One of `view.legal_calls()`, with an explanation if it is a `MadeCall`; or `Ask`, to ask
            about a call and be asked again.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method call")

    def play(self, view: View) -> Card | Ask:
        """Return the card to play at the bot's turn, or at dummy's turn when it is declarer.

        Args:
            view: What the bot sees.

        Returns:
            One of `view.legal_cards()`; or `Ask`, to ask about a call and be asked again.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method play")

    def call_many(self, turns: Turns) -> Calls | None:
        """Return the calls to make on many boards at once, where that is faster than one by one.

        Only the laboratory asks for it, and one instance of the bot answers for all seats and
        boards of its team. Each call must be the one that `call` would choose for its turn alone. A
        bot is asked for one call at a time, by `call`, unless it overrides this.

        Args:
            turns: The turns, n, each on a board of its own.

        Returns:
            A legal call for each turn, n, as numbers of `bridge.calls`; None if the bot is to be
            asked for one call at a time.
        """
        del turns
        return None

    def play_many(self, views: Sequence[View]) -> Sequence[Card] | None:
        """Return the cards to play on many boards at once, where that is faster than one by one.

        Only the laboratory asks for it, and one instance of the bot answers for all seats and
        boards of its team. Each card must be the one that `play` would choose for its view alone,
        so the choice may depend on nothing but the view: not on `rng`, for instance. A bot is asked
        one board at a time, by `play`, unless it overrides this.

        Args:
            views: What the bot sees at each of its turns; no two are of the same table. There may
                be none, to find out whether the bot answers so.

        Returns:
            A legal card for each view; None if the bot is to be asked one board at a time.
        """
        del views
        return None

    def claim(self, view: View) -> int | None:
        """Return how many of the remaining tricks declarer claims, or None to play on.

        This is called before `play` where declarer may claim. A bot claims nothing unless it
        overrides it.

        Args:
            view: What the bot sees.

        Returns:
            The number of tricks, the one in progress included, or None.
        """
        del view
        return None

    def answer_claim(self, view: View) -> bool:
        """Return whether to accept declarer's claim.

        Unless it is overridden, a bot accepts only a claim that no defence can change.

        Args:
            view: What the bot sees: `view.claim` is the claim, and `view.deal` has all four hands.

        Returns:
            True to accept it.
        """
        from bridge_arena.bots.sdk.claims import surely_takes  # noqa: PLC0415

        return view.claim is not None and surely_takes(view, view.claim.tricks)

    def think(
        self,
        text: str = "",
        *,
        candidates: Mapping[Call, float] | Mapping[Card, float] | None = None,
        layouts: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        model: ModelUse | None = None,
    ) -> None:
        """Say what the bot thinks about the turn that it is asked about.

        Spectators see it and players do not; it is kept with the results. Of a turn's thoughts, the
        last four are sent.

        Args:
            text: The thought; 500 characters of it are sent.
            candidates: The value of each call or card to the bot, by any measure; four decimals are
                sent.
            layouts: How many layouts it looked at.
            depth: How far ahead it looked.
            seconds: How long it thought.
            model: What it asked a language model.

        Raises:
            ValueError: A value cannot be sent, such as a number that is not finite.
        """
        from bridge_arena.protocol.messages import Thinking  # noqa: PLC0415
        from bridge_arena.protocol.types import TEXT_LIMIT  # noqa: PLC0415

        weighed = (candidates or {}).items()
        thinking = Thinking(
            text=one_line(text, TEXT_LIMIT),
            candidates={str(action): round(float(worth), 4) for action, worth in weighed},
            layouts=layouts,
            depth=depth,
            seconds=seconds,
            model=model,
        )
        self.thoughts = (*self.thoughts, thinking)

    def board_started(self, view: View) -> None:
        """React to the start of a board; a bot does nothing unless it overrides this.

        Args:
            view: What the bot sees at the start.
        """

    def board_ended(self, view: View) -> None:
        """React to the end of a board; a bot does nothing unless it overrides this.

        Args:
            view: What the bot sees; `view.result` is the result.
        """


REPLAY_LOG = "ARENA_REPLAY_LOG"
"""The environment variable that names a wire log: `run` plays it back, and connects to no
server."""


def name_of(bot: Bot) -> str:
    """Return what a bot calls itself."""
    return bot.name or type(bot).__name__


def start_board(bot: Bot, view: View) -> None:
    """Tell a bot that a board begins, and give it the board's own seed."""
    bot.rng = Random(view.seed)
    bot.board_started(view)


def run(
    make_bot: Callable[[], Bot],
    *,
    url: str | None = None,
    token: str | None = None,
    seat: str | None = None,
) -> None:
    """Play at every table of a seat, and return when all of them are over.

    The token is removed from the environment, which every program that the bot starts can read. A
    server that cannot be reached is tried again for ARENA_PATIENCE seconds (60 by default). The
    process ends with status 1 and a line on standard error when a connection fails, and with a
    traceback when the bot itself fails. Standard error also says where the bot sits and how its
    event ended, unless the program has set up logging itself; ARENA_LOG is the least level that is
    shown: debug, info (the default), warning or error.

    It does nothing while `FILE.py:CLASS` is read for its class, so a file may call it as its last
    line and be named that way too.

    With ARENA_WIRE_LOG=FILE in the environment every message is kept in that file. With
    ARENA_REPLAY_LOG=FILE such a file is played back to the bot, without a server, and each turn is
    printed at which the bot answers differently now.

    Args:
        make_bot: Makes a bot for each table; a subclass of `Bot` will do.
        url: The address of the server; ARENA_URL by default.
        token: The token of the entry; ARENA_TOKEN by default.
        seat: The seat to take; ARENA_SEAT by default, and without that any free one.

    Raises:
        SystemExit: There is no server or token to play with, a connection failed, or the bot
            failed.
    """
    if READING.get():
        return
    from bridge_arena.bots.sdk.tables import PATIENCE, LogLevelError, Tables, show_log  # noqa: PLC0415

    if log := os.environ.get(REPLAY_LOG):
        sys.exit(_replayed(make_bot, Path(log)))
    url = url or os.environ.get("ARENA_URL", "")
    own_token = os.environ.pop("ARENA_TOKEN", "")  # whether it is needed or not
    token = token or own_token
    wanted = seat or os.environ.get("ARENA_SEAT")
    if not url or not token:
        sys.exit("no server to play on: set ARENA_URL and ARENA_TOKEN")
    try:
        place = Seat.parse(wanted) if wanted else None
        patience = float(os.environ.get("ARENA_PATIENCE", PATIENCE))
        show_log()
    except (NotationError, LogLevelError) as error:
        sys.exit(str(error))
    except ValueError:
        sys.exit(f"ARENA_PATIENCE is {os.environ['ARENA_PATIENCE']!r}, expected seconds")
    is_sure = "ARENA_STARTED" in os.environ  # by the arena, which knows its own address
    Tables(make_bot, url, token, patience, is_sure=is_sure).play(place)


def _replayed(make_bot: Callable[[], Bot], log: Path) -> str | None:
    """Play a wire log back, and return why that cannot be done, or None."""
    from bridge_arena.bots.sdk.replay_log import print_replay  # noqa: PLC0415
    from bridge_arena.bots.sdk.wire_log import WireLogError  # noqa: PLC0415

    try:
        print_replay(make_bot, log)
    except OSError as error:
        return f"{log} cannot be read: {error.strerror}"
    except WireLogError as error:
        return str(error)
    return None


def answers_many(bot: Bot, what: Literal["call", "play"]) -> bool:
    """Return whether a bot answers on many boards at once, by `call_many` or `play_many`.

    One whose class overrides `call` or `play` alone does not: its parent would answer in its place.
    """
    for kind in type(bot).__mro__:
        if kind is Bot or what in vars(kind):
            return f"{what}_many" in vars(kind) and kind is not Bot
        if f"{what}_many" in vars(kind):
            return True
    return False
