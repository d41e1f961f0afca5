"""The probe of a robot before it takes its seat: is it there, and does it decide anything?

A robot that answers every question with an error would otherwise sit through a match in which the
table acts for it.
"""

from __future__ import annotations

import asyncio
import time
from itertools import chain, repeat

from bridge_arena.bots.http_robot.asking import PAUSES, Asking, TroubleError
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.http_robot.answer import read_bid, read_card
from bridge_arena.protocol.http_robot.errors import AnswerError
from bridge_arena.protocol.http_robot.position import Kind, Position
from bridge_arena.protocol.http_robot.request import parameters_of

PROBE_SECONDS = 180.0
"""The seconds that a robot may take for an answer: it may load its models, or work for other seats
first."""

BUSY_SECONDS = 60.0
"""The seconds for which it may be starting, or asked too often in a minute."""

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


async def probe(asking: Asking, mode: Mode) -> None:
    """Have a robot decide once in each way that it will be asked to.

    Args:
        asking: Asks the robot.
        mode: What players decide in the event.

    Raises:
        ProbeError: It does not.
    """
    for kind in _KINDS[mode]:
        await _probe(asking, kind)


async def _probe(asking: Asking, kind: Kind) -> None:
    """Have a robot decide in one way. Raises ProbeError."""
    read = read_bid if kind is Kind.BID else read_card
    parameters = parameters_of(_POSITIONS[kind])
    busy_until, errors = time.monotonic() + BUSY_SECONDS, 0
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                read(await asking.ask(kind, parameters))
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
