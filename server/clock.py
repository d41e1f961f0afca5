"""Clocks of the table; times are in seconds of whatever clock the caller reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import TypeAlias, TypedDict

from bridge_arena.bridge.seats import SEATS, Seat

_EXAMPLES = "60, action=10, board=300, match=1800+5, lag=0.5, or several divided by blanks"


_INSTANT = 1e-6
"""Seconds; any shorter time is a rounding error."""

MOST_SECONDS = 31_536_000
"""The longest limit: a year."""


class TimesInWelcome(TypedDict):
    """A time control in the fields of `Welcome`."""

    time_control: str
    action_seconds: float | None
    board_seconds: float | None
    match_seconds: float | None
    increment_seconds: float
    lag_seconds: float


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The limits of a seat's time, in seconds; None for no limit. At least one is not None."""

    action: float | None = 60.0  # the time for each call, card or answer
    board: float | None = None  # the time of a side for all its actions on a board
    match: float | None = None  # the time for all boards together of those who share a `MatchClock`
    increment: float = 0.0  # the time that is added to the match clock after each action
    lag: float = 0.0  # the most network time that is not charged for an action

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read a time control: `60`, which is `action=60`, or `action=10 match=1800+5 lag=0.5`.

        Raises ValueError if it cannot be read, or limits nothing.
        """
        seconds: dict[str, float] = {}
        for part in text.split():
            name, equals, value = part.partition("=")
            if not equals:
                name, value = "action", part
            if name not in ("action", "board", "match", "lag"):
                raise _error(text, f"{name!r} is not a limit")
            if name in seconds:
                raise _error(text, f"{name} is given twice")
            if name == "match" and "+" in value:
                value, _, more = value.partition("+")
                seconds["increment"] = _seconds(text, more)
            seconds[name] = _seconds(text, value)
        if not seconds.keys() & {"action", "board", "match"}:
            raise _error(text, "nothing is limited")
        return cls(
            seconds.get("action"),
            seconds.get("board"),
            seconds.get("match"),
            seconds.get("increment", 0.0),
            seconds.get("lag", 0.0),
        )

    def __post_init__(self) -> None:
        """Check that an action has a limit. Raises ValueError."""
        if self.action is None and self.board is None and self.match is None:
            raise ValueError("a time control limits the action, the board or the match")

    def __str__(self) -> str:
        """Return the form that `parse` reads; a limit for each action is a bare number."""
        parts = [] if self.action is None else [f"{self.action:.15g}"]
        if self.board is not None:
            parts.append(f"board={self.board:.15g}")
        if self.match is not None:
            more = f"+{self.increment:.15g}" if self.increment else ""
            parts.append(f"match={self.match:.15g}{more}")
        if self.lag:
            parts.append(f"lag={self.lag:.15g}")
        return " ".join(parts)

    def in_welcome(self) -> TimesInWelcome:
        """Return the fields of `Welcome`, in words and numbers."""
        words = [] if self.action is None else [f"{self.action:g} s for each action"]
        if self.board is not None:
            words.append(f"{self.board:g} s for each board")
        if self.match is not None:
            more = f" and {self.increment:g} s more after each action" if self.increment else ""
            words.append(f"{self.match:g} s for the match{more}")
        return {
            "time_control": ", ".join(words),
            "action_seconds": self.action,
            "board_seconds": self.board,
            "match_seconds": self.match,
            "increment_seconds": self.increment,
            "lag_seconds": self.lag,
        }


def _seconds(text: str, value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        raise _error(text, f"{value!r} is not a number of seconds") from None
    if not 0 < seconds <= MOST_SECONDS:
        raise _error(
            text,
            f"{value} is not above 0 and at most {MOST_SECONDS}; as good as no limit is a day, "
            "86400",
        )
    return seconds


def _error(text: str, why: str) -> ValueError:
    return ValueError(f"{text!r} is not a time limit: {why} (expected {_EXAMPLES})")


Controls: TypeAlias = TimeControl | Mapping[Seat, TimeControl]
"""The control of all seats of a table, or that of each."""


class MatchClock:
    """The time left in a match, over all its boards.

    The partners of a side share one clock; a player who changes partners has one alone.
    """

    def __init__(self, control: TimeControl) -> None:
        # The limit, and the seconds left; None if the match is not limited.
        self.limit = self.left = control.match

    def charge(self, seconds: float) -> None:
        """Subtract seconds, but not below 0."""
        if self.left is not None:
            self.left = max(0.0, self.left - seconds)

    def add(self, seconds: float) -> None:
        if self.left is not None:
            self.left += seconds


class Clock:
    """The clocks of one board: each runs while its seat is asked to act.

    All seats have the same control, or each has one of its own; those of partners have the same
    limit for the board. The match clocks of the seats are new ones, for this board alone, if there
    are none.
    """

    def __init__(self, controls: Controls, match: Mapping[Seat, MatchClock] | None = None) -> None:
        if isinstance(controls, TimeControl):
            controls = dict.fromkeys(SEATS, controls)
        self._controls = controls
        # The limit of each seat's action; infinite if there is none.
        actions = [controls[seat].action for seat in SEATS]
        self._actions = [inf if action is None else action for action in actions]
        sides = [controls[seat] for seat in (Seat.NORTH, Seat.EAST)]
        if match is None:
            new = [MatchClock(control) for control in sides]
            match = {seat: new[seat.side] for seat in SEATS}
        self._match = match
        # The time left for the board, indexed by Side; None if it is not limited.
        self._board = [control.board for control in sides]
        # When each seat was asked, and the time that it had used before its clock was held.
        self._started = [0.0] * 4
        self._used = [0.0] * 4
        # The seconds that each seat's actions have taken off its match clock.
        self._match_seconds = [0.0] * 4
        # The round-trip time to each seat, in seconds.
        self._lag = [0.0] * 4

    def set_lag(self, seat: Seat, seconds: float) -> None:
        """Set the round-trip time to a seat; the part above the control's lag is charged."""
        self._lag[seat] = min(seconds, self._controls[seat].lag)

    def start(self, seat: Seat, now: float) -> None:
        """Start the time of a seat that is asked to act; one that is asked again needs no start."""
        self._started[seat] = now
        self._used[seat] = 0.0

    def hold(self, seat: Seat, now: float) -> None:
        """Hold the time of a seat while it waits for others, until `go_on`."""
        self._used[seat] = self.elapsed(seat, now)

    def go_on(self, seat: Seat, now: float) -> None:
        """Let a seat's time run on from where it was held."""
        self._started[seat] = now

    def stop(self, seat: Seat, now: float, *, increment: bool = True) -> None:
        """Charge the time of a seat that has acted, and add the `increment` if it is due."""
        left, match = self._board[seat.side], self._match[seat]
        before = match.left
        if left is None and before is None:
            return
        charged = self._charged(seat, now)
        if left is not None:
            self._board[seat.side] = max(0.0, left - charged)
        match.charge(charged)
        if increment:
            match.add(self._controls[seat].increment)
        if before is not None and match.left is not None:
            self._match_seconds[seat] += before - match.left

    def give_back(self) -> None:
        """Give back to the match clocks what the board has taken off them."""
        for seat, seconds in zip(SEATS, self._match_seconds, strict=True):
            self._match[seat].charge(-seconds)
        self._match_seconds = [0.0] * 4

    @property
    def match_seconds(self) -> tuple[float, ...]:
        """The seconds that N, E, S and W took off their match clocks; below 0 for a gain."""
        return tuple(self._match_seconds)

    def deadline(self, seat: Seat) -> float:
        """Return the time at which the seat's time runs out."""
        least = self._actions[seat]
        # Not by `min` of those that there are: this is asked several times for each action.
        if (board := self._board[seat.side]) is not None and board < least:
            least = board
        if (match := self._match[seat].left) is not None and match < least:
            least = match
        return self._started[seat] + least + self._lag[seat] - self._used[seat]

    def elapsed(self, seat: Seat, now: float) -> float:
        """Return the seconds since the seat was first asked, except while its time was held."""
        return self._used[seat] + now - self._started[seat]

    def left(self, seat: Seat, now: float) -> float:
        """Return the seconds that the seat has left for its action."""
        return max(0.0, self.deadline(seat) - self._lag[seat] - now)

    def left_on_board(self, seat: Seat, now: float) -> float | None:
        """Return the seconds left of the board's time; None if it is not limited."""
        return self._rest(self._board[seat.side], seat, now)

    def left_in_match(self, seat: Seat, now: float) -> float | None:
        """Return the seconds left of the match's time; None if it is not limited."""
        return self._rest(self._match[seat].left, seat, now)

    def is_used_up(self, seat: Seat, now: float) -> bool:
        """Return whether all time of the board or the match is used up."""
        lefts = (self.left_on_board(seat, now), self.left_in_match(seat, now))
        return any(left is not None and left < _INSTANT for left in lefts)

    def _rest(self, left: float | None, seat: Seat, now: float) -> float | None:
        return None if left is None else max(0.0, left - self._charged(seat, now))

    def _charged(self, seat: Seat, now: float) -> float:
        """Return the seconds that the action costs so far, without the network's time."""
        return max(0.0, self.elapsed(seat, now) - self._lag[seat])
