"""When those who watch an event are shown its tables."""

from __future__ import annotations

from bridge_arena.server.broadcast import AFTER_BOARD, LIVE, Broadcast
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Event


def broadcast_of(event: Event) -> Broadcast:
    """As the event has it; where it says nothing, live, unless nobody can know its boards and
    somebody elsewhere plays them, whose friends could read the hands: then after the board."""
    if event.broadcast is not None:
        return Broadcast.parse(event.broadcast)
    has_remote = any(
        player.access is not Access.STARTED
        for entrant in event.entries
        for player in entrant.players
    )
    return AFTER_BOARD if event.is_sealed and has_remote else LIVE
