"""The messages between a ladder and its players' bots, for the players' authors.

The messages of a player's latest matches are in files, one for each match: `wire/3/17.msgpack` is
match 17 of player 3. Messages are kept as they were encoded, which costs the play next to nothing,
and are read as JSON lines.
"""

from __future__ import annotations

import json
import os
import struct
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgpack

from bridge_arena.server.websocket_player import Direction, WireLog
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.play.seating.seats import EntrySeat

MATCHES = 10
"""The matches of a player whose messages are kept, the latest by number."""

MOST_BYTES = 2 << 20
"""The most bytes of a player's messages in a match that are kept, the first ones."""

PART = 64 * 1024
"""The characters of lines that are read at once, if no line is longer."""

_WAITING = 64 * 1024
"""The bytes of messages that wait to be written."""

_SUFFIX = ".msgpack"

# An entry is a list of four: the time, the seat, the direction and the message.
_FOUR = b"\x94"
_FLOAT = struct.Struct(">Bd")


class WireLogs:
    """The wire logs of a ladder.

    Args:
        folder: The folder of the ladder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "wire"

    def of_match(self, match: int, players: Iterable[Player]) -> MatchWireLogs:
        """Return the wire logs of a match, which delete those of earlier matches.

        Only a player with an author has any: nobody else may read them.
        """
        files: dict[str, _WireFile] = {}
        times = Counter[str]()
        for player in players:
            bots = {bot.name for bot in player.entrant.known_players}
            times.update(bots)
            if player.author:
                path = self._path(player.number, match)
                _delete_earlier(path)
                files |= dict.fromkeys(bots, _WireFile(path))
        # A bot that plays for both would tell each the cards of the other.
        return MatchWireLogs({bot: file for bot, file in files.items() if times[bot] == 1})

    def is_kept(self, player: int, match: int) -> bool:
        """Return whether the messages of a player's match are kept."""
        return self._path(player, match).is_file()

    def lines(self, player: int, match: int) -> Iterator[str]:
        """Yield the messages of a player's match as JSON lines. Raises OSError."""
        # What was left incomplete by a power cut ends it.
        with self._path(player, match).open("rb") as file, suppress(ValueError, TypeError):
            for at, seat, direction, message in msgpack.Unpacker(file):
                when = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
                line = {"time": when, "seat": seat, "direction": direction, "message": message}
                yield json.dumps(line, ensure_ascii=False) + "\n"

    def parts(self, player: int, match: int) -> Iterator[str]:
        """Yield the lines of a player's match, many at once. Raises OSError."""
        part = ""
        for line in self.lines(player, match):
            part += line
            if len(part) >= PART:
                yield part
                part = ""
        yield part

    def delete_next(self, before: str) -> bool:
        """Delete the messages of a match that were last written before a time, in ISO 8601.

        Returns whether there were any. Raises OSError.
        """
        moment = datetime.fromisoformat(before).timestamp()
        for path in self._folder.glob(f"*/*{_SUFFIX}"):
            if path.stat().st_mtime < moment:
                path.unlink()
                return True
        return False

    def _path(self, player: int, match: int) -> Path:
        return self._folder / str(player) / f"{match}{_SUFFIX}"


class MatchWireLogs:
    """The wire logs of a match at play, to be closed when it is at play no more."""

    def __init__(self, files: dict[str, _WireFile]) -> None:
        self._files = files  # by the names of bots

    def of_seat(self, entry_seat: EntrySeat) -> WireLog | None:
        """Return the wire log of a bot in a seat; None if nobody may read one."""
        file = self._files.get(entry_seat.entry.name)
        return None if file is None else partial(file.note, entry_seat.seat.letter)

    def close(self) -> None:
        """Write what waits."""
        for file in self._files.values():
            file.write()


class _WireFile:
    """The file of a player's messages in a match; what cannot be written is left out."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: list[bytes] = []
        self._size = 0  # of what waits
        self._left = MOST_BYTES
        with suppress(OSError):
            for folder in (path.parent.parent, path.parent):
                folder.mkdir(mode=0o700, exist_ok=True)
            self._left -= path.stat().st_size

    def note(self, seat: str, direction: Direction, message: bytes) -> None:
        """Note a message of a seat."""
        if self._left <= 0:
            return
        entry = b"".join((_FOUR, _FLOAT.pack(0xCB, time.time()), _HEADS[seat, direction], message))
        self._waiting.append(entry)
        self._size += len(entry)
        self._left -= len(entry)
        if self._size > _WAITING or self._left <= 0:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        entries = b"".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        try:
            _append(self._path, entries)
        except OSError:
            self._left = 0


_HEADS = {
    (seat, direction): msgpack.packb(seat) + msgpack.packb(str(direction))
    for seat in "NESW"
    for direction in Direction
}
"""The middle of an entry, encoded."""


def _append(path: Path, entries: bytes) -> None:
    """Append entries to a file, or nothing. Raises OSError."""
    if not entries:
        return
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(file).st_size
        if os.write(file, entries) < len(entries):  # the disk is full
            os.ftruncate(file, size)
            raise OSError
    finally:
        os.close(file)


def _delete_earlier(path: Path) -> None:
    """Delete the files of a player's earlier matches, so that its match can have a file."""
    with suppress(OSError):
        numbers = sorted(
            int(file.stem)
            for file in path.parent.glob(f"*{_SUFFIX}")
            if file.stem.isdecimal() and file != path
        )
        for number in numbers[: 1 - MATCHES]:
            path.with_stem(str(number)).unlink()
