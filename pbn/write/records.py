"""Board records as a PBN file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import write_games


def write_records(path: str | Path, records: Iterable[BoardRecord]) -> int:
    """Write records as an export file, whole or not at all; return how many.

    Raises OSError, and ValueError for what has no PBN notation.
    """
    path = Path(path)
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("wb") as stream:
            count = write_games(stream, map(game_of, records))
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    return count
