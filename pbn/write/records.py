"""Writing of board records as a PBN file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import write_games


def write_records(path: str | Path, records: Iterable[BoardRecord]) -> int:
    """Write records to a PBN file in export format, completely or not at all.

    Args:
        path: The file to make or replace.
        records: The records, in file order.

    Returns:
        The number of records.

    Raises:
        OSError: The file cannot be written.
        ValueError: A record has no PBN notation.
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
