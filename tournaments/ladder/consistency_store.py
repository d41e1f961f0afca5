"""What versions of a ladder played in their consistency checks, in the ladder's store."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import func, insert, select
from sqlalchemy.engine import Engine

from bridge_arena.tournaments.ladder.rows import now
from bridge_arena.tournaments.statistics.change import Play
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderConsistencyRow


@dataclass(frozen=True, slots=True)
class Asking:
    """What a version played when it was asked."""

    number: int  # the number of the asking of this version, from 1
    key: str  # the key of its boards, which nobody else knows
    conditions: str  # what else the play depends on: the release and the ladder's settings
    plays: tuple[Play | None, ...]  # at each table; None where the player was lost


class ConsistencyStore:
    """The askings of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def latest(self) -> dict[int, Asking]:
        """Return the last asking of each version, by its number."""
        row = LadderConsistencyRow
        last = (
            select(row.version, func.max(row.number).label("number"))
            .where(row.ladder == self._ladder)
            .group_by(row.version)
            .subquery()
        )
        rows = select(row).join(
            last, (row.version == last.c.version) & (row.number == last.c.number)
        )
        with transaction(self._engine, "read") as session:
            found = session.scalars(rows.where(row.ladder == self._ladder))
            return {one.version: _asking(one) for one in found}

    def askings(self, version: int) -> list[Asking]:
        """Return the askings of a version, in order."""
        row = LadderConsistencyRow
        rows = select(row).where(row.ladder == self._ladder, row.version == version)
        with transaction(self._engine, "read") as session:
            return [_asking(one) for one in session.scalars(rows.order_by(row.number))]

    def changed(self) -> set[int]:
        """Return the versions that have changed."""
        row = LadderConsistencyRow
        rows = select(row.version).where(row.ladder == self._ladder, row.has_changed.is_(True))
        with transaction(self._engine, "read") as session:
            return set(session.scalars(rows))

    def add(self, version: int, asking: Asking, *, has_changed: bool) -> None:
        """Add an asking, and whether it shows that the version has changed."""
        row = {
            "ladder": self._ladder,
            "version": version,
            "number": asking.number,
            "deal_key": asking.key,
            "conditions": asking.conditions,
            "plays": json.dumps([play and " ".join(play) for play in asking.plays]),
            "has_changed": has_changed,
            "asked": now(),
        }
        with transaction(self._engine, "write") as session:
            session.execute(insert(LadderConsistencyRow), [row])


def _asking(row: LadderConsistencyRow) -> Asking:
    plays = tuple(play and tuple(play.split(" ")) for play in json.loads(row.plays))
    return Asking(row.number, row.deal_key, row.conditions, plays)
