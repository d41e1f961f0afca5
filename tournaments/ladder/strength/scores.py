"""What is known of the strengths of all versions on a ladder, kept up match by match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.common_opponents import CELLS, OPPONENTS, curves
from bridge_arena.tournaments.ladder.strength.pairing import Meeting, Pairing, Totals
from bridge_arena.tournaments.ladder.strength.ranks import (
    Orders,
    Standing,
    circles,
    evidence_needed,
    proved,
    through_common_opponents,
)
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, Numbers, Pair, PairSums, Sums
from bridge_arena.tournaments.statistics.betting import evidence, intervals
from bridge_arena.tournaments.statistics.significance import two_sided_t

Floats = NDArray[np.float64]

SHARE = 0.95
"""The confidence of the ordinary intervals of ratings, and of those that hold at every look."""

_SQUARES = np.array(SWINGS) ** 2


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a version, in IMPs a board."""

    value: float
    # The half of its ordinary interval, which holds at a look that was fixed beforehand; None if
    # there are too few boards, and for the anchor itself.
    error: float | None


@dataclass(frozen=True, slots=True)
class Margin:
    """What a version gains against another, in IMPs a board."""

    mean: float  # the mean of their boards; 0 if there are none
    interval: tuple[float, float]  # it holds at every look, for these two versions alone
    boards: int

    @property
    def error(self) -> float:
        """The distance from the mean to the farther end of the interval."""
        low, high = self.interval
        return max(self.mean - low, high - self.mean)


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of matches and boards of a version, and what it did wrong."""

    matches: int
    boards: int
    left: int  # the boards that count against it, as it left them
    faults: int

    @property
    def left_share(self) -> float:
        """The share of the boards that it left."""
        return self.left / self.boards if self.boards else 0.0


class Scores:
    """The sums of all versions, and what they prove; versions have the numbers from 1 on."""

    def __init__(
        self, versions: int, sums: Mapping[Pair, PairSums], orders: Iterable[Pair] = ()
    ) -> None:
        self._boards = np.zeros((versions, versions))
        self._imps = np.zeros((versions, versions))
        self._squares = np.zeros((versions, versions))
        self._seconds = np.zeros((versions, versions))
        self._home = np.zeros((versions, versions))  # the matches of i against j at home
        self._left = np.zeros((versions, versions))  # the boards that i left against j
        self._faults = np.zeros((versions, versions))  # the faults of i against j
        self._evidence = np.zeros((versions, versions))
        # What is proved against the first versions, through which others are compared.
        self._against = np.zeros((versions, OPPONENTS, 2, CELLS))
        self._at_first = Sums.of(sums)
        self._count(self._at_first)
        known = np.zeros((versions, versions), dtype=bool)
        ahead, behind = np.array([*orders], np.int64).reshape(-1, 2).T - 1
        known[ahead, behind] = True
        # All that was ever proved, with what followed. It stays where it turns out to be a circle.
        self.known: Orders = known
        # Whether i is known to be stronger than j, and what follows from all that is known.
        self.ahead: Orders = ahead_by(known)
        # Whether each version may play again, so that its order is worth boards.
        self._stays = np.ones(versions, dtype=bool)
        # Both are None until they are asked for, which a leaderboard does not.
        self._standing: Standing | None = None
        self._pairing: Pairing | None = None

    @cached_property
    def _swings(self) -> dict[Pair, Numbers]:
        """The boards of each pair by swing, which a leaderboard does without."""
        return dict(zip(self._at_first, self._at_first.swings, strict=True))

    @property
    def versions(self) -> int:
        """The number of versions."""
        return len(self._boards)

    @property
    def matches(self) -> int:
        """The number of matches that are over."""
        return int(self._home.sum())

    @property
    def all_boards(self) -> int:
        """The number of boards of these matches."""
        return int(self._boards.sum() / 2)

    def figures(self, version: int) -> Figures:
        """Return the figures of a version against all others."""
        own = version - 1
        return Figures(
            int(self._home[own].sum() + self._home[:, own].sum()),
            int(self._boards[own].sum()),
            int(self._left[own].sum()),
            int(self._faults[own].sum()),
        )

    def opponents(self, version: int) -> list[int]:
        """Return the versions that have met one, in the order in which they came."""
        return [int(other) + 1 for other in np.flatnonzero(self._boards[version - 1])]

    def extend(self, versions: int) -> None:
        """Make room for versions that have come."""
        more = versions - self.versions
        for name in (
            "_boards",
            "_imps",
            "_squares",
            "_seconds",
            "_home",
            "_left",
            "_faults",
            "_evidence",
            "known",
        ):
            setattr(self, name, np.pad(getattr(self, name), (0, more)))
        self._against = np.pad(self._against, ((0, more), (0, 0), (0, 0), (0, 0)))
        self.ahead = np.pad(self.ahead, (0, more))
        self._stays = np.pad(self._stays, (0, more), constant_values=True)
        if self._standing is not None:
            self._standing = self._proved()
        self._pairing = None

    def keep(self, versions: Iterable[int]) -> None:
        """Let matches settle the orders of these versions alone: others do not play again."""
        stays = np.zeros(self.versions, dtype=bool)
        stays[[version - 1 for version in versions]] = True
        if (stays != self._stays).any():
            self._stays, self._pairing = stays, None

    def add(self, pair: Pair, sums: PairSums) -> list[Pair]:
        """Add the sums of a match; return what it proves: versions, each with a weaker one.

        In a circle the first beats the second, and is not `ahead` of it. The versions of the pair
        are in the order in which they came, and the sums seen from the first.
        """
        self._standing = self.standing()
        before = self._swings.get(pair, np.zeros(len(SWINGS), np.int64))
        self._swings[pair] = before + np.array(sums.swings, np.int64)
        self._count(Sums.of({pair: sums}))
        self._prove([pair])
        self._standing = self._proved([version - 1 for version in pair])
        self._pairing = None
        known = self._standing.known | self._standing.ahead
        proofs = np.argwhere(known & ~self.known) + 1
        self.known, self.ahead = known, self._standing.ahead
        return [(int(one), int(other)) for one, other in proofs]

    def standing(self) -> Standing:
        """Return what the sums prove."""
        if self._standing is None:
            if self._swings:
                self._prove(list(self._swings))
            self._standing = self._proved()
        return self._standing

    def next_match(
        self,
        free: Iterable[int],
        playing: Iterable[Pair],
        key: bytes,
        number: int,
        authors: Sequence[str] = (),
    ) -> Meeting | None:
        """Return which versions meet next, and why; None if none may.

        Args:
            free: The versions that are there and do not play.
            playing: The pairs that are at play.
            key: What decides where lots are drawn, with the number.
            number: The number of the match.
            authors: Who wrote each version, by number; without them each has its own author.
        """
        tables = np.zeros(self.versions, dtype=np.int64)
        tables[[version - 1 for version in free]] = 1
        if tables.sum() < 2:
            return None
        busy = np.zeros((self.versions, self.versions), dtype=bool)
        for one, other in playing:
            busy[one - 1, other - 1] = busy[other - 1, one - 1] = True
        meeting = self._choice().next_match(
            free=tables,
            authors=np.unique(authors or range(self.versions), return_inverse=True)[1],
            playing=busy,
            seconds=self._expected_seconds(),
            home=self._home.astype(np.int64),
            key=key,
            number=number,
        )
        if meeting is None:
            return None
        return replace(
            meeting,
            home=meeting.home + 1,
            visitors=meeting.visitors + 1,
            waiting=tuple(one + 1 for one in meeting.waiting),
        )

    def expected(self, one: int, other: int) -> float | None:
        """Return what a version is likely to gain against another, in IMPs a board.

        None if that is not known to an IMP, as one of them has hardly played.
        """
        gain, error = self.likely(one, other)
        return gain if error <= 1 else None

    def likely(self, one: int, other: int) -> tuple[float, float]:
        """Return what a version is likely to gain against another, and the standard error.

        Both are in IMPs a board, and by all boards of all versions.
        """
        likely, pair = self._choice().likely, (one - 1, other - 1)
        return float(likely.differences[pair]), sqrt(likely.errors[pair])

    def boards_between(self, one: int, other: int) -> int:
        """Return how many boards two versions have played against each other."""
        return int(self._boards[one - 1, other - 1])

    def _choice(self) -> Pairing:
        if self._pairing is None:
            totals = Totals(self._boards, self._imps, self._squares)
            self._pairing = Pairing(totals, self.standing(), self._stays)
        return self._pairing

    def margin(self, one: int, other: int) -> Margin:
        """Return what a version gains against another."""
        return self.margins([(one, other)])[0]

    def margins(self, pairs: Sequence[Pair]) -> list[Margin]:
        """Return what the first version of each pair gains against the second.

        All at once, which takes a tenth of the time that one after another does.
        """
        swings = np.array([self._swings_of(*pair) for pair in pairs]).reshape(-1, len(SWINGS))
        boards = swings.sum(axis=1)
        means = swings @ np.array(SWINGS) / np.maximum(1, boards)
        return [
            Margin(mean, (low, high), of_pair)
            for mean, (low, high), of_pair in zip(
                means.tolist(),
                intervals(swings, 1 - SHARE).tolist(),
                boards.tolist(),
                strict=True,
            )
        ]

    def ratings(self, anchor: int) -> list[Rating | None]:
        """Return the ratings against a version whose rating is 0, by number.

        They are fitted by least squares to all boards: the mean swing of two versions is the
        difference of their strengths. None for a version that no chain of boards connects with the
        anchor.
        """
        boards = self._boards.sum() / 2
        index, inverse = against(self._boards, anchor)
        ratings: list[Rating | None] = [None] * self.versions
        ratings[anchor - 1] = Rating(0.0, None)
        if not len(index):
            return ratings
        strengths = np.zeros(self.versions)
        strengths[index] = inverse @ self._imps.sum(axis=1)[index]
        fitted = strengths[:, None] - strengths
        # The sum of (swing - fitted)^2, once for each board.
        left = self._squares - 2 * fitted * self._imps + fitted**2 * self._boards
        degrees = boards - len(index)
        reach = None
        if degrees > 0:
            variance = max(0.0, float(left.sum()) / 2 / degrees)
            reach = two_sided_t(SHARE, degrees) * sqrt(variance)
        for version, share in zip(index, np.diag(inverse), strict=True):
            error = None if reach is None else reach * sqrt(share)
            ratings[version] = Rating(float(strengths[version]), error)
        return ratings

    def circles(self) -> list[tuple[list[int], list[Pair]]]:
        """Return the versions whose order no strengths explain, by circle, and who beats whom."""
        if not (self.known & ~self.ahead).any():
            return []
        round_about = circles(self.known)
        members = sorted({tuple(np.flatnonzero(row).tolist()) for row in round_about if row.any()})
        needs = evidence_needed(self.versions)
        return [
            (
                [own + 1 for own in circle],
                [
                    (one + 1, other + 1)
                    for one, other in permutations(circle, 2)
                    if evidence(self._swings_of(one + 1, other + 1)) >= needs[one, other]
                ],
            )
            for circle in members
        ]

    def _swings_of(self, one: int, other: int) -> Numbers:
        """Return the boards of two versions by swing, seen from the first."""
        pair = min(one, other), max(one, other)
        swings = self._swings.get(pair, np.zeros(len(SWINGS), np.int64))
        return swings if pair[0] == one else swings[::-1]

    def _prove(self, pairs: Sequence[Pair]) -> None:
        """Enter what the sums of pairs prove into the arrays."""
        one, other = np.array(pairs).T - 1
        swings = np.array([self._swings[pair] for pair in pairs], dtype=np.float64)
        for i, j, counts in ((one, other, swings), (other, one, swings[:, ::-1])):
            self._evidence[i, j] = evidence(counts)
            early = j < OPPONENTS
            self._against[i[early], j[early]] = curves(counts[early])

    def _proved(self, changed: Sequence[int] | None = None) -> Standing:
        """Return what is proved now that some versions have played."""
        alone = proved(self._evidence, self.known)
        return through_common_opponents(alone, self._boards > 0, self._against, changed)

    def _count(self, sums: Sums) -> None:
        """Add the sums of pairs to the arrays."""
        one, other = sums.pairs.T - 1
        boards, squares = sums.swings.sum(axis=1), sums.swings @ _SQUARES
        imps = sums.swings @ np.array(SWINGS)
        for i, j, side in ((one, other, 0), (other, one, 1)):
            self._boards[i, j] += boards
            self._imps[i, j] += imps if side == 0 else -imps
            self._squares[i, j] += squares
            self._seconds[i, j] += sums.seconds
            self._left[i, j] += sums.left[:, side]
            self._faults[i, j] += sums.faults[:, side]
        self._home[one, other] += sums.first_home
        self._home[other, one] += sums.matches - sums.first_home

    def _expected_seconds(self) -> Floats:
        """Return how long a match of each pair takes: as its own did, or those of both."""
        matches = self._home + self._home.T
        every = max(1e-3, self._seconds.sum()) / max(1.0, matches.sum())
        # One of the mean duration counts for each version, and one of theirs for each pair.
        own = (self._seconds.sum(axis=1) + every) / (matches.sum(axis=1) + 1)
        likely = (own[:, None] + own) / 2
        return np.asarray((self._seconds + likely) / (matches + 1))


def ahead_by(known: Orders) -> Orders:
    """Return what follows from who is known to be stronger than whom, of shape (n, n)."""
    return proved(np.full(known.shape, -np.inf), known).ahead


def against(boards: Floats, anchor: int) -> tuple[NDArray[np.int64], Floats]:
    """Return who is connected with a version by a chain of boards, and the inverse for a fit.

    Args:
        boards: The boards of i against j, of shape (n, n).
        anchor: The number of the version.

    Returns:
        The indices of those who are connected, without the version itself, and the matrix by which
        the sums of their IMPs become their strengths against it.
    """
    reached = np.zeros(len(boards), dtype=bool)
    reached[anchor - 1] = True
    while True:
        more = reached | (boards[reached] > 0).any(axis=0)
        if (more == reached).all():
            break
        reached = more
    reached[anchor - 1] = False
    index = np.flatnonzero(reached)
    matrix = np.diag(boards.sum(axis=1)) - boards
    return index.astype(np.int64), np.asarray(np.linalg.inv(matrix[np.ix_(index, index)]))
