"""The snapshot of the board in play for a client that comes back to a table."""

from __future__ import annotations

from typing import Any

from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    AuctionEnd,
    BoardEnd,
    BoardMessage,
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
    Snapshot,
    TrickEnd,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing

HEADROOM = 4 * 1024
"""The bytes of a frame that a snapshot leaves for the messages sent with it."""


class SoFar:
    """The messages about the board in play that one viewer was sent.

    Attributes:
        turn: The turn that waits for the viewer's answer, or None.
    """

    def __init__(self) -> None:
        # Only lasting events: no turns, no errors, and no explanations on request, which stand with
        # their calls.
        self._events: list[Outgoing] = []
        # The turn that waits for the viewer's answer.
        self.turn: YourTurn | None = None

    def take(self, outgoing: Outgoing) -> None:
        """Take note of a message to the viewer."""
        kind = outgoing.kind
        if kind is YourTurn:
            self.turn = outgoing.message  # type: ignore[assignment]
        elif kind is not Error and kind is not ExplanationGiven:
            self.turn = None  # the turn is over, whether it was answered or not
        if kind in _LASTING:
            self._events.append(outgoing)
        elif kind is BoardStart or kind is BoardShown:
            self._events = [outgoing]

    def begins_again(self, outgoing: Outgoing) -> bool:
        """Return whether a message begins the board in play again, after an undo."""
        if not self._events or self._events[-1].kind is BoardEnd:
            return False
        begun, message = self._events[0].message, outgoing.message
        return (
            isinstance(begun, BoardStart)
            and isinstance(message, BoardStart)
            and (begun.table, begun.board) == (message.table, message.board)
        )

    def snapshot(self, turn: YourTurn | None = None) -> Snapshot | None:
        """Return everything that the viewer knows of the board.

        It fits in a frame, with `HEADROOM` bytes to spare: if the explanations of calls are too
        long, the longest are left out, and the viewer can ask for them.

        Args:
            turn: The viewer's open turn, if any.

        Returns:
            The snapshot; None before the first board.
        """
        if not self._events:
            return None
        events: list[Any] = [outgoing.message for outgoing in self._events]
        return Snapshot(events=_shortened([*events, *([] if turn is None else [turn])]))


_LASTING = frozenset(
    {CallMade, AuctionEnd, DummyShown, CardPlayed, TrickEnd, ClaimMade, ClaimSettled, BoardEnd}
)


def _shortened(events: list[BoardMessage]) -> list[BoardMessage]:
    """Return the events, without the longest explanations if they do not fit."""
    excess = len(frame([encode(Snapshot(events=events))])) - (MAX_FRAME - HEADROOM)
    if excess <= 0:
        return events
    sizes = {
        place: len(encode(event)) - len(encode(_unexplained(event)))
        for place, event in enumerate(events)
        if type(event) is CallMade and event.explanation is not None
    }
    short = list(events)
    for place in sorted(sizes, key=sizes.__getitem__, reverse=True):
        if excess <= 0:
            break
        short[place] = _unexplained(events[place])
        excess -= sizes[place]
    return short


def _unexplained(event: Message) -> CallMade:
    assert type(event) is CallMade
    return event.model_copy(update={"explanation": None})
