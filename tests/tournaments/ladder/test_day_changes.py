"""What has changed on a ladder since a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update

from bridge_arena.tournaments.ladder.day_changes import Changes, changes_since
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.store.models import LadderVersionRow
from tests.tournaments.ladder.ladders import ladder_file, opened

EARLIER, NOW, LATER = (f"2026-11-{day}T12:00:00+00:00" for day in (20, 28, 29))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    """A ladder of three players who came long ago; the first has beaten the second lately."""
    file = ladder_file("baseline", "random", "natural")
    with closing(opened(tmp_path / "results.sqlite", file)) as store:
        for number in (1, 2, 3):
            store.add_version(number, "1")
            store.note_presence(number, number, is_there=True)
        with store._session("write") as session:
            session.execute(update(LadderVersionRow).values(since=EARLIER))
        end_match(store, (2, 3), EARLIER)
        end_match(store, (1, 2), NOW)
        yield store


def end_match(store: LadderStore, teams: tuple[int, int], time: str) -> None:
    """Have one version beat another by 3 IMPs on each of 200 boards."""
    sums = PairSums(tuple(200 * (imps == 3) for imps in SWINGS), 1, 1, 2.0)
    match = store.draw(*teams)
    store.end(match, sums, Scores(3, {}).add(teams, sums), {}, time)


def changes(store: LadderStore, since: str) -> Changes:
    return changes_since(store, leaderboard(store), since)


def test_boards_that_were_played_are_counted_from_the_moment_on(store: LadderStore) -> None:
    assert (changes(store, NOW).matches, changes(store, NOW).boards) == (1, 200)
    assert changes(store, EARLIER).boards == 400
    assert changes(store, LATER) == Changes(LATER, 0, 0, (), (), ())


def test_a_rank_got_surer_where_fewer_are_possible(store: LadderStore) -> None:
    surer = changes(store, NOW).surer
    # It was known that the second is stronger than the third.
    assert [(one.row.player.name, one.before, one.row.rank) for one in surer] == [
        ("baseline", (1, 3), (1, 1)),
        ("random", (1, 2), (2, 2)),
        ("natural", (2, 3), (3, 3)),
    ]
    assert [one.ruled_out for one in surer] == [2, 1, 1]


def test_who_came_is_told_apart_from_who_came_in_a_new_version(store: LadderStore) -> None:
    version = store.add_version(2, "2")
    store.note_presence(2, version.number, is_there=True)
    seen = changes(store, NOW)
    assert ([row.player.name for row in seen.renewed], seen.came) == (["random"], ())
    assert "random" not in {one.row.player.name for one in seen.surer}
    everything = changes(store, "2026")
    assert {row.player.name for row in everything.came} == {"baseline", "random", "natural"}


def test_the_rank_of_a_newcomer_gets_surer_from_any_rank_on(store: LadderStore) -> None:
    surer = changes(store, "2026").surer
    assert [(one.row.player.name, one.before, one.row.rank) for one in surer] == [
        ("baseline", (1, 3), (1, 1)),
        ("random", (1, 3), (2, 2)),
        ("natural", (1, 3), (3, 3)),
    ]
