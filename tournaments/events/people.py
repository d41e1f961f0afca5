"""People in an event: where they may sit, and the clock and the time of grace that suit them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format

CLOCK = "600"
"""Seconds for each action: enough for a coffee, but nobody waits all day."""

GRACE = 300.0
"""Seconds in which a person who has lost the page may come back."""

NO_SHOW = 900.0
"""Seconds in which a person must sit down, which include the time until the link reaches them."""


def people_of(event: Event) -> list[str]:
    """Return the names of the people who play."""
    players = [player for entrant in event.entries for player in entrant.known_players]
    return [player.name for player in players if player.access is Access.HUMAN]


def misseated(event: Event) -> Iterator[tuple[int, str]]:
    """Yield the numbers of entries in which a person would see several hands, and what is wrong.

    A person may have one seat of one entry.
    """
    if event.format is Format.INDIVIDUAL:
        seats, example = 1, "human:{}"
    elif event.format is Format.PAIRS:
        seats, example = 2, "natural & human:{}"
    else:
        seats, example = 4, "natural & human:{} & natural & natural"
    entries: dict[str, str] = {}
    for number, entrant in enumerate(event.entries):
        try:
            party = entrant.party()
        except EntryError:
            continue
        people = Counter(player.name for player in party.own if player.access is Access.HUMAN)
        for person, times in people.items():
            taken = seats * times // len(party.own)
            if taken > 1:
                yield (
                    number,
                    f"{person} would have {taken} seats of {party.name} on every board: "
                    f'give a person one seat, as in "{example.format(person)}"',
                )
            if person in entries:
                yield (
                    number,
                    f"{person} of {party.name} plays for {entries[person]} too: write another "
                    "human:NAME, as a person plays for one entry",
                )
            entries.setdefault(person, party.name)


def person_of(format_: Format, player: Entry, seat: Seat) -> str:
    """Return the name of the person in a seat.

    The two rooms of a team play the same boards, so each seat has another person. Pairs move from
    side to side, and in an individual event everybody goes round the table, so there one person has
    several seats.
    """
    if format_ is Format.INDIVIDUAL:
        return player.name
    if format_ is Format.PAIRS:
        return f"{player.name} ({'N E' if seat in (Seat.NORTH, Seat.EAST) else 'S W'})"
    return f"{player.name} ({seat})"


def suited(event: Event, given: Collection[str], policies: Collection[str]) -> Event:
    """Return an event that has people with the clock and the times that suit them.

    What is set stays as it is: `given` are keys of the event, `policies` those of its policies.
    """
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
