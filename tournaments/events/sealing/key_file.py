"""The key of an event that is committed to before the event is started.

`arena deal --commit EVENT.toml` draws it and keeps it in `EVENT.key.json`; the event takes it from
there when it begins, and the file is deleted, as a key must deal no second event.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.events.sealing.commitment import Sealing

_VERSION = 1


class KeyFileError(Exception):
    """The file of a key cannot be read or written: one line says why."""


def key_path(event_file: Path) -> Path:
    """Where the key of an event is kept until the event begins."""
    return event_file.with_suffix(".key.json")


def write_key(path: Path, sealing: Sealing) -> None:
    """Keep a key, for its owner's eyes alone. Raises KeyFileError, also where there is one."""
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
    """Delete a key that deals an event now. Raises KeyFileError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise KeyFileError(f"cannot delete {path}: {error.strerror}") from None


def read_key(path: Path) -> Sealing | None:
    """Return the key that was kept for an event; None where there is none.

    Raises KeyFileError.
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
