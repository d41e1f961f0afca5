"""What a bot would do in a person's place, knowing what the person knows and no more."""

from __future__ import annotations

from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import start_board
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.decision import decide
from bridge_arena.protocol.messages import BoardStart, Snapshot
from bridge_arena.protocol.view import View

ADVISER = "natural"
"""The bot that is asked."""


def hint(seat: Seat, snapshot: Snapshot | None) -> dict[str, object]:
    """Return the adviser's answer to the open turn of a seat that was told so much, as the protocol
    has it; nothing where the seat has no turn or the adviser has no answer."""
    _, make = parse(ADVISER)
    adviser = make()
    view: View | None = None
    for event in () if snapshot is None else snapshot.events:
        if isinstance(event, BoardStart):
            view = View(seat, event)
            start_board(adviser, view)
        elif view is not None:
            view.apply(event)
    if view is None or view.turn is None:
        return {}
    try:
        answer = decide(adviser, view, view.turn)
    except BridgeError:  # no bot is ready for every auction of people
        return {}
    return answer.model_dump(exclude_none=True)
