"""Files that are written whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Make or replace a file: `write` fills another one beside it, which then takes its place.

    Raises OSError.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    write(unfinished)
    unfinished.replace(path)
