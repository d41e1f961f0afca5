"""What the versions on a ladder do, week by week, in its store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.strength.weeks import (
    CAUSES,
    KEPT,
    LATEST,
    History,
    Performance,
)
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderVersionRow, LadderWeekRow


class WeekStore:
    """The weeks of one ladder in its store; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def count(
        self, connection: Connection, week: str, performed: Mapping[int, Performance]
    ) -> None:
        """Add what versions did in a match, in the transaction that ends it."""
        for version, performance in performed.items():
            values = {name: getattr(performance, name) for name in KEPT}
            more = {name: getattr(LadderWeekRow, name) + values[name] for name in values}
            key = {"ladder": self._ladder, "version": version, "week": week}
            of_week = update(LadderWeekRow).filter_by(**key)
            if not connection.execute(of_week.values(more)).rowcount:
                connection.execute(insert(LadderWeekRow), [{**key, **values}])
            imps = zip(CAUSES, performance.causes, strict=True)
            causes = {cause: getattr(LadderVersionRow, cause) + own for cause, own in imps}
            of_version = update(LadderVersionRow).filter_by(ladder=self._ladder, number=version)
            connection.execute(of_version.values(causes))

    def causes(self) -> NDArray[np.float64]:
        """Return the IMPs of all versions by `CAUSES`, of shape (versions, 4)."""
        columns = (getattr(LadderVersionRow, cause) for cause in CAUSES)
        of_ladder = select(*columns).where(LadderVersionRow.ladder == self._ladder)
        with statements(self._engine, "read") as connection:
            rows = connection.execute(of_ladder.order_by(LadderVersionRow.number))
            return np.array([tuple(row) for row in rows], np.float64).reshape(-1, len(CAUSES))

    def histories(self) -> dict[int, History]:
        """Return what each version did that has played in the latest weeks."""
        row = LadderWeekRow
        of_ladder = row.ladder == self._ladder
        columns = [getattr(row, name) for name in KEPT]
        latest = select(row.week).where(of_ladder).distinct().order_by(row.week.desc())
        weeks: defaultdict[int, dict[str, Performance]] = defaultdict(dict)
        with statements(self._engine, "read") as connection:
            names = list(connection.execute(latest.limit(LATEST)).scalars())
            of_weeks = select(row.version, row.week, *columns).where(of_ladder, row.week.in_(names))
            for version, week, *values in connection.execute(of_weeks.order_by(row.week.desc())):
                weeks[version][week] = Performance(*values)
        return {version: History(own) for version, own in weeks.items()}
