"""The robots that are asked over HTTP, and where they cannot be asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.entries import EntryError
from bridge_arena.tournaments.events.event import Event


def unreachable(event: Event) -> Iterator[tuple[int, str]]:
    """Yield entries with a robot that a sandbox would cut off.

    Yields:
        The number of the entry, from 0, and what is wrong with it.
    """
    if event.isolation is not Isolation.SANDBOX:
        return
    for number, entrant in enumerate(event.entries):
        with suppress(EntryError):
            if any(player.asks for player in entrant.players):
                yield (
                    number,
                    f"{entrant.name} is asked over the network, which a sandbox does not have: "
                    'play it with the isolation "none", or let it connect by itself (remote:NAME)',
                )
