"""The status of a ladder, as far as everybody may know it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from bridge_arena.tournaments.ladder.day_changes import changes_since
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore, PlacesOfMatches
from bridge_arena.web.ladder.pages import pages_of, state_of
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record


def status(store: LadderStore) -> str:
    board, state = leaderboard(store), state_of(store)
    return pages_of(state, board, changes_since(store, board, state.since), {})["status"]


def test_the_status_names_adjourned_matches_and_how_many_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("baseline", "random", "natural")).close()
    level = venues(lambda event, unit: record(event, unit, 0))
    play(path, level, 4, concurrency=3)
    with closing(LadderStore.open(path)) as store:
        assert store.places() == PlacesOfMatches(3, 0)
        assert "Nobody plays the ladder: 0 matches in play, 0 adjourned" in status(store)
        assert "Up to" not in status(store)
        store.draw(1, 2)
        store.note_presence(2, 2, is_there=False)
        store.note_places(PlacesOfMatches(1, 16))
        with store.locked():
            page = status(store)
    assert "The ladder is being played: 0 matches in play, 1 adjourned, 2 of 3 players" in page
    assert "is adjourned: <bdi>random</bdi> is gone" in page
    assert "Up to 1 match at once is played on the ladder's own machine" in page
    assert "and 16 by the workers of its cluster" in page
