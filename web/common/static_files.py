"""The scripts, styles and pictures of pages, which servers serve and folders copy."""

from __future__ import annotations

from pathlib import Path

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""The media types of the files, by extension."""

_FOLDER = Path(__file__).parent.parent / "static"


def static_files() -> list[Path]:
    """Return the files, by name."""
    return sorted(file for file in _FOLDER.iterdir() if file.suffix in TYPES)
