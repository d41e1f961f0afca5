"""The placing of one player of a ladder among the others, as `arena rate` asks for it."""

from __future__ import annotations

from itertools import combinations

from bridge_arena.tournaments.ladder.attendance import Attendance
from bridge_arena.tournaments.ladder.results import Results
from bridge_arena.tournaments.ladder.strength.sums import Pair


class Placing:
    """The placing of a player, the subject, who plays all matches that are drawn.

    Args:
        attendance: Who is there.
        results: What is known of them.
        anchor: The name of the player whose rating is 0.
        subject: The name of the subject.
        error: The error of its margin against the anchor at which it is placed; None to place it
            as soon as it is known of each other player which of the two is stronger.
    """

    def __init__(
        self,
        attendance: Attendance,
        results: Results,
        anchor: str,
        subject: str,
        error: float | None,
    ) -> None:
        self._attendance = attendance
        self._results = results
        self._names = subject, anchor
        self._error = error

    def is_done(self) -> bool:
        """Return whether as much is known of the subject as was wanted."""
        if self._error is None:
            return self._is_ordered()
        subject, anchor = map(self._version, self._names)
        if subject is None or anchor is None:
            return False
        return self._results.scores.margin(subject, anchor).error <= self._error

    def barred(self, number: int) -> list[Pair]:
        """Return the pairs that do not meet in a match of this number, as it is the subject's.

        For an error, every other match is against the anchor, and all once the order is known.
        """
        subject, anchor = map(self._version, self._names)
        others = self._others()
        pairs = list(combinations(others, 2))
        if self._error is not None and subject is not None and (number % 2 or self._is_ordered()):
            pairs += [(subject, other) for other in others if other != anchor]
        return pairs

    def _is_ordered(self) -> bool:
        """Return whether it is known of all who are there whether the subject is stronger."""
        subject, _ = map(self._version, self._names)
        if subject is None:
            return False
        known = self._results.scores.known | self._results.scores.known.T
        return all(known[subject - 1, other - 1] for other in self._others())

    def _version(self, name: str) -> int | None:
        """Return the version of a player that is there; None if it is not."""
        for player, version in self._attendance.present.items():
            if self._attendance.players[player].name == name:
                return version.number
        return None

    def _others(self) -> list[int]:
        """Return the versions that are there of all but the subject."""
        present, subject = self._attendance.present.values(), self._version(self._names[0])
        return [version.number for version in present if version.number != subject]
