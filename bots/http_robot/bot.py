"""The bot that asks a robot over HTTP, and the probe of the robot before it takes its seat.

The bot tells the robot what its seat knows, and nothing else. What goes wrong is tried again as
long as the turn has time, and told in the bot's output and its thoughts. A robot that answers every
question with an error would sit through a match in which the table acts for it; the probe finds it
out.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any, TypeVar

from bridge_arena.bots.http_robot.client import PAUSES, RobotClient, TroubleError
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.record import MadeCall, Mode
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.decision import NoActionError
from bridge_arena.protocol.http_robot.answer import read_bid, read_card, read_thinking
from bridge_arena.protocol.http_robot.position import AnswerError, Kind, Position, parameters_of
from bridge_arena.protocol.view import View

_log = logging.getLogger(__name__)

MARGIN = 0.25  # the seconds of a turn that are left for the way of what the bot says to the table

Decision = TypeVar("Decision", MadeCall, Card)


class HttpRobotBot(Bot):
    """A bot whose calls and cards are those of a robot."""

    def __init__(self, name: str, client: RobotClient) -> None:
        super().__init__()
        self.name = name
        self._client = client
        self._troubles = Counter[str]()  # what went wrong at the open turn, and how often

    def call(self, view: View) -> MadeCall:
        return self._decide(view, read_bid, lambda made: view.auction.is_legal(made.call))

    def play(self, view: View) -> Card:
        """Return the robot's card; it is not asked if there is no choice."""
        legal = view.legal_cards()
        if len(legal) == 1:
            return next(iter(legal))
        return self._decide(view, read_card, legal.__contains__)

    def _decide(
        self, view: View, read: Callable[[object], Decision], is_legal: Callable[[Decision], bool]
    ) -> Decision:
        """Return what the robot decides, legal or not. Raises NoActionError."""
        assert view.turn is not None
        started = time.monotonic()
        self._troubles.clear()
        seconds = max(view.turn.seconds - MARGIN, view.turn.seconds / 2)
        try:
            decision, answer = asyncio.run(self._ask(Position.of(view), read, is_legal, seconds))
        finally:
            if self._troubles:
                self.think(f"robot: {'; '.join(map(_counted, self._troubles.items()))}")
        taken = {"seconds": round(time.monotonic() - started, 3)}
        self.thoughts = (*self.thoughts, read_thinking(answer).model_copy(update=taken))
        return decision

    async def _ask(
        self,
        position: Position,
        read: Callable[[object], Decision],
        is_legal: Callable[[Decision], bool],
        seconds: float,
    ) -> tuple[Decision, Any]:
        """Return a decision, and the answer that has it. Raises NoActionError in the end."""
        parameters = parameters_of(position)
        pauses = chain(PAUSES, repeat(PAUSES[-1]))
        has_objected = False
        try:
            async with asyncio.timeout(seconds):
                while True:
                    pause = next(pauses)
                    try:
                        answer = await self._client.ask(position.kind, parameters)
                        decision = read(answer)
                    except TroubleError as trouble:
                        self._note(str(trouble))
                        pause = max(pause, trouble.pause or 0.0)
                    except AnswerError as error:
                        self._note(str(error))
                    else:
                        if has_objected or is_legal(decision):
                            return decision, answer
                        # Asked once more it may mean another; if it insists, the table judges.
                        has_objected = True
                        chosen = decision.call if isinstance(decision, MadeCall) else decision
                        self._note(f"{chosen} is illegal")
                        continue
                    await asyncio.sleep(pause)
        except TimeoutError:
            why = f"no answer in the time of the turn ({seconds:.1f} s)"
            said = "".join(f"; {_counted(trouble)}" for trouble in self._troubles.items())
            self._note(why)
            raise NoActionError(why + said, timeout=True) from None

    def _note(self, trouble: str) -> None:
        self._troubles[trouble] += 1
        _log.warning("%s: %s", self.name, trouble)


def _counted(trouble: tuple[str, int]) -> str:
    text, number = trouble
    return f"{text} ({number} times)" if number > 1 else text


PROBE_SECONDS = 180.0
"""The seconds that a robot may take for an answer: it may load its models, or work for other seats
first."""

BUSY_SECONDS = 60.0  # the seconds for which it may be starting, or asked too often in a minute

MOST_ERRORS = 3
"""The number of answers without a decision, which would not come later, after which a robot is
given up."""

_KINDS = {
    Mode.FULL: (Kind.BID, Kind.LEAD, Kind.PLAY),
    Mode.BIDDING: (Kind.BID,),
    Mode.PLAY: (Kind.LEAD, Kind.PLAY),
}

_NORTH, _SOUTH = Hand.parse("AQ85.K84.KJ3.Q92"), Hand.parse("K72.A53.AQ84.K83")
_EAST = Hand.parse("JT964.QJ7.T5.A64")
_AUCTION = tuple(map(Call, ("1NT", "Pass", "3NT", "Pass", "Pass", "Pass")))
_POSITIONS = {
    Kind.BID: Position(Seat.NORTH, _NORTH, Seat.NORTH, Vulnerability.NONE, ()),
    Kind.LEAD: Position(Seat.EAST, _EAST, Seat.NORTH, Vulnerability.NONE, _AUCTION),
    Kind.PLAY: Position(
        Seat.NORTH, _NORTH, Seat.NORTH, Vulnerability.NONE, _AUCTION, _SOUTH, (Card("SJ"),)
    ),
}


class ProbeError(Exception):
    """A robot does not decide; the text has its own words."""


async def probe(client: RobotClient, mode: Mode) -> None:
    """Have a robot decide once in each way that it will be asked to. Raises ProbeError."""
    for kind in _KINDS[mode]:
        await _probe(client, kind)


async def _probe(client: RobotClient, kind: Kind) -> None:
    """Have a robot decide in one way. Raises ProbeError."""
    read = read_bid if kind is Kind.BID else read_card
    parameters = parameters_of(_POSITIONS[kind])
    busy_until, errors = time.monotonic() + BUSY_SECONDS, 0
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                read(await client.ask(kind, parameters))
                return
        except TimeoutError:
            raise ProbeError(f"/{kind}: no answer within {PROBE_SECONDS:g} s") from None
        except TroubleError as trouble:
            why, wait = str(trouble), max(pause, trouble.pause or 0.0)
            errors += not trouble.may_pass
        except AnswerError as error:
            why, wait = str(error), pause
            errors += 1
        if errors == MOST_ERRORS or time.monotonic() + wait > busy_until:
            raise ProbeError(f"/{kind}: {why}")
        await asyncio.sleep(wait)
