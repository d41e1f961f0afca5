"""The director of an event: rulings by what the store has, checked before they are added there."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from pydantic import ValidationError

from bridge_arena.tournaments.schedule.directing import Directing, RulingError
from bridge_arena.tournaments.schedule.rulings import Decision, Ruling, wrong_part
from bridge_arena.tournaments.store.store import Store


class Director:
    """The director of the event of a store, who knows it as it is now. Raises StoreError.

    Attributes:
        known: How far the event is.
        records: What was played, by the ids of units.
        results: The results of the event.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        # Before the results are read, so that nothing that comes meanwhile is overlooked.
        self.known = store.progress()
        units = list(store.results())
        self.records = dict(units)
        self.results = store.event_results(store.played(units))

    @cached_property
    def directing(self) -> Directing:
        return Directing(self.results.so_far)

    def ruling(self, decision: Decision, *, author: str, reason: str, time: datetime) -> Ruling:
        """Return the ruling that would come next. Raises RulingError if it cannot be made."""
        try:
            ruling = self.known.next_ruling(
                decision, author=author, reason=reason, time=time.replace(microsecond=0)
            )
        except ValidationError as error:
            raise RulingError(wrong_part(error)) from None
        self.directing.check(ruling, self.records)
        return ruling

    def rule(self, ruling: Ruling) -> bool:
        """Make a ruling; return False if there is another one or another round meanwhile."""
        return self._store.rule(ruling, self.known)
