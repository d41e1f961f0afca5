"""What the organiser of a served event is told while it is played.

All of it is in the event's log, line by line. This picks out who was lost and came back, which
round is played and how long the event still takes, and puts each in words.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from bridge_arena.base.one_line import one_line
from bridge_arena.base.plural import plural
from bridge_arena.tournaments.events.cost_estimate import duration
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.event_size import event_size
from bridge_arena.tournaments.play.few_lines import FewLines

PARTS = 10
"""The number of parts of an event after each of which its progress is told, unless it has as many
rounds."""


class News:
    """A listener to an event's log.

    Args:
        event: The event.
        played: The number of tables that were played before.
        tell: Called with each line.
        now: Returns the time in seconds.
    """

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
        # When the first round began; None before that, as the hall itself tells who comes then.
        self._began_at: float | None = None
        # The bots that are lost or did not come, and the tables that others are cut off from.
        self._lost: set[str] = set()
        self._cut_off: dict[str, set[str]] = {}
        # The bound on the lines about the connections of each bot, which it may break at will.
        self._few: dict[str, FewLines] = {}

    def hear(self, what: str, **facts: object) -> None:
        """Take in a line of the log.

        Args:
            what: The name of what happened.
            facts: Its values, by name.
        """
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
        here, left = self._played - self._before, tables - self._played
        if not here or not left or self._began_at is None:
            return text
        return f"{text}, about {duration((self._now() - self._began_at) / here * left)} left"

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
        if self._few.setdefault(bot, FewLines(self._now)).may_be_told():
            self._say(line)

    def _say(self, line: str) -> None:
        if self._began_at is not None:
            self._tell(one_line(line))
