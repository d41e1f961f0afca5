"""The pages of players and pairs of a ladder, in a real browser, wide and narrow."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore, pair_of
from bridge_arena.tournaments.ladder.store.played_boards import PlayedBoards
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.style import Style
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from tests.end_to_end.arena import started
from tests.end_to_end.browsing import look, opened
from tests.end_to_end.serving import Served
from tests.tournaments.ladder.ladders import ladder_file

pytestmark = pytest.mark.slow

LONG = "<b>" + "W" * 90


def filled(folder: Path) -> None:
    """Make a ladder of three players; one has a long name, and comes in a second version."""
    folder.mkdir()
    file = ladder_file("baseline", "random")
    style = Style(auctions=8, calls=70, first_chances=2, first_openings=1, results=8, illegal=1)
    with closing(LadderStore.open(folder / "results.sqlite", file.definition)) as store:
        for name in ("baseline", LONG, "random"):
            store.enter(Registration(Entrant(bot="random", name=name)))
        scores = Scores(0, {})
        for home, visitors in [(1, 2), (1, 3), (2, 3), (4, 1), (4, 3), (1, 4)] * 3:
            while scores.versions < max(home, visitors):
                player = (1, 2, 3, 2)[scores.versions]
                version = store.add_version(player, f"0.2.0 {scores.versions}").number
                store.note_presence(player, version, is_there=True)
                scores.extend(version)
            match = store.draw(home, visitors)
            swings = (5, -2, 0, home - visitors)
            sums = PairSums(tuple(swings.count(swing) for swing in SWINGS), 1, 1, 9.0)
            pair = pair_of(match)
            orders = scores.add(pair, sums if home == pair[0] else sums.turned())
            store.end(match, sums, orders, played=PlayedBoards(swings, (style, style)))


def test_a_player_leads_to_its_pairs(tmp_path: Path, browser: Browser) -> None:
    filled(tmp_path / "run")
    with started(tmp_path, "ladder", "web", "run") as process:
        home = Served(process).read_until(r"watch it at (http\S+/)")[1]
        for page in ("players/2/", "pairs/2/1/"):
            look(browser, home + page, home)
        with opened(browser, f"{home}players/2/", 390) as shown:
            expect(shown.page.get_by_role("heading", level=1)).to_have_text(LONG)
            expect(
                shown.page.get_by_role("img", name="The ratings of the versions")
            ).to_be_visible()
            expect(shown.page.get_by_role("row", name="Opens in first seat")).to_contain_text(
                "50 %"
            )
            opponent = shown.page.get_by_role("row").filter(
                has=shown.page.get_by_role("link", name="baseline", exact=True)
            )
            opponent.locator("a[href*=pairs]").click()
            expect(shown.page).to_have_url(f"{home}pairs/2/1/")
            expect(shown.page.get_by_role("img", name="The running total")).to_be_visible()
            shown.page.get_by_role("link", name="Seen from baseline").click()
            expect(shown.page).to_have_url(f"{home}pairs/1/2/")
            with shown.page.expect_download() as download:
                shown.page.goto(f"{home}players/1/")
                shown.page.get_by_role("link", name="Boards of these matches as PBN").click()
            assert download.value.suggested_filename == "player-1.pbn"
            assert not shown.complaints, shown.complaints
