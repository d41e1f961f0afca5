"""Pairing in a ladder: what it settles, that it is fair, and that it is the same each time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.pairing import (
    MOST_BOARDS,
    Likely,
    Meeting,
    Pairing,
    Reason,
    Totals,
    values,
)
from bridge_arena.tournaments.ladder.strength.ranks import proved
from bridge_arena.tournaments.statistics.betting import SWINGS, evidence


class Ladder:
    """A ladder of versions whose boards swing with a standard deviation of 5."""

    def __init__(self, strengths: list[float], seed: int = 1) -> None:
        self.strengths = strengths
        size = len(strengths)
        self.counts = np.zeros((size, size, 49), dtype=int)
        self.rng = np.random.default_rng(seed)
        self.seconds = np.ones((size, size))
        self.free = np.ones(size, dtype=int)
        self.authors = np.arange(size)
        self.stays = np.ones(size, dtype=bool)
        self.playing = np.zeros((size, size), dtype=bool)
        self.home = np.zeros((size, size), dtype=int)
        self.number = 0

    def play(self, one: int, other: int, boards: int = 16) -> None:
        chances = np.exp(-((SWINGS - self.strengths[one] + self.strengths[other]) ** 2) / 50)
        swings = self.rng.multinomial(boards, chances / chances.sum())
        self.counts[one, other] += swings
        self.counts[other, one] += swings[::-1]
        self.home[one, other] += 1
        self.number += 1

    def next(self) -> tuple[int, int] | None:
        meeting = self.meeting()
        return None if meeting is None else meeting.teams

    def meeting(self) -> Meeting | None:
        standing = proved(evidence(self.counts))
        return Pairing(Totals.of(self.counts), standing, self.stays).next_match(
            free=self.free,
            authors=self.authors,
            playing=self.playing,
            seconds=self.seconds,
            home=self.home,
            key=b"a ladder",
            number=self.number,
        )

    def go_on(self, matches: int) -> NDArray[np.int_]:
        """Play some matches, and return how often each pair met."""
        met = np.zeros(self.playing.shape, dtype=int)
        for _ in range(matches):
            pair = self.next()
            assert pair is not None
            self.play(*pair)
            met[pair] += 1
        return met + met.T


def test_a_pairing_follows_from_sums_key_and_number() -> None:
    one, other = Ladder([0, 1, 2, 3]), Ladder([0, 1, 2, 3])
    assert (one.go_on(30) == other.go_on(30)).all()


def test_only_who_is_there_and_not_at_the_same_table_meets() -> None:
    ladder = Ladder([0, 1, 2, 3])
    ladder.free = np.array([1, 0, 2, 1])
    ladder.playing[[0, 2], [2, 0]] = True
    for ladder.number in range(40):
        pair = ladder.next()
        assert pair is not None
        assert sorted(pair) in ([0, 3], [2, 3])
    ladder.playing[:] = True
    assert ladder.next() is None


def test_nobody_meets_itself() -> None:
    alone = Ladder([0])
    assert alone.next() is None


def test_everybody_is_the_home_team_as_often() -> None:
    ladder = Ladder([0, 1, 2])
    ladder.go_on(60)
    assert (abs(ladder.home - ladder.home.T) <= 1).all()


def test_open_orders_of_neighbours_are_worth_most() -> None:
    ladder = Ladder([6, 3, 0, -3])
    for one in range(4):
        for other in range(one):
            ladder.play(one, other, 16)
    ladder.play(0, 3, 100)
    ladder.play(2, 3, 200)
    likely, standing = Likely.of(Totals.of(ladder.counts)), proved(evidence(ladder.counts))
    worth = values(likely, standing, ladder.stays)
    assert (worth == worth.T).all()
    assert worth[0, 3] == 0
    assert worth[1, 2] > 0
    # Without what would follow for 3, a board of 1 and 2 is worth less.
    without = values(likely, standing, ladder.stays & [True, True, True, False])
    assert 0 < without[1, 2] < worth[1, 2]
    assert not without[3].any()


def test_boards_of_who_is_gone_make_nobody_wait() -> None:
    ladder = Ladder([0.0] * 12)
    for other in range(1, 4):
        ladder.play(0, other, 400)
    ladder.stays[4:] = False
    ladder.free = np.where(ladder.stays, 1, 0)
    # The mean of these four is 600, and that of all 200.
    assert ladder.go_on(12)[0].sum() > 0


def test_a_quick_match_is_preferred() -> None:
    ladder = Ladder([0, 0, 0])
    ladder.seconds = np.array([[1, 9, 9], [9, 1, 3], [9, 3, 1]])
    pairs = []
    for ladder.number in range(20):
        pair = ladder.next()
        assert pair is not None
        pairs.append(sorted(pair))
    assert pairs == [[1, 2]] * 20


def test_an_author_of_many_versions_has_a_share() -> None:
    """All versions of one author are equal, so that their order would take for ever."""
    ladder = Ladder([0.0] * 30 + [2.0, 4, 6, 8, 10, 12, 14, 16])
    ladder.authors = np.array([0] * 30 + [*range(1, 9)])
    boards = np.bincount(ladder.authors, ladder.go_on(150).sum(axis=1))
    assert boards[0] <= MOST_BOARDS * boards.mean() + 2
    assert boards[1:].min() > 0


def test_everybody_plays() -> None:
    """Two that are far below the others get their share, and a new version is soon among them."""
    ladder = Ladder([0, 0.2, 0.4, 0.6, -9, -12])
    met = ladder.go_on(200)
    boards = met.sum(axis=1)
    assert boards.min() > boards.mean() / 5
    assert boards.max() < MOST_BOARDS * boards.mean()


def test_a_choice_says_its_reason() -> None:
    ladder = Ladder([0, 0, 0, 0])
    for other in (1, 2):
        ladder.play(0, other)
    reasons: dict[Reason, set[int]] = {}
    for ladder.number in range(40):
        meeting = ladder.meeting()
        assert meeting is not None
        reasons.setdefault(meeting.reason, set()).update(meeting.teams)
    assert set(reasons) == {Reason.SETTLES, Reason.FEWEST}
    # The last version has played nothing.
    assert 3 in reasons[Reason.FEWEST]


def test_lots_are_drawn_once_all_orders_are_known() -> None:
    ladder = Ladder([0, 20])
    ladder.play(0, 1, boards=1000)
    meetings = [ladder.meeting() for ladder.number in range(10)]
    assert {meeting.reason for meeting in meetings if meeting} == {Reason.LOTS, Reason.FEWEST}


def test_a_choice_says_who_waits_as_it_has_played_far_more_than_others() -> None:
    ladder = Ladder([0, 0, 0, 0, 0, 0])
    for _ in range(10):
        ladder.play(0, 1, boards=200)
        ladder.play(0, 2, boards=1)
    ladder.stays[1] = False
    ladder.free[1] = 0
    meeting = ladder.meeting()
    assert meeting is not None
    assert meeting.waiting == (0,)
    ladder.free[3:] = 0
    meeting = ladder.meeting()
    assert meeting is not None
    assert (set(meeting.teams), meeting.waiting) == ({0, 2}, ())
