"""What the stores of a ladder share: numbers of rows, the form of sums, the time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from bridge_arena.tournaments.store.models import LadderPbnRow, LadderRow

COUNTS = np.dtype("<u4")
"""The form in which numbers of boards by swing are stored."""


def hold(session: Session, ladder: int) -> None:
    """Have other processes wait that add rows to a ladder, until this transaction has ended."""
    session.execute(update(LadderRow).where(LadderRow.id == ladder).values(name=LadderRow.name))


def last_number(session: Session, ladder: int, table: Any) -> int:
    """Return the largest number of a ladder's rows in a table; 0 if there are none."""
    return session.scalar(select(func.max(table.number)).where(table.ladder == ladder)) or 0


def note_pbn_size(session: Session, ladder: int, week: str, size: int) -> None:
    """Note the size of a ladder's PBN file of a week."""
    own = {"ladder": ladder, "week": week}
    session.execute(delete(LadderPbnRow).filter_by(**own))
    session.execute(insert(LadderPbnRow), [{**own, "size": size}])


def now() -> str:
    """Return the time in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
