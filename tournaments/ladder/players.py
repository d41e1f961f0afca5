"""The players of a ladder, and their versions.

A player is an entry that lives on a ladder; each of its versions has a rating of its own. What the
arena starts is known by the hash of its definition and files, others by what they say of
themselves.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from pathlib import Path

from bridge_arena.bots.registry import file_and_class, file_of
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.tournaments.events.entries import (
    Access,
    Entry,
    EntryError,
    definitions_of,
    version_of,
)
from bridge_arena.tournaments.events.event import Entrant


class AbsentError(Exception):
    """A player cannot play; the message says why in one line."""


_DIGITS = 12
"""The hexadecimal digits of a hash that stand for it."""


class LadderError(Exception):
    """An order to a ladder cannot be carried out; the message is one line."""


class State(StrEnum):
    """What the administrator lets a player do."""

    ACTIVE = "active"  # it plays when it is there
    PAUSED = "paused"  # it does not play for a while
    RETIRED = "retired"  # it does not come back; its rating stays
    BANNED = "banned"  # it does not come back, and is shown as banned


class BotKind(StrEnum):
    """How a bot is played."""

    SHIPPED = "shipped"  # it ships with the arena
    PROGRAM = "program"  # the arena starts its program
    REMOTE = "remote"  # it connects by itself
    MODEL = "llm"  # a language model is asked
    HTTP = "http"  # a robot is asked over HTTP
    BLUECHIP = "bluechip"  # it connects by itself, over Blue Chip


@cache
def _kind_of(bot: str) -> BotKind:
    """Return how a bot is played, by its text."""
    kind = bot.partition(":")[0]
    if kind in (BotKind.REMOTE, BotKind.MODEL, BotKind.HTTP, BotKind.BLUECHIP):
        return BotKind(kind)
    is_own = kind == "cmd" or file_and_class(bot) is not None
    return BotKind.PROGRAM if is_own else BotKind.SHIPPED


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a player."""

    number: int  # its number in the ladder, from 1
    player: int  # the number of the player
    identity: str  # what tells it from the player's other versions
    since: str  # when it came, in ISO 8601


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a ladder."""

    number: int  # its number in the ladder, from 1, in the order of arrival
    entrant: Entrant  # its bot, name and settings
    author: str  # who wrote it; "" if that is not known
    state: State
    version: int | None = None  # the version that was there last; None if none ever was
    is_there: bool = False  # whether it could play when the ladder was last played
    system: str = ""  # its system in words, or the address of its convention card
    home: str = ""  # the address of its page elsewhere

    @property
    def name(self) -> str:
        """The player's name."""
        return self.entrant.name

    @property
    def state_text(self) -> str:
        """Whether it is there, or why it does not play."""
        if self.state is not State.ACTIVE:
            return self.state
        return "there" if self.is_there else "absent"

    @property
    def stays(self) -> bool:
        """Whether it may play again."""
        return self.state in (State.ACTIVE, State.PAUSED)

    @property
    def kinds(self) -> list[BotKind]:
        """How its bots are played."""
        return list(dict.fromkeys(map(_kind_of, definitions_of(self.entrant.bot))))

    def is_of(self, bot: str) -> bool:
        """Return whether one of its bots has a name."""
        return any(player.name == bot for player in self.entrant.known_players)

    @property
    def remote_seats(self) -> dict[str, list[Seat]]:
        """The seats of its bots that come with a token, by their names."""
        seats: dict[str, list[Seat]] = {}
        for bot, seat in self._places(Access.REMOTE):
            seats.setdefault(bot.name, []).append(seat)
        return seats

    @property
    def program_seats(self) -> list[tuple[Entry, Seat]]:
        """Its Blue Chip programs, and their seats."""
        return list(self._places(Access.BLUECHIP))

    @property
    def comes_by_itself(self) -> bool:
        """Whether any of its bots connects by itself."""
        return bool(self.remote_seats or self.program_seats)

    def _places(self, access: Access) -> Iterator[tuple[Entry, Seat]]:
        """Yield the bots that come in a way, and their seats; none if its text cannot be read."""
        if f"{access}:" not in self.entrant.bot:  # as most are, and texts take long to read
            return
        with suppress(EntryError):
            party = self.entrant.party()
            for seat in SEATS:
                if party.at(seat).access is access:
                    yield party.at(seat), seat


def authors_of(versions: Iterable[Version], players: Mapping[int, Player]) -> list[str]:
    """Return who wrote each version; who is not known is another for each player."""
    owners = (players[version.player] for version in versions)
    return [player.author or f"\n{player.number}" for player in owners]


class Fingerprints:
    """What tells the versions of programs that the arena starts.

    Files are read again only when they have changed.
    """

    def __init__(self) -> None:
        # The digests of files, with what they were like when they were read.
        self._digests: dict[Path, tuple[tuple[int, int, int], str]] = {}
        self._release = ""  # the version of bots that ship without a file; "" until it is read

    def identity(self, entrant: Entrant, says: str = "") -> str:
        """Return what identifies a version of a player, as far as the arena can see it.

        It changes with the bot's options and settings, with the release for bots that ship, with
        the files that a command names, and with what bots that run elsewhere say of themselves.
        Raises EntryError and OSError.
        """
        settings = entrant.model_dump_json(exclude={"name"}, exclude_none=True)
        known, versions = [settings], []
        for player in entrant.party().own:
            versions.append(self._version(player))
            known += [versions[-1], *map(self._digest, _files_of(player))]
        digest = sha256("\n".join(known).encode()).hexdigest()[:_DIGITS]
        versions = list(dict.fromkeys(versions))
        return " ".join(filter(None, (says, *versions, digest)))

    def _version(self, player: Entry) -> str:
        """Return what `version_of` does, which reads the release from its files each time."""
        if not player.ships or file_of(player.command[-1]) is not None:
            return version_of(player)
        if not self._release:
            self._release = version_of(player)
        return self._release

    def _digest(self, file: Path) -> str:
        status = file.stat()
        state = (status.st_mtime_ns, status.st_size, status.st_ino)
        known = self._digests.get(file)
        if known is None or known[0] != state:
            known = self._digests[file] = state, sha256(file.read_bytes()).hexdigest()
        return known[1]


def _files_of(player: Entry) -> list[Path]:
    """Return the files that the command of a program names; none for one that ships."""
    if player.is_elsewhere or player.ships or player.fork is not None:
        return []
    program, *arguments = player.command
    resolved = shutil.which(program, path=_path_from(player.folder))
    named = [Path(player.folder or "", word) for word in (resolved or program, *arguments)]
    # Not Path.is_file(), which raises for a name that is too long.
    return [path for path in named if os.path.isfile(path)]  # noqa: PTH113


def _path_from(folder: Path | None) -> str:
    return os.pathsep.join((str(folder or "."), os.environ.get("PATH", os.defpath)))
