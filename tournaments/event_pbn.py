"""An event's definition in the header of its PBN file, as escaped lines (PBN 2.1, section
2.4), which other programs skip. With it the records tell the standings."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from pbn.model import PbnError, Problem
from pbn.writer import HEADER
from tournaments.event import Event

_MARK = "% ArenaEvent "

_WIDTH = 200
"""Characters of the definition on one line; a line may have 255."""


def header_of(event: Event) -> str:
    """What the file begins with."""
    text = event.model_dump_json(ensure_ascii=True)
    parts = [text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH)]
    return HEADER + "".join(f"{_MARK}{part}\r\n" for part in parts)


def event_in(path: Path) -> Event | None:
    """The event that a file tells; None where it tells none. Raises PbnError where the file
    cannot be read, or what it tells is no event."""
    parts: list[str] = []
    first = 0
    try:
        with path.open(encoding="latin-1", newline=None) as file:
            for number, line in enumerate(file, start=1):
                if not line.startswith("%"):
                    break
                if line.startswith(_MARK):
                    first = first or number
                    parts.append(line.removeprefix(_MARK).rstrip("\n"))
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise PbnError(Problem(str(path), 0, 0, reason)) from None
    if not parts:
        return None
    try:
        return Event.model_validate_json("".join(parts))
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "its text"
        reason = f"no event of this release: {where}: {error.errors()[0]['msg']}"
        raise PbnError(Problem(str(path), first, 0, reason)) from None
