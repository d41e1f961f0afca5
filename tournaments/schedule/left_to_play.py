"""What is left to play of an event: at its beginning, and when it is gone on with."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from collections.abc import Set as AbstractSet

from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.units import Unit


def left_to_play(
    units: Iterable[Unit],
    played: Container[str],
    withdrawn: AbstractSet[int],
    early_stop: EarlyStop,
) -> Iterator[Unit]:
    """Yield the units that are still to be played when their turn comes: not those that were
    `played`, by their ids, nor of entries that are `withdrawn`, nor after a match has ended."""
    for unit in units:
        if (
            unit.id not in played
            and withdrawn.isdisjoint(unit.lineup)
            and not early_stop.is_beyond(unit)
        ):
            yield unit
