"""Tests of a ladder: whether one version is better than another, as its author wants to know.

A test counts the boards of all matches between its two versions that are drawn after it was asked
for. It looks after each match, so the order of a match's boards does not matter, and 49 numbers are
all that is kept of it. Why a match was drawn does not matter either: what counts is the sequence of
the boards of these two versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bridge_arena.tournaments.ladder.strength.sums import SWINGS, Pair, PairSums
from bridge_arena.tournaments.statistics.sequential import (
    Progress,
    Sprt,
    Verdict,
    ratio_text,
    verdict_text,
)

SHARE = 3
"""One match in so many is for a test, while there is one whose versions are there."""

GAP = 60.0
"""The seconds for which a version is waited for that was there: between two matches it may have to
connect again."""


class Outcome(StrEnum):
    """What came of a test."""

    OPEN = "open"  # it goes on
    H0 = "H0"  # the mean swing is that of H0
    H1 = "H1"
    WITHDRAWN = "withdrawn"
    VOID = "void"  # a player changed or does not come back


_OUTCOMES = {
    Verdict.GO_ON: Outcome.OPEN,
    Verdict.ACCEPT_H0: Outcome.H0,
    Verdict.ACCEPT_H1: Outcome.H1,
}

_NO_VERDICT = {
    Outcome.WITHDRAWN: "was withdrawn",
    Outcome.VOID: "has no verdict, as a player changed or does not come back",
}


@dataclass(frozen=True, slots=True)
class LadderTest:
    """A test of a ladder."""

    number: int  # its number in the ladder, from 1
    new: int  # the number of the version that may be better
    base: int  # the number of the version that it is compared with
    sprt: Sprt
    last_match: int  # the number of the last match that was drawn before it
    began: str  # when it was asked for, in ISO 8601
    swings: tuple[int, ...]  # the numbers of its boards by `SWINGS`, seen from the new version
    outcome: Outcome
    ended: str | None  # when it ended, in ISO 8601; None while it is open
    author: str = ""  # the author who asked for it; "" for the administrator

    @property
    def versions(self) -> tuple[int, int]:
        """The two versions."""
        return self.new, self.base

    @property
    def pair(self) -> Pair:
        """The two versions, the one that came first in front."""
        return min(self.versions), max(self.versions)

    def leaves(self, free: Sequence[int]) -> Sequence[int]:
        """Return who of the free versions may be drawn while it is the test's turn.

        They are its own two, or all others while one of them is not free.
        """
        both = [version for version in free if version in self.versions]
        return both if len(both) == 2 else [version for version in free if version not in both]

    def with_match(self, sums: PairSums) -> LadderTest:
        """Return the test after a match, whose sums are seen from the new version."""
        swings = tuple(a + b for a, b in zip(self.swings, sums.swings, strict=True))
        after = replace(self, swings=swings)
        return replace(after, outcome=_OUTCOMES[after.progress.verdict])

    @property
    def progress(self) -> Progress:
        """How far the test has come."""
        progress = Progress(self.sprt)
        for swing, boards in zip(SWINGS, self.swings, strict=True):
            progress.count(swing, boards)
        progress.look()
        return progress

    def text(self, new: str, base: str) -> str:
        """Return how it stands in a line, by the names of the two players."""
        progress = self.progress
        ratio = ratio_text(self.sprt, progress.verdict, progress.boards, progress.llr)
        return f"test {self.number}. {self.verdict(new, base)}. {ratio}"

    def verdict(self, new: str, base: str) -> str:
        """Return what it says so far, or in the end, by the names of the two players."""
        if self.outcome in _NO_VERDICT:
            return f"{new} against {base} {_NO_VERDICT[self.outcome]}"
        return verdict_text(self.sprt, self.progress.verdict, new, base)


class Turns:
    """Which matches are for tests, in the order in which they were asked for.

    The versions of the test whose turn it is begin no other match until they can meet, as both are
    seldom free at the same time by chance.
    """

    def __init__(self) -> None:
        # When a version was there last, in seconds.
        self._there: dict[int, float] = {}

    def turn(
        self,
        tests: Iterable[LadderTest],
        there: Iterable[int],
        playing: Collection[Pair],
        latest: Iterable[Pair],
        now: float,
    ) -> LadderTest | None:
        """Return the test whose turn it is; None if the next match is for none.

        Args:
            tests: The tests that are open.
            there: The versions that are there.
            playing: The pairs that are at play, or whose match is to go on.
            latest: The pairs of the last `SHARE` - 1 matches.
            now: The time in seconds.
        """
        self._there |= dict.fromkeys(there, now)
        tests = list(tests)
        if {test.pair for test in tests}.isdisjoint(latest):
            for test in tests:
                gaps = (now - self._there.get(version, -GAP) for version in test.versions)
                if test.pair not in playing and max(gaps) < GAP:
                    return test
        return None
