"""The queue of a ladder: it says what the ladder then draws, why, and who waits."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.queue import NEXT, Queue, queue_of
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.pairing import Reason
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOTS = ("baseline", "random", "natural", "qtable")
BOARDS = 2


def drawn(event: Event, unit: Unit) -> BoardRecord:
    return record(event, unit, 0)


def queue(path: Path) -> Queue:
    with closing(LadderStore.open(path)) as store:
        return queue_of(store, leaderboard(store))


def ladder(folder: Path, *bots: str) -> Path:
    path = folder / "results.sqlite"
    opened(path, ladder_file(*bots, boards=BOARDS)).close()
    return path


@pytest.mark.slow
def test_the_queue_says_what_is_drawn_next(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS)
    play(path, venues(drawn), 4 * BOARDS, concurrency=1)
    reasons = set()
    for number in range(4, 10):
        expected = queue(path).matches
        assert len(expected) == NEXT
        reasons |= {one.meeting.reason for one in expected}
        play(path, venues(drawn), BOARDS, concurrency=1)
        with closing(LadderStore.open(path)) as store:
            (match,) = store.latest_matches(1)
        assert (match.number, match.versions) == (number + 1, expected[0].meeting.teams)
    assert reasons == {Reason.SETTLES, Reason.FEWEST}


def test_a_match_of_the_queue_tells_what_is_known_of_its_teams(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS[:2])
    play(path, venues(drawn), 4 * BOARDS, concurrency=1)
    first, *_ = queue(path).matches
    assert first.boards == first.boards_of_fewest == 4 * BOARDS
    gain, error = first.likely
    assert gain == 0
    assert 0 < error < 5


def test_a_test_has_its_place_in_the_queue(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS)
    play(path, venues(drawn), 6 * BOARDS, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        players = {player.name: player for player in store.players().values()}
        test = store.tests.ask(players["natural"], players["qtable"])
    shown = queue(path)
    assert [one.test.number for one in shown.tests] == [test.number]
    of_test = [one for one in shown.matches if one.test == test]
    assert 1 <= len(of_test) <= 2
    for one in of_test:
        assert one.meeting.reason is Reason.TEST
        assert {*one.meeting.teams} == {*test.versions}
    # Nobody else meets either of them while it is the test's turn.
    with closing(LadderStore.open(path)) as store:
        store.set_state("natural", State.PAUSED)
    assert not any(one.test for one in queue(path).matches)


def test_who_is_at_play_is_free_when_the_oldest_match_ends(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS)
    play(path, venues(drawn), 2 * BOARDS, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        store.draw(1, 2)
        store.draw(3, 4)
    first, second, *_ = queue(path).matches
    assert {*first.meeting.teams} == {1, 2}
    assert {*second.meeting.teams} == {3, 4}


def test_a_player_who_is_gone_is_named_with_its_match_and_meets_nobody(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS)
    play(path, venues(drawn), 2 * BOARDS, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        match = store.draw(1, 2)
        store.note_presence(2, 2, is_there=False)
    shown = queue(path)
    assert [(one.number, one.gone) for one in shown.adjourned] == [(match.number, ("random",))]
    assert shown.matches
    assert not any(2 in one.meeting.teams for one in shown.matches)


def test_nobody_meets_nobody(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS)
    assert queue(path) == Queue((), (), (), ())


def test_a_match_of_a_version_that_came_since_is_left_out(tmp_path: Path) -> None:
    path = ladder(tmp_path, *BOTS)
    play(path, venues(drawn), 2 * BOARDS, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        board = leaderboard(store)
        store.draw(1, 2)
        store.draw(store.add_version(1, "new").number, 2)
        assert queue_of(store, board).matches
