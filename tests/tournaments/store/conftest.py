"""A new place for a store: a file, and a database of a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A file's path, or a URL."""
    if request.param == "sqlite":
        return str(tmp_path / "results.sqlite")
    url: str = request.getfixturevalue("postgresql")()
    return url
