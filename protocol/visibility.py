"""The rules of visibility: which part of an event each viewer may see.

The table makes events that hold everything, and every viewer receives them through one function,
`visible`. A player sees the own hand; dummy's only after the opening lead; every card played;
declarer's hand once a claim has faced it; the opponents' explanations but not partner's; only the
own turns, errors and answers to questions (Laws 16, 20F, 41D, 68 and 73); and no thoughts of any
player. A kibitzer sees all four hands, the meaning of every call, and the players' thoughts. Each
viewer's events have numbers of their own, so that the numbers do not reveal what others were shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import (
    BoardShown,
    BoardStart,
    CallMade,
    Error,
    ShownTo,
    TableMessage,
)
from bridge_arena.protocol.outgoing import Alike, Outgoing

Seqs = tuple[int, ...]
"""A number for each viewer: North, East, South, West, and the kibitzers."""

WATCHING = 4
"""The index of the kibitzers in `Seqs`."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The start of a board as the table knows it, with the seeds of N, E, S and W."""

    table: str
    board: Board
    seeds: tuple[int, int, int, int]


Happening = Dealt | TableMessage | Error
"""Everything that may happen at a table, complete as the table knows it."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A player in a seat."""

    seat: Seat
    # Whether the player is shown the whole deal. It is for reference bots only, and only where the
    # organiser allows it.
    cheat: bool = False


@dataclass(frozen=True, slots=True)
class Kibitzer:
    """A spectator of a table."""

    seat: ClassVar[int] = WATCHING  # in place of a seat


# Attributes of pydantic's classes are slow to read, and each event is looked up for each viewer.
_SHOWN_TO = {kind: kind.SHOWN_TO for kind in (*get_args(TableMessage), Error)}
_ALL, _ALL_BUT_MEANING, _KIBITZERS = ShownTo.ALL, ShownTo.ALL_BUT_MEANING, ShownTo.KIBITZERS
_RECEIVERS = {kind: kind.RECEIVER for kind, to in _SHOWN_TO.items() if to is ShownTo.RECEIVER}


class Event:
    """An event that a table emits.

    `seqs` has for each viewer the number of events of the board that it is shown, including this
    one. An event that only one seat is shown leaves no gap in the others' numbers.
    """

    __slots__ = ("alike", "happening", "seqs")

    def __init__(self, happening: Happening, seqs: Seqs) -> None:
        self.happening = happening
        self.seqs = seqs
        # The message shared by all who may see all of it; None for a deal, which nobody may.
        self.alike = None if isinstance(happening, Dealt) else Alike(happening)


def visible(event: Event, viewer: Viewer | Kibitzer) -> Outgoing | None:
    """Return the part of an event that a viewer may see, under the viewer's own number.

    Viewers who may see all of an event share the message, so that it is encoded only once. It is
    None if the viewer may see nothing.
    """
    alike = event.alike
    seq = event.seqs[viewer.seat]
    if alike is None:
        assert isinstance(event.happening, Dealt)
        return Outgoing.of(_start(event.happening, viewer, seq))
    kind = alike.kind
    shown_to = _SHOWN_TO[kind]
    if shown_to is _ALL:
        return Outgoing(alike, seq)
    if shown_to is _KIBITZERS:
        return Outgoing(alike, seq) if viewer.seat == WATCHING else None
    happening = alike.message
    if shown_to is _ALL_BUT_MEANING:
        assert type(happening) is CallMade  # isinstance is slow for pydantic's classes
        if viewer.seat == happening.seat.partner:
            alike = _unexplained(alike, happening)
        return Outgoing(alike, seq)
    if viewer.seat != getattr(happening, _RECEIVERS[kind]):
        return None
    return Outgoing(alike, None if kind is Error else seq)


def _unexplained(alike: Alike, call: CallMade) -> Alike:
    """Return a call as the caller's partner hears it, without alert and explanation."""
    if not (call.alert or call.explanation):
        return alike
    return Alike(call.model_copy(update={"alert": False, "explanation": None}))


def _start(dealt: Dealt, viewer: Viewer | Kibitzer, seq: int) -> BoardStart | BoardShown:
    """Return the start of a board: with all hands for a kibitzer, with the own one for a player."""
    board = dealt.board
    about: dict[str, Any] = {
        "table": dealt.table,
        "board": board.number,
        "seq": seq,
        "dealer": board.dealer,
        "vulnerability": board.vulnerability,
    }
    if isinstance(viewer, Kibitzer):
        return BoardShown(**about, deal=board.deal)
    return BoardStart(
        **about,
        hand=board.deal[viewer.seat],
        seed=dealt.seeds[viewer.seat],
        deal=board.deal if viewer.cheat else None,
    )
