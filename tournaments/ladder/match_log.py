"""The log of a match of a ladder: its lines go to the ladder's log, and some to the terminal."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.play.announcements import News
from bridge_arena.tournaments.play.event_log import EventLog


class MatchLog(EventLog):
    """The log of a ladder as one of its matches writes it.

    Args:
        log: The log of the ladder.
        match: The number of the match.
        event: Its event.
        say: Called with a line about each bot that is lost or comes back.
    """

    def __init__(self, log: EventLog, match: int, event: Event, say: Callable[[str], None]) -> None:
        super().__init__()
        self.has_board = False  # whether a board has ended
        self._ladder_log = log
        self._match = match
        self._news = News(event, 0, lambda line: say(f"match {match}: {line}"))

    def write(self, what: str, **facts: object) -> None:
        if what == "board_ended":
            self.has_board = True  # and no news: how far a match is would be said too often
        else:
            self._news.hear(what, **facts)
        super().write(what, **facts)
        self._ladder_log.write(what, **{"match": self._match, **facts})

    def check(self) -> None:
        self._ladder_log.check()
