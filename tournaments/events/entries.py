"""Entries: the bots of an event as they are written on the command line.

NAME[:OPTION=VALUE,...]     a bot that ships
cmd:PROGRAM ARGS            any program, told its URL and token by environment
remote:NAME                 a bot that connects by itself, with the token of that name
bluechip:NAME[:QUIRK=VALUE,...]
                            a program that connects by itself over Blue Chip, as team NAME
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePath

from bridge_arena.bots.registry import SHIPPED, UnknownBotError, board_seconds, parse
from bridge_arena.protocol.bluechip.quirks import STANDARD, QuirkError, Quirks


class EntryError(ValueError):
    """Text that names no bot."""


class Access(StrEnum):
    """How a bot comes to its tables."""

    STARTED = "started"  # by us, as a process
    REMOTE = "remote"  # by itself, over websockets
    BLUECHIP = "bluechip"  # by itself, over Blue Chip


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot that takes part. `command`: what starts it, where we do. `ships`: it is one of our
    own. `cheat`: it is shown
    every hand, because the bot that ships under this name says so. `seconds`: of processor time
    that two players of it take for a board; None where that is not known. `team`, `quirks`:
    what it calls itself over Blue Chip, and how it speaks."""

    name: str
    spec: str
    command: tuple[str, ...]
    access: Access = Access.STARTED
    ships: bool = False
    cheat: bool = False
    seconds: float | None = field(default=None, compare=False)
    team: str = ""
    quirks: Quirks = STANDARD

    def named(self, name: str) -> Entry:
        """The same bot under another name."""
        return replace(self, name=name)


def parse_entry(spec: str) -> Entry:
    """Raises EntryError."""
    if not spec.isprintable():
        raise EntryError(f"{spec!r} has characters that cannot be printed")
    title, equals, rest = spec.partition("=")
    if equals and ":" not in title:
        if not title.strip():
            raise EntryError(f"{spec!r} gives an empty name")
        return replace(parse_entry(rest), name=title.strip(), spec=spec)
    kind, _, program = spec.partition(":")
    if kind == "cmd":
        return _parse_program(spec, program)
    if kind == Access.REMOTE:
        if not program.strip():
            raise EntryError(f"{spec!r} gives no name (remote:NAME)")
        return Entry(program.strip(), spec, (), Access.REMOTE)
    if kind == Access.BLUECHIP:
        return _parse_bluechip(spec, program)
    try:
        shipped, _ = parse(spec)
    except UnknownBotError as error:
        other = "" if kind in SHIPPED else "; any other program is cmd:PROGRAM ARGS"
        raise EntryError(f"{error}{other}") from None
    # -P: what happens to lie in the working folder is not imported.
    command = (sys.executable, "-P", "-m", "bridge_arena.bots", spec)
    return Entry(spec, spec, command, ships=True, cheat=shipped.cheat, seconds=board_seconds(spec))


def _parse_program(spec: str, program: str) -> Entry:
    """A program is known by its command line, folders left out."""
    try:
        command = tuple(shlex.split(program))
    except ValueError as error:
        raise EntryError(f"{spec!r}: {error}") from None
    if not command:
        raise EntryError(f"{spec!r} names no program (cmd:PROGRAM ARGS)")
    return Entry(" ".join(PurePath(word).name or word for word in command), spec, command)


def _parse_bluechip(spec: str, program: str) -> Entry:
    """Raises EntryError."""
    name, colon, items = program.partition(":")
    team = " ".join(name.split())
    if not team:
        raise EntryError(f"{spec!r} gives no team (bluechip:NAME)")
    try:
        quirks = Quirks.parse(items.split(",") if colon else ())
    except QuirkError as error:
        raise EntryError(f"{spec!r}: {error}") from None
    if foreign := quirks.of_client_alone:
        raise EntryError(f"{spec!r}: quirk {foreign} is for a bot under another manager")
    return Entry(team, spec, (), Access.BLUECHIP, team=team, quirks=quirks)


def parse_pair(first: str, second: str) -> tuple[Entry, Entry]:
    """Two entries whose names differ. Raises EntryError."""
    one, two = parse_entry(first), parse_entry(second)
    return one, replace(two, name=f"{two.name}-2") if one.name == two.name else two
