"""The pages of a ladder as plain files: all links lead somewhere, and nothing secret is there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.ladder import lists, site
from bridge_arena.web.ladder.site import write_ladder
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record
from tests.web.ladder.test_application import MARKUP, store

__all__ = ["store"]


def dead_links(folder: Path) -> list[str]:
    """The links and files of pages that lead to no file of the folder."""
    dead = []
    for page in folder.rglob("*.html"):
        for name in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text()):
            is_up = name.endswith("../index.html") and page.parent == folder
            target = page.parent / unquote(name)
            is_there = target.is_file() or not target.resolve().is_relative_to(folder.resolve())
            if not is_there and not is_up and not name.startswith("data:"):
                dead.append(f"{page.relative_to(folder)}: {name}")
    return dead


def test_all_links_of_a_site_lead_to_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "MATCHES", 4)
    monkeypatch.setattr(site, "PAIRS", 2)
    for module in (lists, site):
        monkeypatch.setattr(module, "ON_PAGE", 3)
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("baseline", "random", "natural")).close()
    level = venues(lambda event, unit: record(event, unit, 0))
    play(path, level, 2 * 6, concurrency=1)
    folder = tmp_path / "site" / "Club"
    with closing(LadderStore.open(path)) as store:
        players = store.players()
        store.tests.ask(players[1], players[2])
        steps: dict[str, int] = {}
        written: list[str] = []

        def begin(what: str, pages: int) -> Callable[[], None]:
            steps[what] = pages
            return partial(written.append, what)

        write_ladder(store, folder, begin)
    assert dead_links(folder) == []
    assert Counter(written) == steps
    assert steps["boards of matches"] == 4
    assert not (folder / "queue.html").exists()
    assert "in play" not in (folder / "index.html").read_text()
    # What is not written is named without a link.
    assert {file.parent.name for file in folder.glob("matches/*/index.html")} == {*"3456"}
    assert len(list(folder.glob("pairs/*/*/index.html"))) == 2
    assert ">Match 3</a>" in (folder / "matches" / "before-4.html").read_text()
    first = (folder / "index.html").read_text()
    assert "Match 2" in first
    assert ">Match 2</a>" not in first
    assert (
        '<a href="before-4.html">Earlier matches</a>'
        in (folder / "matches" / "index.html").read_text()
    )
    assert 'href="../index.html">All events</a>' in first


def test_a_site_has_no_board_of_a_match_in_play(store: LadderStore, tmp_path: Path) -> None:
    player = Entrant(bot="cmd:/secret/program", name=MARKUP, dir="/secret")
    store.enter(Registration(player, MARKUP), Path("/secret"))
    store.note_presence(3, store.add_version(3, "1").number, is_there=True)
    folder = tmp_path / "site"
    write_ladder(store, folder)
    assert [file.parent.name for file in folder.glob("matches/*/index.html")] == ["1"]
    for file in folder.rglob("*.*"):
        if file.is_file() and "static" not in file.parts:
            text = file.read_text()
            assert "secret" not in text
            assert MARKUP not in text
