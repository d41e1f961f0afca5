"""What the organiser of an event is told while it is played.

All of it is in the event's log, line by line. `News` picks out who was lost and came back, which
round is played and how long the event still takes. `FaultWarnings` warns of players for whom the
table acts: one may be unable to act for hours, as a robot that answers with errors alone, while the
event goes on. `PauseWarnings` says why nothing begins, `WrongTokens` tells of clients that are
refused. What others may repeat without end is told in a few lines a minute.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from bridge_arena.base.wording import one_line, plural, time_left
from bridge_arena.bridge.record import FaultKind
from bridge_arena.tournaments.events.event import Event, event_size
from bridge_arena.tournaments.play.event_log import EventLog

MOST_LINES = 4
"""The most lines in a minute."""

MINUTE = 60.0


class FewLines:
    """A count of the lines of one kind, of which a few a minute may be told."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        # The times of the last lines.
        self._sent_at: deque[float] = deque(maxlen=MOST_LINES)

    def may_be_sent(self) -> bool:
        """Return whether one more line may be told now, and count it if so."""
        now = self._now()
        if len(self._sent_at) == MOST_LINES and now - self._sent_at[0] < MINUTE:
            return False
        self._sent_at.append(now)
        return True


PARTS = 10
"""The number of parts of an event after each of which its progress is told, unless it has as many
rounds."""


class News:
    """A listener to an event's log."""

    def __init__(
        self,
        event: Event,
        played: int,
        tell: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._size = event_size(event)
        self._played = self._before = played
        self._tell = tell
        self._now = now
        # When the first round began; None before that, as the venue itself tells who comes then.
        self._began_at: float | None = None
        # The bots that are lost or did not come, and the tables that others are cut off from.
        self._lost: set[str] = set()
        self._cut_off: dict[str, set[str]] = {}
        # The bound on the lines about the connections of each bot, which it may break at will.
        self._few: dict[str, FewLines] = {}

    def hear(self, what: str, **facts: object) -> None:
        """Take in a line of the log."""
        bot = str(facts.get("bot", ""))
        match what:
            case "round_began":
                self._begin(facts["round"])
            case "board_ended":
                self._end_board()
            case "connection":
                self._connection(bot, str(facts.get("table", "")), str(facts["news"]))
            case "bot_ended":
                self._say_of(bot, f"{bot} has ended: {facts['why']}")
            case "bot_lost" | "no_show":
                self._lose(bot, f"is lost: {facts['why']}" if what == "bot_lost" else facts["why"])
            case "seated" if bot in self._lost:
                self._lost.remove(bot)
                self._say(f"{bot} is here")
            case "withdrawn":
                boards = plural(int(str(facts["boards_lost"])), "board")
                self._say(f"{facts['entry']} is withdrawn: it lost {boards}")

    def _begin(self, number: object) -> None:
        if self._began_at is None:
            self._began_at = self._now()
        if self._size.rounds > 1:
            self._say(f"round {number} of {self._size.rounds}: {self._progress()}")

    def _end_board(self) -> None:
        self._played += 1
        before, now = ((self._played - n) * PARTS // self._size.tables for n in (1, 0))
        if before < now and self._size.rounds < PARTS:
            self._say(self._progress())

    def _progress(self) -> str:
        """Return how much was played, and about how long the rest takes at the pace so far."""
        # A knock-out adds boards to break a tie.
        tables = max(self._size.tables, self._played)
        text = f"{self._played} of {plural(tables, 'table')} played"
        if self._began_at is None:
            return text
        seconds, here = self._now() - self._began_at, self._played - self._before
        left = time_left(seconds, here, tables - self._played)
        return f"{text}, {left}" if left else text

    def _connection(self, bot: str, table: str, news: str) -> None:
        """Tell once of a bot that is cut off from several tables, as when its process ended."""
        if bot in self._lost:
            return
        cut_off = self._cut_off.setdefault(bot, set())
        was_cut_off = bool(cut_off)
        if news == "back":
            cut_off.discard(table)
        else:
            cut_off.add(table)
        if bool(cut_off) is not was_cut_off:
            self._say_of(bot, f"{bot}: {news}" if cut_off else f"{bot} is back")

    def _lose(self, bot: str, how: object) -> None:
        self._lost.add(bot)
        self._cut_off.pop(bot, None)
        self._say(f"{bot} {how}")

    def _say_of(self, bot: str, line: str) -> None:
        if self._few.setdefault(bot, FewLines(self._now)).may_be_sent():
            self._say(line)

    def _say(self, line: str) -> None:
        if self._began_at is not None:
            self._tell(one_line(line))


_WORDS = {
    FaultKind.ILLEGAL: "illegal action",
    FaultKind.MALFORMED: "malformed message",
    FaultKind.TIMEOUT: "time-out",
}
"""The faults that are warned of; of lost players the log and the results tell."""


class FaultWarnings:
    """A listener to an event's log, which warns of each entry after 1, 2, 4, 8, ... faults."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        # The faults of each entry so far.
        self._faults: Counter[str] = Counter()
        # The units whose faults were told as they happened, as a cluster cannot.
        self._units: set[object] = set()

    def hear(self, what: str, **facts: object) -> None:
        """Take in a line of the log."""
        if what == "fault":
            self._units.add(facts["unit"])
            self._count(facts["board"], facts)
        elif what == "board_ended" and facts["unit"] not in self._units:
            faults = facts.get("faults", ())
            assert isinstance(faults, Iterable)
            for fault in faults:
                self._count(facts["board"], fault)

    def _count(self, board: object, fault: Mapping[str, object]) -> None:
        """Count a fault, and warn of it if so many were not told before."""
        kind = FaultKind(str(fault["kind"]))
        if kind not in _WORDS:
            return
        entry = str(fault["entry"])
        self._faults[entry] += 1
        count = self._faults[entry]
        if count & (count - 1):
            return
        so_far = f" ({plural(count, 'fault')} so far)" if count > 1 else ""
        line = f"{entry}: {_WORDS[kind]} on board {board}, {fault['seat']}: {fault['detail']}"
        self._tell(one_line(line) + so_far)


class PauseWarnings:
    """A listener to an event's log, which tells that a director has paused all that is left."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def hear(self, what: str, **facts: object) -> None:
        """Take in a line of the log."""
        del facts
        if what == "paused":
            self._tell("paused by the director: nothing more begins until it goes on")


MOST_NAMES = 5
"""The most names of missing entries in a line."""


class WrongTokens:
    """Tells of clients with a wrong token, however many come, in a few lines a minute.

    Nothing that a client sent is told: only its address, as the network has it.
    """

    def __init__(
        self,
        announce: Callable[[str], None],
        log: EventLog,
        missing: Callable[[], Sequence[str]],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._announce = announce
        self._log = log
        self._missing = missing
        # A team that has a wrong token comes with as many bots as lines are told.
        self._few = FewLines(now)
        # The number of clients that no line has told of.
        self._untold = 0

    def note(self, address: str) -> None:
        """Note a client with a wrong token, by its address."""
        if not self._few.may_be_sent():
            self._untold += 1
            return
        others, self._untold = self._untold, 0
        also = f", as were {others} others since the last such line" if others else ""
        self._announce(
            f"a client from {address} was refused{also}: its token is wrong or was replaced"
            + _still_missing(self._missing())
        )
        self._log.write("wrong_token", address=address, others=others)


def _still_missing(names: Sequence[str]) -> str:
    if not names:
        return ""
    named, left = ", ".join(names[:MOST_NAMES]), len(names) - MOST_NAMES
    more = f" and {left} more" if left > 0 else ""
    return f"; bots of {named}{more} are missing"
