"""What a viewer may see: one function, and nothing reaches a viewer but through it.

The table makes events that hold everything. `visible` says what of an event one
seat may see. A player sees the own hand; dummy's only after the opening lead;
every card played; declarer's hand once a claim has faced it; the opponents'
explanations but not partner's; turns, errors and what was explained on request of
nobody else (Laws 16, 20F, 41D, 68 and 73). A kibitzer sees all four hands, and what
every call means.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge.board import Board
from bridge.seats import Seat
from protocol.messages import (
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
    Message,
    TrickEnd,
    YourTurn,
)


@dataclass(frozen=True, slots=True)
class Dealt:
    """The start of a board as the table knows it: all hands, every seat's seed."""

    table: str
    board: Board
    seq: int
    seeds: tuple[int, int, int, int]


Event = (
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
    | BoardEnd
    | Error
)
"""What a table emits."""


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
"""The events that all may see alike."""


def visible(event: Event, viewer: Viewer | Kibitzer) -> Message | None:
    """What `viewer` may see of an event; None when nothing.

    What all may see alike is returned as the same object, so that it need be
    encoded only once.
    """
    # Not by isinstance, which takes long for pydantic's classes.
    kind = type(event)
    if kind in _PUBLIC:
        return event  # type: ignore[return-value]
    if isinstance(viewer, Kibitzer):
        if isinstance(event, Dealt):
            return _shown(event)
        return event if type(event) is CallMade else None
    if isinstance(event, Dealt):
        return _taken_up(event, viewer)
    if type(event) is CallMade:
        if viewer.seat != event.seat.partner or not (event.alert or event.explanation):
            return event
        return event.model_copy(update={"alert": False, "explanation": None})
    if type(event) is YourTurn:
        return event if event.player == viewer.seat else None
    if type(event) is Error or type(event) is ExplanationGiven:
        return event if event.seat == viewer.seat else None
    raise TypeError(f"nothing says who may see a {kind.__name__}")


def _shown(dealt: Dealt) -> BoardShown:
    """The start of a board for one who watches."""
    board = dealt.board
    return BoardShown(
        table=dealt.table,
        board=board.number,
        seq=dealt.seq,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        deal=board.deal,
    )


def _taken_up(dealt: Dealt, viewer: Viewer) -> BoardStart:
    """The start of a board for one who takes up a hand."""
    board = dealt.board
    return BoardStart(
        table=dealt.table,
        board=board.number,
        seq=dealt.seq,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        hand=board.deal[viewer.seat],
        seed=dealt.seeds[viewer.seat],
        deal=board.deal if viewer.cheat else None,
    )
