"""Messages on their way to viewers, and the snapshot for one who comes back to a table.

A message that several viewers may see is encoded once.
"""

from __future__ import annotations

from typing import Any, get_args

from bridge_arena.protocol.codec import around_seq, encode, frame, packed_seq
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    BoardEnd,
    BoardEvent,
    BoardMessage,
    BoardShown,
    BoardStart,
    CallMade,
    Error,
    ExplanationGiven,
    Message,
    ServerMessage,
    Snapshot,
    YourTurn,
)

# Attributes of pydantic's classes are slow to read, and this is asked of every message.
_KINDS = get_args(get_args(ServerMessage)[0])
_NUMBERED = frozenset(kind for kind in _KINDS if issubclass(kind, BoardEvent))
_URGENT = frozenset(kind for kind in _KINDS if kind.URGENT)
_LASTING = frozenset(kind for kind in _KINDS if kind.LASTING)

HEADROOM = 4 * 1024
"""The bytes of a frame that a snapshot leaves for the messages sent with it."""


class Alike:
    """A message shared by all viewers who may see the same; each has its own number for it."""

    __slots__ = ("_around", "kind", "message", "urgent")

    def __init__(self, message: Message) -> None:
        self.message = message  # the message, with the table's number
        self.kind = type(message)  # its class
        self.urgent = self.kind in _URGENT
        # The value of `around`; None until it is first needed.
        self._around: tuple[bytes, bytes] | None = None

    @property
    def around(self) -> tuple[bytes, bytes]:
        """The encoding, split at the number; a message without one is whole in the first part."""
        if self._around is None:
            message: Any = self.message
            is_numbered = self.kind in _NUMBERED
            self._around = around_seq(message) if is_numbered else (encode(message), b"")
        return self._around


class Outgoing:
    """A message on its way to one viewer, who counts it as `seq`; None if it is not of a board."""

    __slots__ = ("_alike", "_seq", "kind", "urgent")

    def __init__(self, alike: Alike, seq: int | None) -> None:
        self.kind = alike.kind  # the class of the message
        self.urgent = alike.urgent  # whether it may not wait for the receiver's next turn
        self._alike = alike
        self._seq = seq

    @classmethod
    def of(cls, message: Message) -> Outgoing:
        """Return a message that is sent unchanged."""
        return cls(Alike(message), message.seq if isinstance(message, BoardEvent) else None)

    @property
    def shared(self) -> Message:
        """The message as it is shared, for a viewer who does not look at its number."""
        return self._alike.message

    @property
    def message(self) -> Message:
        """The message with the viewer's number."""
        message = self._alike.message
        if not isinstance(message, BoardEvent) or message.seq == self._seq:
            return message
        return message.model_copy(update={"seq": self._seq})

    @property
    def encoded(self) -> bytes:
        """The encoded message with the viewer's number."""
        before, after = self._alike.around
        return before if self._seq is None else before + packed_seq(self._seq) + after


class SoFar:
    """The messages about the board in play that one viewer was sent."""

    def __init__(self) -> None:
        # The start of the board and its lasting events: no turns, no errors, and no explanations on
        # request, which stand with their calls.
        self._events: list[Outgoing] = []
        self.turn: YourTurn | None = None  # the turn that waits for the viewer's answer, or None

    def take(self, outgoing: Outgoing) -> None:
        """Take note of a message to the viewer."""
        kind = outgoing.kind
        if kind is YourTurn:
            self.turn = outgoing.message  # type: ignore[assignment]
        elif kind is Error:
            if outgoing.shared.code is ErrorCode.SUBSTITUTED:  # type: ignore[attr-defined]
                self.turn = None  # the table has acted in the viewer's place
        elif kind is not ExplanationGiven:
            self.turn = None  # the turn is over, whether it was answered or not
        if kind in _LASTING:
            self._events.append(outgoing)
        elif kind is BoardStart or kind is BoardShown:
            self._events = [outgoing]

    def begins_again(self, outgoing: Outgoing) -> bool:
        """Return whether a message begins the board in play again, after an undo."""
        if not self._events or self._events[-1].kind is BoardEnd:
            return False
        begun, message = self._events[0].shared, outgoing.shared
        return (
            isinstance(begun, BoardStart)
            and isinstance(message, BoardStart)
            and (begun.table, begun.board) == (message.table, message.board)
        )

    def snapshot(self, turn: YourTurn | None = None) -> Snapshot | None:
        """Return everything that the viewer knows of the board; None before the first board.

        The viewer's open turn is the last event. It fits in a frame, with `HEADROOM` bytes to
        spare: if the explanations of calls are too long, the longest are left out, and the viewer
        can ask for them.
        """
        if not self._events:
            return None
        events: list[Any] = [outgoing.message for outgoing in self._events]
        return Snapshot(events=_shortened([*events, *([] if turn is None else [turn])]))


def _shortened(events: list[BoardMessage]) -> list[BoardMessage]:
    """Return the events, without the longest explanations if they do not fit."""
    excess = len(frame([encode(Snapshot(events=events))])) - (MAX_FRAME - HEADROOM)
    if excess <= 0:
        return events
    sizes = {
        index: len(encode(event)) - len(encode(_unexplained(event)))
        for index, event in enumerate(events)
        if type(event) is CallMade and event.explanation is not None
    }
    short = list(events)
    for index in sorted(sizes, key=sizes.__getitem__, reverse=True):
        if excess <= 0:
            break
        short[index] = _unexplained(events[index])
        excess -= sizes[index]
    return short


def _unexplained(event: Message) -> CallMade:
    assert type(event) is CallMade
    return event.model_copy(update={"explanation": None})
