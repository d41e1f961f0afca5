"""What a viewer may see: one function, and nothing reaches a viewer but through it.

The table makes events that hold everything. `visible` says what of an event one
seat may see. A player sees the own hand; dummy's only after the opening lead;
every card played; declarer's hand once a claim has faced it; the opponents'
explanations but not partner's; turns, errors and what was explained on request of
nobody else (Laws 16, 20F, 41D, 68 and 73); and no thoughts of any player. A
kibitzer sees all four hands, what every call means, and what players think. Each viewer's
events are numbered for it, so that the numbers do not tell either what others were shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardEnd,
    BoardShown,
    BoardStart,
    CallMade,
    CardPlayed,
    ClaimMade,
    ClaimSettled,
    DummyShown,
    Error,
    ExplanationGiven,
    ThoughtShown,
    TrickEnd,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Alike, Outgoing


@dataclass(frozen=True, slots=True)
class Dealt:
    """The start of a board as the table knows it: all hands, every seat's seed."""

    table: str
    board: Board
    seeds: tuple[int, int, int, int]


Happening = (
    Dealt
    | YourTurn
    | CallMade
    | AuctionEnd
    | DummyShown
    | CardPlayed
    | TrickEnd
    | ClaimMade
    | ClaimSettled
    | ExplanationGiven
    | ThoughtShown
    | BoardEnd
    | Error
)
"""What may happen at a table, with all there is to know of it."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody in a seat. A `cheat` is shown the whole deal: for yardsticks only,
    and only where the organiser says so."""

    seat: Seat
    cheat: bool = False


@dataclass(frozen=True, slots=True)
class Kibitzer:
    """Somebody who watches a table."""


_PUBLIC = frozenset(
    {CardPlayed, TrickEnd, AuctionEnd, DummyShown, ClaimMade, ClaimSettled, BoardEnd}
)
"""What all may see alike."""

Seqs = tuple[int, ...]
"""A number for each viewer: North, East, South, West, and those who watch."""

WATCHING = 4
"""The place in `Seqs` of those who watch."""


class Event:
    """What a table emits. `seqs`: how many events of the board each viewer is shown, with this
    one; so what one seat is shown alone leaves no gap in the numbers of the others."""

    __slots__ = ("alike", "happening", "seqs")

    def __init__(self, happening: Happening, seqs: Seqs) -> None:
        self.happening = happening
        self.seqs = seqs
        # What those share who may see all of it; None where nobody may, as of what is dealt.
        self.alike = None if isinstance(happening, Dealt) else Alike(happening)


def visible(event: Event, viewer: Viewer | Kibitzer) -> Outgoing | None:
    """What `viewer` may see of an event, under the viewer's own number; None when nothing.

    Who may see all of it shares the message, so that it is encoded only once.
    """
    happening, alike = event.happening, event.alike
    seq = event.seqs[WATCHING if isinstance(viewer, Kibitzer) else viewer.seat]
    if isinstance(happening, Dealt):
        return Outgoing.of(_start(happening, viewer, seq))
    assert alike is not None
    # Not by isinstance, which takes long for pydantic's classes.
    if alike.kind in _PUBLIC:
        return Outgoing(alike, seq)
    message = alike.message
    if type(message) is CallMade:
        if isinstance(viewer, Viewer) and viewer.seat == message.seat.partner:
            alike = _unexplained(alike, message)
        return Outgoing(alike, seq)
    if type(message) is ThoughtShown:
        return Outgoing(alike, seq) if isinstance(viewer, Kibitzer) else None
    # What is for one seat alone.
    if type(message) is YourTurn:
        whose: Seat | None = message.player
    elif type(message) is Error or type(message) is ExplanationGiven:
        whose = message.seat
    else:
        raise TypeError(f"nothing says who may see a {alike.kind.__name__}")
    is_own = isinstance(viewer, Viewer) and viewer.seat == whose
    return Outgoing.of(message) if is_own else None


def _unexplained(alike: Alike, call: CallMade) -> Alike:
    """A call as the caller's partner hears it."""
    if not (call.alert or call.explanation):
        return alike
    return Alike(call.model_copy(update={"alert": False, "explanation": None}))


def _start(dealt: Dealt, viewer: Viewer | Kibitzer, seq: int) -> BoardStart | BoardShown:
    """The start of a board."""
    return _shown(dealt, seq) if isinstance(viewer, Kibitzer) else _taken_up(dealt, viewer, seq)


def _shown(dealt: Dealt, seq: int) -> BoardShown:
    """The start of a board for one who watches."""
    board = dealt.board
    return BoardShown(
        table=dealt.table,
        board=board.number,
        seq=seq,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        deal=board.deal,
    )


def _taken_up(dealt: Dealt, viewer: Viewer, seq: int) -> BoardStart:
    """The start of a board for one who takes up a hand."""
    board = dealt.board
    return BoardStart(
        table=dealt.table,
        board=board.number,
        seq=seq,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        hand=board.deal[viewer.seat],
        seed=dealt.seeds[viewer.seat],
        deal=board.deal if viewer.cheat else None,
    )
