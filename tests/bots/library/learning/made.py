"""What `test_made_files` has other processes do."""

from __future__ import annotations

import os
from pathlib import Path


def write(text: str, path: Path) -> None:
    path.write_text(text)


def end(_: Path) -> None:
    """End the process that should make a file."""
    os._exit(9)
