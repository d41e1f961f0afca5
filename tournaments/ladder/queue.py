"""The queue of a ladder: who is expected to meet next, and why.

It is drawn as the runner of the ladder draws, from what is in the store. The results of matches in
play are not known yet, so it is what will happen only if they change nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from bridge_arena.tournaments.ladder.leaderboard import AdjournedMatch, LadderBoard, ShownTest
from bridge_arena.tournaments.ladder.players import State, authors_of
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore, pair_of
from bridge_arena.tournaments.ladder.strength.pairing import Meeting, Reason
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sequential_tests import (
    SHARE,
    LadderTest,
    Outcome,
    Turns,
)
from bridge_arena.tournaments.ladder.strength.sums import Pair

NEXT = 5
"""The most matches of the queue."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A match that is expected to be drawn."""

    meeting: Meeting
    test: LadderTest | None  # the test that asks for it
    boards: int  # the boards that its versions have played against each other
    likely: tuple[float, float]  # what the home team is likely to gain, and the standard error
    fewest: int  # the version that has played fewer boards
    boards_of_fewest: int


@dataclass(frozen=True, slots=True)
class Queue:
    """Who is expected to meet next, and who waits for whom."""

    matches: tuple[NextMatch, ...]
    adjourned: tuple[AdjournedMatch, ...]
    tests: tuple[ShownTest, ...]  # those that are open
    waiting: tuple[int, ...]  # the versions that have played far more boards than others


def queue_of(store: LadderStore, board: LadderBoard) -> Queue:
    """Return the queue of a ladder. Raises StoreError."""
    begun = [match for match in store.open_matches() if board.knows(match.versions)]
    number = store.count_matches()
    key, latest = store.definition().lots_key, store.latest_matches(SHARE - 1)
    scores, players, versions = board.scores, board.players, board.versions
    scores.keep(
        player.version for player in players.values() if player.stays and player.version is not None
    )
    authors = authors_of(versions.values(), players)
    able = [
        player.version
        for player in players.values()
        if player.is_there and player.state is State.ACTIVE and player.version is not None
    ]
    adjourned = {match.number for match in board.adjourned}
    tests = [one for one in board.tests if one.test.outcome is Outcome.OPEN]
    barred = [pair_of(match) for match in begun if match.number in adjourned]
    # The match that began first is expected to end first; those of the queue begin behind it.
    playing = deque(pair_of(match) for match in begun if match.number not in adjourned)
    to_end = len(playing)
    drawn: deque[Pair] = deque(map(pair_of, latest), maxlen=SHARE - 1)
    drawn.reverse()
    turns = Turns()
    matches: list[NextMatch] = []
    waiting: tuple[int, ...] = ()
    while len(matches) < NEXT:
        if to_end:
            playing.popleft()
            to_end -= 1
        busy = {version for pair in playing for version in pair}
        free = [version for version in able if version not in busy]
        at_play = [*barred, *playing]
        test = turns.turn([one.test for one in tests], able, at_play, drawn, 0)
        left = free if test is None else test.leaves(free)
        meeting = scores.next_match(left, at_play, key, number + 1, authors)
        if meeting is None:
            if not playing:
                break
            to_end = to_end or 1  # one more must end before the next one begins
            continue
        number += 1
        pair = min(meeting.teams), max(meeting.teams)
        matches.append(
            _next_match(scores, meeting, test if test is not None and test.pair == pair else None)
        )
        waiting = waiting or meeting.waiting
        playing.append(pair)
        drawn.append(pair)
    return Queue(tuple(matches), board.adjourned, tuple(tests), waiting)


def _next_match(scores: Scores, meeting: Meeting, test: LadderTest | None) -> NextMatch:
    fewest = min(meeting.teams, key=lambda version: scores.figures(version).boards)
    return NextMatch(
        meeting if test is None else replace(meeting, reason=Reason.TEST),
        test,
        scores.boards_between(*meeting.teams),
        scores.likely(*meeting.teams),
        fewest,
        scores.figures(fewest).boards,
    )
