"""The units of an event that are left to play, from its records alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.left_to_play import left_to_play
from bridge_arena.tournaments.schedule.plan import plan, withdrawn
from bridge_arena.tournaments.schedule.units import Unit, in_schedule_order


class Remaining:
    """The present state of an event.

    Args:
        event: The event.
        records: The records of its units, by their ids.

    Attributes:
        rounds: The rounds that are known.
        units: The units that are known.
    """

    def __init__(self, event: Event, records: Mapping[str, BoardRecord]) -> None:
        in_order = [records[unit] for unit in sorted(records, key=in_schedule_order)]
        self.rounds = plan(event, in_order)
        self.units = [
            unit for each in self.rounds for match in each.matches for unit in match.units()
        ]
        early_stop = EarlyStop(event)
        for unit in self.units:
            if unit.id in records:
                early_stop.add(unit, records[unit.id])
        self._left = partial(
            left_to_play,
            played=records,
            withdrawn=set(withdrawn(event, records.values())),
            early_stop=early_stop,
        )

    def left(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yield those of some units that are left to play."""
        return self._left(units)

    @property
    def is_over(self) -> bool:
        """Whether no unit is left to play."""
        return next(self.left(self.units), None) is None
