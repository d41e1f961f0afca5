"""The folders of results where none is named, and the same command is to go on in the same one."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def folder_of_inputs(name: str, inputs: Iterable[str | Path], *settings: str) -> Path:
    """Return a folder that is the same for the same inputs, and another for others.

    Args:
        name: The beginning of its name.
        inputs: Files, or URLs of databases.
        *settings: What else must be the same.

    Returns:
        The folder: runs/NAME-ID.
    """
    places = [str(each) if "://" in str(each) else str(Path(each).resolve()) for each in inputs]
    told = "\0".join((*places, *settings)).encode("utf-8", "surrogateescape")
    return Path("runs") / f"{name}-{sha256(told).hexdigest()[:8]}"
