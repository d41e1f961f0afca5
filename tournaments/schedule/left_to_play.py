"""The units of an event that are left to play, at its beginning and when it is resumed."""

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
    """Yield the units that are still to be played when their turn comes.

    Args:
        units: The units in question.
        played: The ids of the units that were played.
        withdrawn: The numbers of the entries that are withdrawn.
        early_stop: The sequential test, whose match may have ended.

    Yields:
        The units that are left.
    """
    for unit in units:
        if (
            unit.id not in played
            and withdrawn.isdisjoint(unit.lineup)
            and not early_stop.is_beyond(unit)
        ):
            yield unit
