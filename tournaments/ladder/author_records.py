"""What the author of a player may see of it, and nobody else but the administrator.

Of a match that is over: the times, faults and thoughts of the player's own bots, and what the log
says of them. Of a match in play there is nothing, as a bot's output may tell hands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord, Fault, RecordedThought
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch

LINES = {
    "seated": ("says",),
    "no_show": ("why", "output"),
    "connection": ("news", "table"),
    "bot_started": (),
    "bot_ended": ("why", "output"),
    "bot_lost": ("why", "output"),
    "bot_output": ("output",),
    "fault": ("kind", "board", "action", "detail"),
    "withdrawn": ("boards_lost",),
}
"""The lines of the log that an author may read, and what of them: it is about one bot."""

MOST_LINES = 500
"""The most lines of the log that are shown of a match."""

DAYS = 7
"""The days before the end of a match whose logs are read."""

MOST_BYTES = 256 << 20
"""The most bytes of a log that are searched."""

_BOT = re.compile(r"(.*) \([NESW][^()]*\)")
"""A bot in the log: its entry, and in parentheses its seat."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of the player's on a board at a table."""

    seat: Seat
    seconds: float  # that its actions took together
    slowest: float  # the seconds of the slowest one
    faults: tuple[Fault, ...]
    # What its bot thought, each with the call or card that it is about.
    thoughts: tuple[tuple[str, RecordedThought], ...]


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A board at a table where the player sat."""

    board: int
    room: str
    seats: tuple[OwnSeat, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log about a bot of the player's."""

    time: str  # in ISO 8601
    event: str  # what happened
    bot: str  # the bot, with its seat
    facts: tuple[tuple[str, str], ...]  # what else is known, by name


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match of the player's that is over."""

    match: EndedMatch
    opponent: str
    tables: tuple[OwnTable, ...]
    lines: tuple[LogLine, ...]


def own_players(store: LadderStore, author: str) -> list[Player]:
    """Return the players of an author, in the order of arrival. Raises StoreError."""
    return [player for player in store.players().values() if player.author == author]


def own_matches(
    store: LadderStore, player: Player, count: int, before: int | None = None
) -> list[EndedMatch]:
    """Return the last matches of a player that are over, the latest first. Raises StoreError.

    Args:
        store: The store of the ladder.
        player: The player.
        count: How many.
        before: The number below which their numbers are; None for any.
    """
    versions = [one.number for one in store.versions().values() if one.player == player.number]
    return store.archive.latest(count, versions, before)


def own_match(
    store: LadderStore, folder: Path | None, player: Player, number: int
) -> OwnMatch | None:
    """Return what an author may see of a match; None unless the player has played it to its end.

    Raises StoreError and OSError.

    Args:
        store: The store of the ladder.
        folder: The folder of its logs; None if there is none.
        player: The author's player.
        number: The number of the match.
    """
    match = next(iter(own_matches(store, player, 1, number + 1)), None)
    if match is None or match.number != number:
        return None
    players, versions = store.players(), store.versions()
    teams = [players[versions[version].player] for version in match.versions]
    # By their numbers, as the home team may have met an earlier version of itself.
    opponent = next((team for team in teams if team.number != player.number), player)
    tables: list[OwnTable] = []
    if store.archive.results(number) is not None:
        boards = store.archive.boards_of(number)
        assert boards is not None
        for unit, record in boards.results():
            thoughts = boards.thoughts(unit)
            tables.append(_own_table(record, player.name, thoughts))
    tables.sort(key=lambda table: (table.board, table.room))
    lines = () if folder is None else tuple(_log_lines(folder, match, player.name))
    return OwnMatch(match, opponent.name, tuple(tables), lines)


def _own_table(record: BoardRecord, player: str, thoughts: tuple[RecordedThought, ...]) -> OwnTable:
    room = "" if record.room is None else str(record.room)
    seats = [seat for seat in SEATS if _is_of(record.players[seat], player)]
    return OwnTable(
        record.board.number, room, tuple(_own_seat(record, seat, thoughts) for seat in seats)
    )


def _own_seat(record: BoardRecord, seat: Seat, thoughts: tuple[RecordedThought, ...]) -> OwnSeat:
    times = record.times[seat] if record.times else ()
    return OwnSeat(
        seat,
        sum(times) / 1000,
        max(times, default=0.0) / 1000,
        tuple(fault for fault in record.faults if fault.seat is seat),
        tuple((_action(record, one.action), one) for one in thoughts if one.seat is seat),
    )


def _action(record: BoardRecord, action: int) -> str:
    """Return a call or card of a record by its number; "" if it was not made."""
    calls = len(record.calls)
    if action < calls:
        return str(record.calls[action].call)
    return str(record.cards[action - calls]) if action - calls < len(record.cards) else ""


def _is_of(name: str, player: str) -> bool:
    """Return whether the name of a bot is that of a player, or of one of its several bots."""
    return name == player or name.startswith(f"{player} / ")


def _log_lines(folder: Path, match: EndedMatch, player: str) -> Iterator[LogLine]:
    """Yield the lines of the log about a player's bots in a match. Raises OSError."""
    left = MOST_LINES
    for file in _logs(folder, match.ended):
        with suppress(FileNotFoundError):
            for line in _lines_of(file, match.number):
                if left and (shown := _shown(line, player)) is not None:
                    yield shown
                    left -= 1


def _logs(folder: Path, ended: str) -> Iterator[Path]:
    """Yield the logs that may have lines of a match, the oldest first."""
    with suppress(ValueError):
        last = date.fromisoformat(ended[:10])
        for before in reversed(range(DAYS + 1)):
            yield folder / f"log-{last - timedelta(days=before)}.jsonl"
    yield folder / "log.jsonl"


def _lines_of(file: Path, match: int) -> Iterator[dict[str, object]]:
    """Yield the lines of a log that are of a match. Raises OSError."""
    wanted = f'"match": {match},'.encode()
    with file.open("rb") as lines:
        lines.seek(max(0, file.stat().st_size - MOST_BYTES))
        for line in lines:
            if wanted not in line:
                continue
            with suppress(ValueError):
                facts = json.loads(line)
                if isinstance(facts, dict) and facts.get("match") == match:
                    yield facts


def _shown(line: dict[str, object], player: str) -> LogLine | None:
    """Return what an author may read of a line; None if it is not about the player's bots."""
    event, bot = str(line.get("event")), str(line.get("bot", line.get("entry", "")))
    seated = _BOT.fullmatch(bot)
    if event not in LINES or not _is_of(seated[1] if seated and "bot" in line else bot, player):
        return None
    facts = ((key, str(line[key])) for key in LINES[event] if line.get(key) not in (None, ""))
    if event == "fault":
        bot = f"{bot} ({line.get('seat')})"
    return LogLine(str(line.get("time", "")), event, bot, tuple(facts))
