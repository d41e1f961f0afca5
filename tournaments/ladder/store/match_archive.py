"""The matches of a ladder that are over, in its store: the latest ones, and the boards of each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.engine import Engine

from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import EventRow, LadderMatchRow, LadderRow


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that is over."""

    number: int  # its number in the ladder, from 1
    versions: tuple[int, int]  # the home team and the visitors
    boards: int  # the boards that count
    imps: int  # their IMPs, seen from the home team
    ended: str  # when, in ISO 8601


class MatchArchive:
    """The matches of one ladder that are over; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._over = select(LadderMatchRow).where(
            LadderMatchRow.ladder == ladder, LadderMatchRow.is_over.is_(True)
        )

    def latest(
        self, count: int, versions: Collection[int] | None = None, before: int | None = None
    ) -> list[EndedMatch]:
        """Return the last matches that were drawn and are over, the latest first.

        Args:
            count: How many.
            versions: Those of which one has played; None for any.
            before: The number below which their numbers are; None for any.
        """
        rows = self._over.order_by(LadderMatchRow.number.desc()).limit(count)
        if versions is not None:
            row = LadderMatchRow
            rows = rows.where(or_(row.home.in_(versions), row.visitors.in_(versions)))
        if before is not None:
            rows = rows.where(LadderMatchRow.number < before)
        with transaction(self._engine, "read") as session:
            return [
                EndedMatch(
                    row.number,
                    (row.home, row.visitors),
                    row.boards or 0,
                    row.imps or 0,
                    row.ended or "",
                )
                for row in session.scalars(rows)
            ]

    def results(self, number: int) -> EventResults | None:
        """Return the boards of a match; None unless it is over, as they are secret before."""
        with transaction(self._engine, "read") as session:
            match = session.scalar(self._over.where(LadderMatchRow.number == number))
            if match is None:
                return None
            ladder = session.scalar(select(LadderRow.name).where(LadderRow.id == match.ladder))
            own = select(EventRow.id).where(EventRow.name == match_name(str(ladder), number))
            event = session.scalars(own).one()
        results = Store(self._engine, event).event_results()
        is_revealed = results.commitment is None or results.commitment.key is not None
        return results if is_revealed else None
