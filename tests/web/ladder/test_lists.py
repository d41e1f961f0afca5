"""The lists of a ladder's pages: who meets next, tests, matches; and what they refuse."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.day_changes import changes_since
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.scores_so_far import ScoreSoFar
from bridge_arena.web.ladder import lists
from bridge_arena.web.ladder.lists import page_of_matches, page_of_queue, page_of_tests
from bridge_arena.web.ladder.pages import leaderboard_page, state_of
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record
from tests.web.ladder.test_application import MARKUP, shown, store

__all__ = ["store"]


def played(folder: Path, matches: int) -> Path:
    """A ladder of three players after some matches."""
    path = folder / "results.sqlite"
    opened(path, ladder_file("baseline", "random", "natural")).close()
    level = venues(lambda event, unit: record(event, unit, 0))
    play(path, level, 2 * matches, concurrency=1)
    return path


async def test_lists_are_there_and_refuse_other_queries(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        for path in ("queue", "tests", "figures", "matches/", "matches/?player=1&against=2"):
            assert (await pages.get(f"/{path}")).status == 200
        again = await pages.get("/queue")
        kept = await pages.get("/queue", if_none_match=again.headers["etag"])
        assert (kept.status, kept.text) == (304, "")
        for path in (
            "tests?before=x",
            "tests?before=0",
            "tests?before=1&before=2",
            "matches/?before=-1",
            "matches/?before=1'%20OR%201=1",
            "matches/?player=9",
            "matches/?player=1&against=99",
            "matches/?player=" + "9" * 5000,
        ):
            assert (await pages.get(f"/{path}")).status == 404
        form = await pages.get("/matches/?player=&against=")
        assert "form-action 'self'" in form.headers["content-security-policy"]
        assert "form-action 'none'" in again.headers["content-security-policy"]


def test_a_pair_stands_once_in_the_queue(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("baseline", "random")).close()
    play(path, venues(lambda event, unit: record(event, unit, 0)), 12, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        page = page_of_queue(store, leaderboard(store))
    assert "also as" in page
    places = [int(place) for place in re.findall(r'<li value="(\d)">', page)]
    places += [
        int(place) for text in re.findall("also as ([^<]*)", page) for place in text.split(", ")
    ]
    assert sorted(places) == [1, 2, 3, 4, 5]


async def test_a_match_in_play_shows_no_board_of_one_room(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        text = (await pages.get("/")).text
        assert "Match 2</span>" in text
        assert "no board yet" in text
        assert 'href="matches/2/"' not in text
        assert "Match 2" not in (await pages.get("/matches/")).text


def test_a_match_in_play_shows_its_score(store: LadderStore) -> None:
    board, state = leaderboard(store), state_of(store)
    changes = changes_since(store, board, state.since)
    scores = {2: ScoreSoFar(1, 2, -3)}
    assert "1 of 2 boards, −3 IMPs" in leaderboard_page(state, board, changes, scores)


def test_lists_tell_neither_markup_nor_programs(tmp_path: Path) -> None:
    path = played(tmp_path, 6)
    with closing(LadderStore.open(path)) as store:
        player = Entrant(bot="cmd:/secret/program", name=MARKUP, dir="/secret")
        store.enter(Registration(player, MARKUP), Path("/secret"))
        version = store.add_version(4, "1")
        store.note_presence(4, version.number, is_there=True)
        players = store.players()
        store.tests.ask(players[4], players[1])
        board = leaderboard(store)
        for page in (page_of_queue(store, board), page_of_tests(store, board)):
            assert MARKUP not in page
            assert "&lt;script&gt;document" in page
            assert "secret" not in page


def test_matches_come_in_pages_and_are_found_by_two_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "ON_PAGE", 4)
    path = played(tmp_path, 6)
    with closing(LadderStore.open(path)) as store:
        board = leaderboard(store)
        first = page_of_matches(store, board)
        assert first is not None
        assert 'href="?before=3"' in first
        rest = page_of_matches(store, board, before=3)
        assert rest is not None
        assert [f">Match {number}<" in rest for number in range(1, 4)] == [True, True, False]
        assert "Earlier matches</a>" not in rest
        teams = {match.number: {*match.versions} for match in store.latest_matches(6)}
        both = page_of_matches(store, board, player=1, against=2)
        assert both is not None
        for number, versions in teams.items():
            assert (f">Match {number}<" in both) == (versions == {1, 2})
        assert page_of_matches(store, board, player=99) is None


def test_a_test_is_drawn_between_its_bounds(tmp_path: Path) -> None:
    path = played(tmp_path, 3)
    with closing(LadderStore.open(path)) as store:
        players = store.players()
        store.tests.ask(players[1], players[2], "imp0=0 imp1=1")
        store.tests.ask(players[1], players[3])
        page = page_of_tests(store, leaderboard(store))
        assert "gain against random is nearer +0 (H0) or +1 IMPs/board (H1)" in page
        assert "M50.0 0H50.0V1H50.0z" in page
        assert "LLR 0.00 after 0 boards" in page
        one = page_of_tests(store, leaderboard(store), before=2)
        assert ("Test 1." in one, "Test 2." in one) == (True, False)
