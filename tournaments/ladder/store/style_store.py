"""How the versions on a ladder bid and play, in its store."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.strength.style import SUMS, Style
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderStyleRow


class StyleStore:
    """The styles of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def count(self, connection: Connection, styles: Mapping[int, Style]) -> None:
        """Add what versions did in a match, in the transaction that ends it."""
        for version, style in styles.items():
            values = {name: getattr(style, name) for name in SUMS}
            more = {name: getattr(LadderStyleRow, name) + values[name] for name in SUMS}
            key = {"ladder": self._ladder, "version": version}
            of_version = update(LadderStyleRow).filter_by(**key)
            if not connection.execute(of_version.values(more)).rowcount:
                connection.execute(insert(LadderStyleRow), [{**key, **values}])

    def of(self, versions: Collection[int] | None = None) -> Style:
        """Return the style of some versions together, or of all."""
        row = LadderStyleRow
        sums = select(*(func.sum(getattr(row, name)) for name in SUMS))
        of_ladder = sums.where(row.ladder == self._ladder)
        if versions is not None:
            of_ladder = of_ladder.where(row.version.in_(versions))
        with statements(self._engine, "read") as connection:
            return Style(*(value or 0 for value in connection.execute(of_ladder).one()))
