"""How the versions on a ladder bid and play, in its store."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import bindparam, func, select
from sqlalchemy.engine import Connection, Engine

from bridge_arena.tournaments.ladder.strength.style import SUMS, Style
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import Base

_STYLES = Base.metadata.tables["ladder_style"]

# Made only once, as they have many columns.
_ADD = (
    _STYLES.update()
    .where(_STYLES.c.ladder == bindparam("of_ladder"), _STYLES.c.version == bindparam("of_version"))
    .values({name: _STYLES.c[name] + bindparam(f"more_{name}") for name in SUMS})
)
_INSERT = _STYLES.insert()
_TOTAL = select(*(func.sum(_STYLES.c[name]) for name in SUMS))


class StyleStore:
    """The styles of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def count(self, connection: Connection, styles: Mapping[int, Style]) -> None:
        """Add what versions did in a match, in the transaction that ends it."""
        for version, style in styles.items():
            sums = {name: getattr(style, name) for name in SUMS}
            more = {f"more_{name}": value for name, value in sums.items()}
            key = {"of_ladder": self._ladder, "of_version": version}
            if not connection.execute(_ADD, {**key, **more}).rowcount:
                row = {"ladder": self._ladder, "version": version, **sums}
                connection.execute(_INSERT, row)

    def of(self, versions: Collection[int] | None = None) -> Style:
        """Return the style of some versions together, or of all."""
        total = _TOTAL.where(_STYLES.c.ladder == self._ladder)
        if versions is not None:
            total = total.where(_STYLES.c.version.in_(versions))
        with statements(self._engine, "read") as connection:
            return Style(*(value or 0 for value in connection.execute(total).one()))
