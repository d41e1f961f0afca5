"""Entries: the bots of an event as they are written on the command line.

NAME[:OPTION=VALUE,...]     a bot that ships
cmd:PROGRAM ARGS            any program, told its URL and token by environment
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, replace

from bots.registry import UnknownBotError, parse


class EntryError(ValueError):
    """Text that names no bot."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot that takes part. `command`: what starts it. `cheat`: it is shown every
    hand, because the bot that ships under this name says so."""

    name: str
    spec: str
    command: tuple[str, ...]
    cheat: bool = False


def parse_entry(spec: str) -> Entry:
    """Raises EntryError."""
    kind, _, program = spec.partition(":")
    if kind == "cmd":
        try:
            command = tuple(shlex.split(program))
        except ValueError as error:
            raise EntryError(f"{spec!r}: {error}") from None
        if not command:
            raise EntryError(f"{spec!r} names no program (cmd:PROGRAM ARGS)")
        return Entry(program.strip(), spec, command)
    try:
        shipped, _ = parse(spec)
    except UnknownBotError as error:
        raise EntryError(f"{error}; or cmd:PROGRAM ARGS") from None
    return Entry(spec, spec, (sys.executable, "-m", "bots", spec), shipped.cheat)


def parse_pair(first: str, second: str) -> tuple[Entry, Entry]:
    """Two entries whose names differ. Raises EntryError."""
    one, two = parse_entry(first), parse_entry(second)
    return one, replace(two, name=f"{two.name}-2") if one.name == two.name else two
