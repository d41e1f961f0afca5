"""What the audit has counted of a ladder's matches, in its store.

What is counted, and what it shows, is the audit's (`recorded.audit.anytime`). A match and the
counts that it changes are one transaction, so that none is counted twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine, func, insert, select, update

from bridge_arena.tournaments.ladder.store.rows import COUNTS, now
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import (
    LadderAuditRow,
    LadderMatchRow,
    LadderVersionRow,
)

Counts = Mapping[str, NDArray[np.int64]]
"""The deals of a version by its luck, by the kind of decisions."""


class AuditStore:
    """The audit of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder
        match = LadderMatchRow
        self._over = match.ladder == ladder, match.is_over.is_(True)

    def left(self) -> list[int]:
        """Return the numbers of the matches that are over and were not audited, oldest first."""
        of_ladder = select(LadderMatchRow.number).where(
            *self._over, LadderMatchRow.audited.is_(None)
        )
        with statements(self._engine, "read") as connection:
            return list(connection.execute(of_ladder.order_by(LadderMatchRow.number)).scalars())

    def versions_of(self, match: int) -> tuple[int, int]:
        """Return the versions that met in a match, the home team first."""
        row = LadderMatchRow
        of_match = select(row.home, row.visitors).where(*self._over, row.number == match)
        with statements(self._engine, "read") as connection:
            home, visitors = connection.execute(of_match).one()
            return home, visitors

    def audited(self) -> int:
        """Return how many matches were audited."""
        of_ladder = LadderMatchRow.ladder == self._ladder, LadderMatchRow.audited.is_not(None)
        with statements(self._engine, "read") as connection:
            return connection.execute(select(func.count()).where(*of_ladder)).scalar_one()

    def add(self, match: int, counts: Mapping[int, Counts]) -> bool:
        """Add the counts of a match by version, unless another audit has; return whether."""
        row = LadderAuditRow
        of_match = update(LadderMatchRow).where(
            *self._over, LadderMatchRow.number == match, LadderMatchRow.audited.is_(None)
        )
        with statements(self._engine, "write") as connection:
            if not connection.execute(of_match.values(audited=now())).rowcount:
                return False
            for version, of_version in counts.items():
                for kind, more in of_version.items():
                    key = {"ladder": self._ladder, "version": version, "kind": kind}
                    before = connection.execute(select(row.deals).filter_by(**key)).scalar()
                    if before is None:
                        values = {**key, "deals": more.astype(COUNTS).tobytes()}
                        connection.execute(insert(row), [values])
                    else:
                        both = (np.frombuffer(before, COUNTS) + more).astype(COUNTS)
                        connection.execute(
                            update(row).filter_by(**key).values(deals=both.tobytes())
                        )
            return True

    def counts(self) -> dict[int, Counts]:
        """Return the counts of all versions that were audited."""
        row = LadderAuditRow
        counts: defaultdict[int, dict[str, NDArray[np.int64]]] = defaultdict(dict)
        columns = select(row.version, row.kind, row.deals).where(row.ladder == self._ladder)
        with statements(self._engine, "read") as connection:
            for version, kind, deals in connection.execute(columns):
                counts[version][kind] = np.frombuffer(deals, COUNTS).astype(np.int64)
        return dict(counts)

    def accuse(self, version: int) -> None:
        """Keep that a version was accused, which stays, however its counts go on."""
        row = LadderVersionRow
        of_version = row.ladder == self._ladder, row.number == version, row.accused.is_(None)
        with statements(self._engine, "write") as connection:
            connection.execute(update(row).where(*of_version).values(accused=now()))

    def accused(self) -> dict[int, str]:
        """Return the versions that were accused, and when in ISO 8601."""
        row = LadderVersionRow
        of_ladder = row.ladder == self._ladder, row.accused.is_not(None)
        with statements(self._engine, "read") as connection:
            return {
                number: str(when)
                for number, when in connection.execute(
                    select(row.number, row.accused).where(*of_ladder)
                )
            }
