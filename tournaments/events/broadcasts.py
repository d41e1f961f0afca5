"""The time at which the spectators of an event are shown its tables."""

from __future__ import annotations

from bridge_arena.server.broadcast import AFTER_BOARD, LIVE, Broadcast
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Event


def broadcast_of(event: Event) -> Broadcast:
    """Return when the spectators of an event are shown its tables.

    If the event does not say, they are shown live, except where a player could see other hands:
    people could open a second window, and those who run bots elsewhere could watch boards that
    nobody can know otherwise. Such events are shown after the board.
    """
    if event.broadcast is not None:
        return Broadcast.parse(event.broadcast)
    players = [player for entrant in event.entries for player in entrant.players]
    has_people = any(player.access is Access.HUMAN for player in players)
    has_remote = any(player.is_elsewhere for player in players)
    return AFTER_BOARD if has_people or (event.is_sealed and has_remote) else LIVE
