"""Entries: the bots of an event, in the notation of the command line and of event files.

NAME[:OPTION=VALUE,...]     a bot that ships
FILE.py:CLASS               a class of a Python file, a subclass of `Bot`
cmd:PROGRAM ARGS            any program, which gets its URL and token from its environment
remote:NAME                 a bot that connects by itself, with the token of that name
bluechip:NAME[:QUIRK=VALUE,...]
                            a program that connects by itself over Blue Chip, as team NAME
http:URL[,OPTION=VALUE,...]
                            a robot that is asked over HTTP, by a process for each seat
human:NAME                  a person, who sits down in a browser
PLAYER & PLAYER             two players, each as above: one sits North and East, the other
                            South and West
PLAYER & PLAYER & PLAYER & PLAYER
                            four players: the first two sit North and South, the others East
                            and West in the room where the team sits East-West
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import count
from pathlib import Path, PurePath
from statistics import fmean

from bridge_arena.bots import registry
from bridge_arena.bots.http_robot.robot import Robot, RobotError
from bridge_arena.bots.registry import (
    SHIPPED,
    UnknownBotError,
    board_seconds,
    cannot_have_class,
    file_and_class,
    from_anywhere,
    parse,
)
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.annotations import portable
from bridge_arena.protocol.bluechip.spelling import STANDARD, QuirkError, Quirks

_BOTS = "bridge_arena.bots"
"""The program that runs a bot that ships, or a class of a file."""


FORKING = (sys.executable, "-P", "-m", "bridge_arena.bots.forking")
"""The command of the process that their programs are forked from."""


class EntryError(ValueError):
    """The text of an entry cannot be read."""


class Access(StrEnum):
    """The way in which a player comes to its tables."""

    STARTED = "started"  # by us, as a process
    REMOTE = "remote"  # by itself, over websockets
    BLUECHIP = "bluechip"  # by itself, over Blue Chip
    HUMAN = "human"  # a person, in a browser


@dataclass(frozen=True, slots=True)
class Entry:
    """A player that takes part."""

    name: str  # the name in the results
    spec: str  # the text that defines it
    command: tuple[str, ...]  # the command that starts it; empty if it connects by itself
    access: Access = Access.STARTED  # how it comes to its tables
    ships: bool = False  # whether it is one of our own bots
    # Whether it is shown every hand, as the bot that ships under this name asks for.
    cheat: bool = False
    # Whether it needs the network, as the bot that ships under this name does.
    network: bool = False
    secrets: tuple[str, ...] = ()  # the environment variables that no other player is given
    # The processor time that two players of it take for a board, in seconds; None if that is not
    # known.
    seconds: float | None = field(default=None, compare=False)
    team: str = ""  # its name over Blue Chip
    quirks: Quirks = STANDARD  # its variants of the Blue Chip protocol
    asks: bool = False  # whether its process asks a robot over the network
    # The module to import before its process is forked; None if its command is started.
    fork: str | None = None
    # The folder in which its process runs and its files are found; None for the arena's own.
    folder: Path | None = None
    owns_folder: bool = False  # whether all of that folder is the program's
    # The variables of its process: `NAME=value`, or `NAME` of ours.
    env: tuple[str, ...] = ()

    @property
    def passed(self) -> tuple[str, ...]:
        """The variables of the arena that its process is given by name."""
        return tuple(text for text in self.env if "=" not in text)

    @property
    def is_elsewhere(self) -> bool:
        """Whether whoever decides for it is not in a process that is started here."""
        return self.access is not Access.STARTED or self.asks

    def named(self, name: str) -> Entry:
        """Return the same player under another name."""
        return replace(self, name=name)


def parse_entry(spec: str, folder: Path | None = None) -> Entry:
    """Read the text of one player, whose files are in a folder. Raises EntryError."""
    return replace(_parse_entry(spec, folder), folder=folder)


def _parse_entry(spec: str, folder: Path | None) -> Entry:
    if not spec.isprintable():
        raise EntryError(f"{spec!r} has characters that cannot be printed")
    title, rest = _titled(spec)
    if title is not None:
        return replace(_parse_entry(rest, folder), name=title, spec=spec)
    kind, _, program = spec.partition(":")
    if kind == "cmd":
        return _parse_program(spec, program)
    if kind in (Access.REMOTE, Access.HUMAN):
        if not program.strip():
            raise EntryError(f"{spec!r} gives no name ({kind}:NAME)")
        return Entry(program.strip(), spec, (), Access(kind))
    if kind == Access.BLUECHIP:
        return _parse_bluechip(spec, program)
    if kind == "http":
        return _parse_robot(spec, program)
    if (own := file_and_class(spec)) is not None:
        return _parse_class(spec, *own, folder)
    there = from_anywhere(spec, folder)
    try:
        shipped, make = parse(there)
        secrets = make().secrets if shipped.network else ()
    except UnknownBotError as error:
        other = "" if kind in SHIPPED else "; any other bot is cmd:PROGRAM ARGS or FILE.py:CLASS"
        raise EntryError(f"{error}{other}") from None
    # -P: modules in the working folder are not imported.
    command = (sys.executable, "-P", "-m", _BOTS, there)
    return Entry(
        spec,
        spec,
        command,
        ships=True,
        cheat=shipped.cheat,
        network=shipped.network,
        secrets=secrets,
        seconds=board_seconds(there),
        fork=shipped.module,
    )


def version_of(entry: Entry) -> str:
    """Return what the arena knows of a bot's version: its release, and the hash of its file."""
    return registry.version_of(entry.command[-1]) if _BOTS in entry.command[:-1] else ""


def check_class(entry: Entry) -> None:
    """Check that an entry's file may have its class, without executing it. Raises EntryError."""
    own = file_and_class(entry.command[-1]) if _BOTS in entry.command[:-1] else None
    if own is None:
        return
    path, name = own
    try:
        if cannot_have_class(path, name):
            raise EntryError(f"{entry.spec!r}: {path} has no class {name}")
    except OSError as error:
        raise EntryError(f"{entry.spec!r}: cannot read {path}: {error.strerror}") from None


def _parse_class(spec: str, path: Path, name: str, folder: Path | None) -> Entry:
    """Return the entry of a class, whose file is executed only in the bot's own process."""
    if not os.path.isfile(Path(folder or "", path)):  # noqa: PTH113 (no name is too long for it)
        raise EntryError(f"{spec!r}: there is no file {path}")
    if not name.isidentifier():
        raise EntryError(f"{spec!r} gives no class (FILE.py:CLASS)")
    command = (sys.executable, "-P", "-m", _BOTS, from_anywhere(spec, folder))
    return Entry(name, spec, command, fork=_BOTS)


def _parse_program(spec: str, program: str) -> Entry:
    """Return the entry of a program, named by its command line without folders."""
    try:
        command = tuple(shlex.split(program))
    except ValueError as error:
        raise EntryError(f"{spec!r}: {error}") from None
    if not command:
        raise EntryError(f"{spec!r} names no program (cmd:PROGRAM ARGS)")
    return Entry(" ".join(PurePath(word).name or word for word in command), spec, command)


def _parse_bluechip(spec: str, program: str) -> Entry:
    """Return the entry of a Blue Chip program. Raises EntryError."""
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


def _parse_robot(spec: str, program: str) -> Entry:
    """Return the entry of a robot that is asked over HTTP. Raises EntryError."""
    try:
        robot = Robot.parse(program)
    except RobotError as error:
        # The text itself may have a password.
        raise EntryError(f"http: {error}") from None
    command = (sys.executable, "-P", "-m", "bridge_arena.bots.http_robot", program.strip())
    secrets = (robot.key,) if robot.key else ()
    return Entry(robot.name, spec, command, secrets=secrets, asks=True)


@dataclass(frozen=True)
class Party:
    """The players of an entry."""

    name: str  # the entry's name
    spec: str  # the text that defines it
    # One player for all the entry's seats, or two or four by seat, under their own names.
    own: tuple[Entry, ...]

    @cached_property
    def players(self) -> tuple[Entry, ...]:
        """The players under the names that the results have.

        One player has the name of the entry. Of several, each has the entry's name before its own,
        so that no two entries have players of one name.
        """
        if len(self.own) == 1:
            return (self.own[0].named(self.name),)
        return tuple(player.named(f"{self.name} / {player.name}") for player in self.own)

    def at(self, seat: Seat) -> Entry:
        """Return the player in a seat."""
        return self.players[_PLACES[len(self.own)][seat]]

    @property
    def seconds(self) -> float | None:
        """The processor time in seconds that two of its seats take for a board; None if unknown."""
        known = [player.seconds for player in self.own if player.seconds is not None]
        return fmean(known) if len(known) == len(self.own) else None

    def named(self, name: str) -> Party:
        """Return the same players under another name."""
        return replace(self, name=name)


_PLACES = {1: (0, 0, 0, 0), 2: (0, 0, 1, 1), 4: (0, 2, 1, 3)}
"""By the number of players: which of them sits North, East, South, West."""

# Separates players, except within quotes, as in the arguments of a program.
_AND = re.compile(r""" & (?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")


def parse_party(spec: str, folder: Path | None = None) -> Party:
    """Read the text of an entry, whose files are in a folder. Raises EntryError."""
    title, rest = _titled(spec)
    players = [parse_entry(player.strip(), folder) for player in _AND.split(rest)]
    if len(players) not in _PLACES:
        raise EntryError(f"{spec!r} has {len(players)} players, expected 1, 2 or 4")
    name = title or " & ".join(player.name for player in players)
    return Party(name, spec, tuple(players))


def definition_of(spec: str) -> str:
    """Return the text of an entry without the title in front, as far as it can be read."""
    title, equals, rest = spec.partition("=")
    return rest.strip() if equals and _is_title(title) else spec


def definitions_of(spec: str) -> list[str]:
    """Return the texts of an entry's players without titles, as far as they can be read."""
    return [definition_of(player.strip()) for player in _AND.split(definition_of(spec))]


def _is_title(text: str) -> bool:
    """Return whether what stands before the first `=` of an entry's text is a title."""
    return ":" not in text and _AND.search(text) is None


def _titled(spec: str) -> tuple[str | None, str]:
    """Return the title and the rest of an entry's text; raises EntryError for an empty title."""
    title, equals, rest = spec.partition("=")
    if not equals or not _is_title(title):
        return None, spec
    if not title.strip():
        raise EntryError(f"{spec!r} gives an empty name")
    return title.strip(), rest


def parse_pair(first: str, second: str) -> tuple[Party, Party]:
    """Read two entries; a second name that is the first in PBN is numbered. Raises EntryError."""
    parties = [parse_party(first), parse_party(second)]
    names = names_by_folder(parties, ["", ""])
    one, two = (party.named(name) for party, name in zip(parties, names, strict=True))
    is_same = portable(one.name) == portable(two.name)
    return one, two.named(f"{two.name}-2") if is_same else two


def names_by_folder(parties: Sequence[Party], dirs: Sequence[str]) -> list[str]:
    """Return the names of entries, with the folder where those of one name differ by it.

    Args:
        dirs: The folder of each, as the event file gives it; "" if it gives none.
    """
    names = [party.name for party in parties]
    alike: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        alike.setdefault(name, []).append(number)
    for numbers in alike.values():
        folders = [_folders(parties[number], dirs[number]) for number in numbers]
        different = (column for column in zip(*folders, strict=False) if len(set(column)) > 1)
        for number, end in zip(numbers, _ends(next(different, ())), strict=False):
            names[number] += f" ({end})" if end else ""
    return names


def _folders(party: Party, own: str) -> list[PurePath]:
    """Return the folders in which an entry's program and files are, as they are written."""
    files: list[PurePath] = []
    for player in party.own:
        if (named := file_and_class(definition_of(player.spec))) is not None:
            files.append(named[0])
        elif definition_of(player.spec).startswith("cmd:"):
            files += map(PurePath, player.command)
    return [PurePath(own), *(file.parent for file in files)]


def _ends(folders: Sequence[PurePath]) -> list[str]:
    """Return as much of the end of each folder as tells the different ones apart."""
    parts = [folder.parts for folder in folders]
    lengths = (["/".join(part[-length:]) for part in parts] for length in count(1))
    return next(ends for ends in lengths if len(set(ends)) == len(set(parts)))
