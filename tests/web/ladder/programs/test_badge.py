"""The badge of a player: a picture of its name and ranks that stands alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, leaderboard
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.ladder.programs.badge import badge_of
from tests.tournaments.ladder.ladders import ladder_file, opened
from tests.web.ladder.test_application import MARKUP, shown, store

__all__ = ["store"]

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def board(store: LadderStore) -> LadderBoard:
    return leaderboard(store)


def named(board: LadderBoard, name: str) -> LadderBoard:
    """The leaderboard, with another name of its first player."""
    first, *others = board.ranked
    entrant = first.player.entrant.model_copy(update={"name": name})
    player = replace(first.player, entrant=entrant)
    return replace(board, ranked=(replace(first, player=player), *others))


def texts(badge: str | None) -> list[str]:
    assert badge is not None
    return [one.text or "" for one in ElementTree.fromstring(badge).iter(f"{SVG}text")]


def test_it_has_the_name_and_the_ranks(board: LadderBoard) -> None:
    number = board.ranked[0].player.number
    badge = badge_of(board, number)
    assert texts(badge) == ["baseline", "1–2 of 2"]
    picture = ElementTree.fromstring(str(badge))
    assert picture.get("aria-label") == "baseline: 1–2 of 2"
    assert not {"href", "style", "class"} & {key for one in picture.iter() for key in one.attrib}
    assert badge_of(board, 99) is None


@pytest.mark.parametrize(
    ("name", "shown_as"),
    [
        (MARKUP, "<script>document.title = 1</…"),
        ('"/><g onload="x"/>', '"/><g onload="x"/>'),
        ("x" * 10_000, "x" * 28 + "…"),
        ("橋" * 100, "橋" * 14 + "…"),
        ("a" + "\u0301" * 1000, "a" + "\u0301" * 59 + "…"),
        ("a\x00b\x0b\u202ec\ud800", "a b  c "),
        ("", ""),
    ],
)
def test_any_name_makes_a_picture(board: LadderBoard, name: str, shown_as: str) -> None:
    first = board.ranked[0].player.number
    badge = badge_of(named(board, name), first)
    assert texts(badge)[0] == shown_as
    picture = ElementTree.fromstring(str(badge))
    assert int(picture.get("width", "")) < 350
    assert {one.tag for one in picture.iter()} <= {
        SVG + name for name in ("svg", "title", "rect", "path", "g", "text")
    }


def test_who_has_no_rank_has_its_state(store: LadderStore) -> None:
    store.set_state("random", State.BANNED)
    assert texts(badge_of(leaderboard(store), 2)) == ["random", "banned"]


async def test_it_is_served_for_pages_of_others(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        await pages.get("/")
        answer = await pages.get("/players/1/badge.svg")
        assert answer.status == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "public, max-age=300"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        tag = answer.headers["etag"]
        again = await pages.get("/players/1/badge.svg", if_none_match=f'W/"x", {tag}')
        assert (again.status, again.text) == (304, "")
        for number in ("3", "0", "-1", "x", "9" * 5000, "%D9%A1", "1%27"):
            assert (await pages.get(f"/players/{number}/badge.svg")).status == 404


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[LadderStore]:
    with closing(opened(tmp_path / "results.sqlite", ladder_file("baseline", "random"))) as store:
        yield store


def test_who_has_not_come_has_none(empty: LadderStore) -> None:
    assert badge_of(leaderboard(empty), 1) is None
