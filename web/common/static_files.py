"""The scripts, styles and pictures that pages load, as they are served and as they are copied."""

from __future__ import annotations

from pathlib import Path

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""What a server calls them."""

_FOLDER = Path(__file__).parent.parent / "static"


def static_files() -> list[Path]:
    """Return all of them, by name."""
    return sorted(file for file in _FOLDER.iterdir() if file.suffix in TYPES)
