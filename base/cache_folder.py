"""The folder of what the arena keeps between commands and can make again."""

from __future__ import annotations

import os
from pathlib import Path

CACHE = "ARENA_CACHE"
"""The environment variable that names the folder; empty, nothing is kept."""


def cache_folder() -> Path | None:
    """Return the folder, whether it exists or not.

    Without ARENA_CACHE it is `bridge-arena` in the user's folder of caches, where the XDG Base
    Directory Specification has it.

    Returns:
        The folder; None if nothing is to be kept, or the user has no home.
    """
    named = os.environ.get(CACHE)
    if named is not None:
        return Path(named).absolute() if named else None
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # the specification has relative paths ignored
        try:
            caches = Path.home() / ".cache"
        except RuntimeError:
            return None
    return caches / "bridge-arena"
