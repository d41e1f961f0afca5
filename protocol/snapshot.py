"""What a seat that comes back is told of the board in play, in one message."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.codec import encode, frame
from protocol.messages import (
    MAX_FRAME,
    BoardMessage,
    CallMade,
    Error,
    ExplanationGiven,
    Message,
    Snapshot,
    YourTurn,
)
from protocol.visibility import Event, Viewer, visible

HEADROOM = 4 * 1024
"""Bytes of a frame that a snapshot leaves to what is sent with it."""


def snapshot(events: Iterable[Event], viewer: Viewer, turn: YourTurn | None) -> Snapshot:
    """All that `viewer` may know of a board's events so far; `turn`: the turn of this
    viewer that is open.

    It fits in a frame, with `HEADROOM` to spare: where the explanations of calls would not,
    the longest are left out, and can be asked for.
    """
    seen: list[BoardMessage] = []
    for event in events:
        message = visible(event, viewer)
        if message is not None and type(message) not in _PASSING:
            seen.append(message)  # type: ignore[arg-type]
    if turn is not None:
        seen.append(turn)
    return Snapshot(events=_shortened(seen))


_PASSING = frozenset({YourTurn, Error, ExplanationGiven})
"""What is not told again: a turn that was answered, an error that was heard, and an
explanation that stands with its call."""


def _shortened(events: list[BoardMessage]) -> list[BoardMessage]:
    """The events without so many explanations, the longest first, that they fit."""
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
