"""People in an event: whether there are any, and the clock and the grace that suit them."""

from __future__ import annotations

from collections.abc import Collection

from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError
from bridge_arena.tournaments.events.event import Entrant, Event, Format

CLOCK = "600"
"""Seconds for each action: a person may go for a coffee, and is not waited for all day."""

GRACE = 300.0
"""Seconds in which a person who has lost the page may come back."""

NO_SHOW = 900.0
"""Seconds that a person may take to sit down: the link has to reach them first."""


def people_of(event: Event) -> list[str]:
    """Return the names of the people who play."""
    return [name for entrant in event.entries for name in _people(entrant)]


def person_of(format_: Format, player: Entry, seat: Seat) -> str:
    """Return who takes a seat for a player: the same person in all seats of the same text.

    The two rooms of a team play the same boards, so each seat there is another person's. Pairs move
    from side to side, and in an individual event everybody goes round the table.
    """
    if format_ is Format.INDIVIDUAL:
        return player.name
    if format_ is Format.PAIRS:
        return f"{player.name} ({'N E' if seat in (Seat.NORTH, Seat.EAST) else 'S W'})"
    return f"{player.name} ({seat})"


def suited(event: Event, given: Collection[str], policies: Collection[str]) -> Event:
    """Return the event with what suits people, where it has some and says nothing. `given`,
    `policies`: the keys of the event and of its policies that were named."""
    if not people_of(event):
        return event
    usual = {"grace": GRACE, "no_show": NO_SHOW}
    chosen = {key: value for key, value in usual.items() if key not in policies}
    return event.model_copy(
        update={
            "policies": event.policies.model_copy(update=chosen),
            **({} if "clock" in given else {"clock": CLOCK}),
        }
    )


def _people(entrant: Entrant) -> list[str]:
    try:
        return [player.name for player in entrant.players if player.access is Access.HUMAN]
    except EntryError:
        return []
