"""The places of the project's files, and of the data that is not part of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
"""The project."""

DOCS = ROOT / "docs"


def data_path(*parts: str) -> Path:
    """A file or folder under ARENA_DATA (default `../shared/data` from the project's
    root); skips the test where it is absent."""
    folder = Path(os.environ.get("ARENA_DATA") or ROOT / ".." / "shared" / "data")
    path = folder.joinpath(*parts).resolve()
    if not path.exists():
        pytest.skip(f"no test data at {path} (set ARENA_DATA)")
    return path
