"""The contents of a store, read without its code."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bridge_arena.tournaments.store.database import connect
from bridge_arena.tournaments.store.models import Base


def contents(place: str | Path, *, without: Iterable[str] = ()) -> dict[str, list[Any]]:
    """Every row of every table, in a fixed order; tables in `without` are left out."""
    engine = connect(place)
    rows = {}
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            if table.name not in without:
                found = connection.execute(select(table)).all()
                rows[table.name] = sorted(map(tuple, found), key=repr)
    engine.dispose()
    return rows
