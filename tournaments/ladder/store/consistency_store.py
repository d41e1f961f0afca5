"""What versions of a ladder played in their consistency checks, in the ladder's store."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import func, insert, select
from sqlalchemy.engine import Engine

from bridge_arena.tournaments.ladder.store.rows import now
from bridge_arena.tournaments.statistics.change import Play
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderConsistencyRow


@dataclass(frozen=True, slots=True)
class Check:
    """What a version played in a consistency check."""

    number: int  # its number among those of the version, from 1
    key: str  # the key of its boards, which nobody else knows
    conditions: str  # what else the play depends on: the release and the ladder's settings
    plays: tuple[Play | None, ...]  # at each table; None where the player was lost


class ConsistencyStore:
    """The consistency checks of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def latest(self) -> dict[int, Check]:
        """Return the last check of each version, by the version's number."""
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
            latest = session.scalars(rows.where(row.ladder == self._ladder))
            return {one.version: _check(one) for one in latest}

    def checks(self, version: int) -> list[Check]:
        """Return the checks of a version, in order."""
        row = LadderConsistencyRow
        rows = select(row).where(row.ladder == self._ladder, row.version == version)
        with transaction(self._engine, "read") as session:
            return [_check(one) for one in session.scalars(rows.order_by(row.number))]

    def changed(self) -> set[int]:
        """Return the versions that have changed."""
        row = LadderConsistencyRow
        rows = select(row.version).where(row.ladder == self._ladder, row.has_changed.is_(True))
        with transaction(self._engine, "read") as session:
            return set(session.scalars(rows))

    def add(self, version: int, check: Check, *, has_changed: bool) -> None:
        """Add a check, and whether it shows that the version has changed."""
        row = {
            "ladder": self._ladder,
            "version": version,
            "number": check.number,
            "deal_key": check.key,
            "conditions": check.conditions,
            "plays": json.dumps([play and " ".join(play) for play in check.plays]),
            "has_changed": has_changed,
            "played": now(),
        }
        with transaction(self._engine, "write") as session:
            session.execute(insert(LadderConsistencyRow), [row])


def _check(row: LadderConsistencyRow) -> Check:
    plays = tuple(play and tuple(play.split(" ")) for play in json.loads(row.plays))
    return Check(row.number, row.deal_key, row.conditions, plays)
