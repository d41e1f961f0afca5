"""Hints: the action of a bot that knows what the person knows, and no more."""

from __future__ import annotations

import asyncio

from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import start_board
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.decision import decide
from bridge_arena.protocol.messages import BoardStart, Snapshot, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.server.websocket_player import WebsocketPlayer

ADVISER = "natural"
"""The bot that gives the hints."""


class Adviser:
    """The adviser of one person, who works out one hint at a time and keeps it for the turn."""

    def __init__(self) -> None:
        self._thinking = asyncio.Lock()
        # The last turn for which a hint was worked out, and the hint.
        self._turn: YourTurn | None = None
        self._advice: dict[str, object] = {}

    async def advice(self, place: WebsocketPlayer) -> dict[str, object]:
        """Return the answer that a bot would give in a place, as `hint` does."""
        async with self._thinking:
            if place.turn is not self._turn:
                turn, snapshot = place.turn, place.snapshot()
                # In a thread, as the bot's bidding takes time that the play needs.
                self._advice = await asyncio.to_thread(hint, place.viewer.seat, snapshot)
                self._turn = turn
            return self._advice


def hint(seat: Seat, snapshot: Snapshot | None) -> dict[str, object]:
    """Return the adviser's answer to the open turn of a seat."""
    _, make = parse(ADVISER)
    adviser = make()
    view: View | None = None
    for event in () if snapshot is None else snapshot.events:
        if isinstance(event, BoardStart):
            view = View(seat, event)
            start_board(adviser, view)
        elif view is not None:
            view.apply(event)
    if view is None or view.turn is None or view.turn.undo:
        return {}
    try:
        answer = decide(adviser, view, view.turn)
    except BridgeError:  # people's auctions can be ones that no bot understands
        return {}
    return answer.model_dump(exclude_none=True)
