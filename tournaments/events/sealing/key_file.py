"""The file with the key of an event that is committed to before it is started.

`arena deal --commit EVENT.toml` draws the key and keeps it in `EVENT.key.json`. The event reads it
from there when it begins, and the file is deleted, as a key must not deal a second event.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.events.sealing.commitment import Sealing

_VERSION = 1


class KeyFileError(Exception):
    """The file of a key cannot be read or written; the message is one line."""


def key_path(event_file: Path) -> Path:
    """Return the path of the file that keeps an event's key until the event begins."""
    return event_file.with_suffix(".key.json")


def write_key(path: Path, sealing: Sealing) -> None:
    """Write a key to a file that only its owner can read.

    Raises:
        KeyFileError: The file exists, or cannot be written.
    """
    facts = {"version": _VERSION, "key": str(sealing.key), "definition": sealing.definition}
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(facts, file, indent=2)
            file.write("\n")
    except FileExistsError:
        raise KeyFileError(f"{path} exists already: the event is committed to") from None
    except OSError as error:
        path.unlink(missing_ok=True)
        raise KeyFileError(f"cannot write {path}: {error.strerror}") from None


def forget_key(path: Path) -> None:
    """Delete the file of a key that has been used for an event.

    Raises:
        KeyFileError: The file cannot be deleted.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise KeyFileError(f"cannot delete {path}: {error.strerror}") from None


def read_key(path: Path) -> Sealing | None:
    """Read the key that was kept for an event.

    Returns:
        The key with the event's definition; None if there is no file.

    Raises:
        KeyFileError: The file cannot be read.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["version"] != _VERSION:
            raise KeyFileError(f"{path}: version {facts['version']} is not known")
        return Sealing(str(facts["definition"]), DealKey.parse(facts["key"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise KeyFileError(f"{path}: this is no file of a deal key") from None
