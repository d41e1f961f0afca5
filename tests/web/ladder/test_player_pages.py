"""The pages of players and pairs: what they show, and what they refuse."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin

import pytest
from sqlalchemy import update

from bridge_arena.pbn.read.records import read_records
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.event_file import EventFileError
from bridge_arena.tournaments.ladder.ladder_file import Registration, parse_ladder
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import LadderMatchRow, LadderStyleRow
from bridge_arena.web.ladder import player_pages
from bridge_arena.web.ladder.player_pages import (
    page_of_earlier_matches,
    page_of_pair,
    page_of_player,
)
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record
from tests.web.ladder.test_application import MARKUP, shown, store

__all__ = ["store"]


def player(store: LadderStore, number: int) -> str:
    page = page_of_player(store, leaderboard(store), number=number)
    assert page is not None
    return page


def pair(store: LadderStore, first: int, second: int) -> str:
    page = page_of_pair(store, leaderboard(store), first=first, second=second)
    assert page is not None
    return page


def earlier(store: LadderStore, *players: int, before: int) -> str:
    page = page_of_earlier_matches(store, leaderboard(store), players=players, before=before)
    assert page is not None
    return page


def played(folder: Path, matches: int, *players: str) -> Path:
    """A ladder after some matches; the home team gains on each board."""
    path = folder / "results.sqlite"
    opened(path, ladder_file(*players)).close()
    gaining = venues(lambda event, unit: record(event, unit, 130 if unit.room == "Open" else 0))
    play(path, gaining, 2 * matches, concurrency=1)
    return path


@pytest.mark.slow
async def test_every_page_that_a_player_links_to_is_there(tmp_path: Path) -> None:
    path = await asyncio.to_thread(played, tmp_path, 7, "baseline", "random", "natural")
    with closing(LadderStore.open(path)) as store:
        async with shown(store, tmp_path) as pages:
            for address in ("/players/1/", "/pairs/1/2/", "/pairs/2/1/", "/players/1/?before=4"):
                page = await pages.get(address)
                assert page.status == 200
                links = {
                    urljoin(address, link) for link in re.findall('href="(/?[^"]+)"', page.text)
                }
                links = {link for link in links if "#" not in link and "static" not in link}
                assert len(links) > 8
                for link in links:
                    assert (await pages.get(link)).status in (200, 307), link


def test_a_player_shows_its_style_boards_and_conduct(tmp_path: Path) -> None:
    with closing(LadderStore.open(played(tmp_path, 6, "baseline", "random"))) as store:
        page = player(store, 1)
        assert "Opens in first seat" in page
        assert "At 24 tables" in page
        assert "No fault of the present version." in page
        assert "None of its matches has been audited." in page
        assert 'href="../../pairs/1/2/"' in page
        assert page.count("/boards/board-") == 12
        store.audits.add(1, {})
        assert "The audit has found nothing. 1 of its matches was audited." in player(store, 1)
        store.audits.accuse(1)
        assert "surely sees more than it should" in player(store, 1)
        assert "surely sees more than it should" not in player(store, 2)


def test_a_ladder_of_an_earlier_release_says_what_is_not_known(tmp_path: Path) -> None:
    with closing(LadderStore.open(played(tmp_path, 3, "baseline", "random"))) as store:
        engine, _ = store.place
        with statements(engine, "write") as connection:
            connection.execute(update(LadderMatchRow).values(swings=None))
            connection.execute(update(LadderStyleRow).values(results=1))
        page = player(store, 1)
        assert "nothing of this is known" in page
        assert "did not keep their boards’ swings" in page
        with statements(engine, "write") as connection:
            connection.execute(LadderStyleRow.__table__.delete())  # type: ignore[attr-defined]
        assert "Nothing is known yet" in player(store, 1)


def listed(page: str) -> list[int]:
    """The numbers of the matches in the list of a page."""
    return [int(number) for number in re.findall(">Match ([0-9]+)<", page)]


def test_matches_are_paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_pages, "LATEST", 2)
    with closing(LadderStore.open(played(tmp_path, 4, "baseline", "random"))) as store:
        for page in (player(store, 1), pair(store, 1, 2)):
            assert listed(page) == [4, 3]
            assert 'href="?before=3"' in page
        for players in ((1,), (1, 2), (2, 1)):
            for before, numbers in ((4, [3, 2]), (3, [2, 1]), (2, [1]), (1, [])):
                page = earlier(store, *players, before=before)
                assert listed(page) == numbers
                assert ('href="?before=2"' in page) == (before == 4)
                assert page.count("Earlier matches</a>") == (before == 4)


def test_a_pair_is_seen_from_its_first_player(tmp_path: Path) -> None:
    with closing(LadderStore.open(played(tmp_path, 4, "baseline", "random", "natural"))) as store:
        page = pair(store, 1, 2)
        assert '<link rel="canonical" href="../../1/2/">' in page
        assert '<link rel="canonical" href="../../1/2/">' in pair(store, 2, 1)
        assert "Running total" in page
        assert "Seen from" in page
        assert "Common opponents" in page


async def test_pages_of_nobody_and_other_queries_are_not_there(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        for path in (
            "players/9/",
            "players/0/",
            "players/-1/",
            "players/%D9%A3/",
            "players/" + "9" * 5000 + "/",
            "players/1/?before=x",
            "players/1/?before=1&before=2",
            "players/1/?before=1%20OR%201=1",
            "players/9/boards.pbn",
            "players/x/boards.pbn",
            "players/1/boards.pbn?before=x",
            "pairs/1/1/",
            "pairs/1/9/",
            "pairs/9/1/",
            "pairs/01/2/",
            "pairs/1/2'/",
            "pairs/1/2/?before=0",
            "pairs/1/1/?before=9",
            "pairs/1/9/?before=9",
            "players/9/?before=9",
        ):
            assert (await pages.get(f"/{path}")).status == 404, path


async def test_a_file_has_the_boards_of_a_players_matches_and_none_that_is_played(
    store: LadderStore, tmp_path: Path
) -> None:
    store.enter(
        Registration(Entrant(bot="cmd:/secret/program", name="Ann", dir="/secret")), tmp_path
    )
    assert [match.number for match in store.open_matches()] == [2]
    async with shown(store, tmp_path) as pages:
        file = await pages.get("/players/1/boards.pbn")
        assert file.status == 200
        assert file.headers["content-disposition"] == 'attachment; filename="player-1.pbn"'
        events = [one.event for one in read_records(BytesIO(file.text.encode()))]
        assert events == ["Club 1"] * 4
        assert "secret" not in file.text
        kept = await pages.get("/players/1/boards.pbn", if_none_match=file.headers["etag"])
        assert kept.status == 304
        empty = await pages.get("/players/1/boards.pbn?before=1")
        assert list(read_records(BytesIO(empty.text.encode()))) == []


def test_a_file_has_no_more_boards_than_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_pages, "MOST_BOARDS", 5)
    with closing(LadderStore.open(played(tmp_path, 4, "baseline", "random"))) as store:
        files = player_pages.BoardFiles(store, lambda: leaderboard(store), asyncio.Event())
        matches = store.archive.latest(20, [1])
        assert list(player_pages._as_many_as_fit(matches)) == [4, 3]
        assert files._made(9, None) is None
        monkeypatch.setattr(player_pages, "MOST_BOARDS", 1)
        assert list(player_pages._as_many_as_fit(matches)) == [4]


async def test_no_page_of_a_pair_has_the_names_of_strangers_as_markup(tmp_path: Path) -> None:
    long = MARKUP * 270
    file = ("[ladder]", "name = 'Club'", "[[player]]", "bot = 'random'", "[[player]]")
    named = (*file, "bot = 'baseline'", f"name = '{'W' * 10_000}'")
    with pytest.raises(EventFileError, match="player 2, name"):
        parse_ladder("\n".join(named), Path("club.toml"))
    path = tmp_path / "results.sqlite"
    with closing(opened(path, ladder_file("baseline", "random"))) as store:
        store.set_state("random", State.RETIRED)
        store.enter(Registration(Entrant(bot="natural", name=MARKUP), MARKUP))
        store.enter(Registration(Entrant(bot="natural", name=long), long))
        store.note_presence(4, store.add_version(4, long).number, is_there=False)
        store.set_state(long, State.RETIRED)
    level = venues(lambda event, unit: record(event, unit, 0))
    await asyncio.to_thread(play, path, level, 8, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        of_pairs = pair(store, 1, 3), pair(store, 4, 1), earlier(store, 3, 4, before=9)
        for page in (player(store, 1), player(store, 3), player(store, 4), *of_pairs):
            assert MARKUP not in page
            assert "&lt;script&gt;document.title" in page
