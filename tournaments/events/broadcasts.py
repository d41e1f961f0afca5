"""When those who watch an event are shown its tables."""

from __future__ import annotations

from bridge_arena.server.broadcast import AFTER_BOARD, LIVE, Broadcast
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Event


def broadcast_of(event: Event) -> Broadcast:
    """As the event has it; where it says nothing, live, unless somebody who plays could read the
    hands: a person in another window, or where nobody can know the boards, a friend of those who
    play them elsewhere: then after the board."""
    if event.broadcast is not None:
        return Broadcast.parse(event.broadcast)
    ways = {player.access for entrant in event.entries for player in entrant.players}
    has_remote = bool(ways - {Access.STARTED})
    return AFTER_BOARD if Access.HUMAN in ways or (event.is_sealed and has_remote) else LIVE
