"""What the author of a player may see of it, and nobody else but the administrator.

Of a match that is over: the times, faults and thoughts of the player's own bots, what the log says
of them, and the messages that they were sent and have sent. Of a match in play there is nothing, as
a bot's output may tell hands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord, Fault, RecordedThought
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest, Outcome
from bridge_arena.tournaments.ladder.wire_logs import WireLogs
from bridge_arena.tournaments.schedule.units import team_at

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

MOST_BYTES = 32 << 20
"""The most bytes of all logs together that are searched for a match, the latest ones."""

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
    has_messages: bool  # whether the messages of the player's bots are kept


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
    return store.archive.latest(count, versions, before=before)


def own_tests(store: LadderStore, author: str, count: int) -> list[tuple[LadderTest, str]]:
    """Return the tests that an author asked for, each with its text. Raises StoreError.

    Those that go on come first, and then those that were asked for last.

    Args:
        store: The store of the ladder.
        author: The author.
        count: How many.
    """
    tests = [test for test in reversed(store.tests.every()) if test.author == author]
    tests.sort(key=lambda test: test.outcome is not Outcome.OPEN)
    versions = store.versions()  # after the tests, as a version may come meanwhile
    players = store.players()
    return [
        (test, test.text(*(players[versions[one].player].name for one in test.versions)))
        for test in tests[:count]
    ]


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
    if (match := _ended_match(store, player, number)) is None:
        return None
    players, versions = store.players(), store.versions()
    teams = [players[versions[version].player] for version in match.versions]
    # By their numbers, as the home team may have met an earlier version of itself.
    own = [at for at, team in enumerate(teams) if team.number == player.number]
    opponent = next((team for team in teams if team.number != player.number), player)
    tables: list[OwnTable] = []
    names = _names(player)
    of_others: set[str] = set() if opponent is player else _names(opponent)
    if store.archive.results(number) is not None:
        boards = store.archive.boards_of(number)
        assert boards is not None
        for unit, record in boards.results():
            thoughts = boards.thoughts(unit)
            tables.append(_own_table(record, own, thoughts))
            for seat in SEATS:  # a player may have other bots by now
                (names if _is_own(record, seat, own) else of_others).add(record.players[seat])
    tables.sort(key=lambda table: (table.board, table.room))
    names -= of_others
    lines = () if folder is None else tuple(_log_lines(folder, match, names))
    has_messages = folder is not None and WireLogs(folder).is_kept(player.number, number)
    return OwnMatch(match, opponent.name, tuple(tables), lines, has_messages)


def own_messages(
    store: LadderStore, folder: Path, player: Player, number: int
) -> Iterator[str] | None:
    """Return the messages of a player's bots in a match as JSON lines, which are read by and by.

    None unless the player has played it to its end, and they are kept. Raises StoreError and
    OSError.

    Args:
        store: The store of the ladder.
        folder: The folder of its wire logs.
        player: The author's player.
        number: The number of the match.
    """
    logs = WireLogs(folder)
    if _ended_match(store, player, number) is None or not logs.is_kept(player.number, number):
        return None
    return logs.parts(player.number, number)


def _ended_match(store: LadderStore, player: Player, number: int) -> EndedMatch | None:
    """Return a match of a player's; None unless it is over. Raises StoreError."""
    match = next(iter(own_matches(store, player, 1, number + 1)), None)
    return match if match is not None and match.number == number else None


def _names(player: Player) -> set[str]:
    """Return the names in the log of a player and its bots."""
    return {player.name, *(bot.name for bot in player.entrant.known_players)}


def _is_own(record: BoardRecord, seat: Seat, own: Collection[int]) -> bool:
    """Return whether one of the own teams, by their places in the match, sits in a seat."""
    return team_at(seat.side, record.room) in own


def _own_table(
    record: BoardRecord, own: Collection[int], thoughts: tuple[RecordedThought, ...]
) -> OwnTable:
    room = "" if record.room is None else str(record.room)
    seats = [seat for seat in SEATS if _is_own(record, seat, own)]
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


def _log_lines(folder: Path, match: EndedMatch, names: Collection[str]) -> Iterator[LogLine]:
    """Yield the lines of the log about a player's bots in a match. Raises OSError."""
    left = MOST_LINES
    for file, start in _places_in_logs(folder, match.ended):
        with suppress(FileNotFoundError):
            for line in _lines_of(file, start, match.number):
                if left and (shown := _shown(line, names)) is not None:
                    yield shown
                    left -= 1


def _places_in_logs(folder: Path, ended: str) -> list[tuple[Path, int]]:
    """Return the logs that may have lines of a match, the oldest first, and where to begin in each.

    Raises OSError.
    """
    places: list[tuple[Path, int]] = []
    left = MOST_BYTES
    for file in _logs(folder, ended):
        with suppress(FileNotFoundError):
            size = file.stat().st_size
            places.append((file, max(0, size - left)))
            left -= min(size, left)
    return places[::-1]


def _logs(folder: Path, ended: str) -> Iterator[Path]:
    """Yield the logs that may have lines of a match, the latest first."""
    today = folder / "log.jsonl"
    try:
        last = date.fromisoformat(ended[:10])
    except ValueError:
        yield today
        return
    days = [folder / f"log-{last - timedelta(days=before)}.jsonl" for before in range(DAYS + 1)]
    if not days[0].exists():  # the match ended today
        yield today
    yield from days


def _lines_of(file: Path, start: int, match: int) -> Iterator[dict[str, object]]:
    """Yield the lines of a log from a place on that are of a match. Raises OSError."""
    wanted = f'"match": {match},'.encode()
    with file.open("rb") as lines:
        lines.seek(start)
        for line in lines:
            if wanted not in line:
                continue
            with suppress(ValueError):
                facts = json.loads(line)
                if isinstance(facts, dict) and facts.get("match") == match:
                    yield facts


def _shown(line: dict[str, object], names: Collection[str]) -> LogLine | None:
    """Return what an author may read of a line; None if it is not about the player's bots."""
    event, bot = str(line.get("event")), str(line.get("bot", line.get("entry", "")))
    seated = _BOT.fullmatch(bot)
    if event not in LINES or (seated[1] if seated and "bot" in line else bot) not in names:
        return None
    facts = ((key, str(line[key])) for key in LINES[event] if line.get(key) not in (None, ""))
    if event == "fault":
        bot = f"{bot} ({line.get('seat')})"
    return LogLine(str(line.get("time", "")), event, bot, tuple(facts))
