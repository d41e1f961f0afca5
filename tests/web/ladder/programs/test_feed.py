"""The Atom feed of a ladder: what it tells, and that any reader can read it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID
from xml.etree import ElementTree

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import Proof
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.ladder.strength.weeks import Performance
from bridge_arena.web.ladder.programs.feed import MOST_ENTRIES, feed_of
from tests.tournaments.ladder.ladders import ladder_file, opened
from tests.web.ladder.test_application import MARKUP, shown, store

__all__ = ["store"]

ATOM = "{http://www.w3.org/2005/Atom}"
LATER = "2031-01-02T03:04:05+00:00"

ADDRESS = "https://ladder.example.org/"


def checked(text: bytes) -> list[dict[str, str]]:
    """The entries of a feed that has all that RFC 4287 asks for."""
    feed = ElementTree.fromstring(text)
    assert feed.tag == f"{ATOM}feed"
    # Sections 4.1.1 and 4.1.2: exactly one of each, a link to itself, and an author for all.
    for parent in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (one,) = parent.findall(ATOM + name)
            assert one.text
        assert UUID(parent.findtext(f"{ATOM}id", "").removeprefix("urn:uuid:"))
        assert datetime.fromisoformat(parent.findtext(f"{ATOM}updated", "")).tzinfo is not None
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    relations = [link.get("rel") for link in feed.findall(f"{ATOM}link")]
    assert sorted(map(str, relations)) == ["alternate", "self"]
    entries = [
        {
            "id": entry.findtext(f"{ATOM}id", ""),
            "title": entry.findtext(f"{ATOM}title", ""),
            "updated": entry.findtext(f"{ATOM}updated", ""),
            "content": entry.findtext(f"{ATOM}content", ""),
            "link": str(next(entry.iter(f"{ATOM}link")).get("href")),
        }
        for entry in feed.iter(f"{ATOM}entry")
    ]
    assert len({one["id"] for one in entries}) == len(entries)
    times = [datetime.fromisoformat(one["updated"]) for one in entries]
    assert times == sorted(times, reverse=True)
    assert feed.findtext(f"{ATOM}updated") == (
        entries[0]["updated"] if entries else "1970-01-01T00:00:00+00:00"
    )
    return entries


def written(store: LadderStore) -> list[dict[str, str]]:
    return checked(feed_of(leaderboard(store), store.archive.proofs(MOST_ENTRIES), ADDRESS))


def titles(store: LadderStore) -> list[str]:
    return [one["title"] for one in written(store)]


def test_a_ladder_that_has_not_begun_has_no_entries(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "results.sqlite", ladder_file("baseline", "random"))) as store:
        assert written(store) == []


def test_players_and_versions_come(store: LadderStore) -> None:
    assert sorted(titles(store)) == ["baseline has come", "random has come"]
    store.add_version(1, "another")
    assert sorted(titles(store)) == [
        "baseline has a new version",
        "baseline has come",
        "random has come",
    ]
    ids = {one["id"] for one in written(store)}
    assert ids == {one["id"] for one in written(store)}, "they stay"


def test_who_is_surely_stronger_is_told_once_for_each_match(store: LadderStore) -> None:
    match = store.draw(1, 2)
    swings = tuple(64 * (swing == 5) for swing in SWINGS)
    sums = PairSums(swings, 1, 1, 60.0, (0, 0), (0, 0), 0)
    store.end(match, sums, [(1, 2)], time=LATER)
    first = written(store)[0]
    assert first["title"] == "baseline is surely stronger than random"
    assert first["updated"] == LATER
    assert first["link"] == f"{ADDRESS}matches/{match.number}/"


def test_many_who_are_weaker_are_told_together(store: LadderStore) -> None:
    board = leaderboard(store)
    board.scores.ahead[0, 1] = True
    entries = checked(feed_of(board, [Proof(1, LATER, ((1, 2),) * 9)], ADDRESS))
    assert entries[0]["title"] == (
        "baseline is surely stronger than random, random, random, random, random and 4 others"
    )


def test_nobody_is_stronger_in_a_circle(store: LadderStore) -> None:
    board = leaderboard(store)
    proof = Proof(1, LATER, ((1, 2), (2, 1)))
    assert len(checked(feed_of(board, [proof], ADDRESS))) == 2


def test_a_verdict_of_a_test_is_told_and_a_withdrawn_test_is_not(store: LadderStore) -> None:
    players = store.players()
    store.tests.ask(players[1], players[2])
    before = titles(store)
    store.tests.end(1, Outcome.WITHDRAWN)
    assert titles(store) == before
    store.tests.ask(players[2], players[1])
    store.tests.end(2, Outcome.H1)
    assert "The test of random against baseline has a verdict" in titles(store)


def test_a_week_is_over_once_something_was_played_in_a_later_one(store: LadderStore) -> None:
    board, done = leaderboard(store), Performance(boards=2)
    first = board.ranked[0]
    assert not any(one["title"].startswith("The week") for one in checked(of(board)))
    history = replace(first.history, weeks={"2031-W01": done, "2030-W52": done})
    later = replace(board, ranked=(replace(first, history=history), *board.ranked[1:]))
    told = {one["title"]: one["updated"] for one in checked(of(later))}
    assert told["The week 2030-W52 is over"] == "2030-12-30T00:00:00+00:00"
    assert "The week 2031-W01 is over" not in told


def of(board: LadderBoard) -> bytes:
    return feed_of(board, [], ADDRESS)


def test_names_of_strangers_are_text(store: LadderStore) -> None:
    for number, name in ((3, MARKUP), (4, "a\x00\x0b\u202e]]>&amp;")):
        store.enter(Registration(Entrant.model_construct(bot="natural", name=name), name))
        store.add_version(number, "1")
    told = titles(store)
    assert f"{MARKUP} has come" in told
    assert "a? ?]]>&amp; has come" in told


def test_only_the_latest_are_told(store: LadderStore) -> None:
    for version in range(60):
        match = store.draw(store.add_version(1, f"v{version}").number, 2)
        store.end(match, PairSums((0,) * len(SWINGS), 1, 1, 1.0, (0, 0), (0, 0), 0))
    assert len(written(store)) == MOST_ENTRIES


async def test_it_is_served_for_readers_elsewhere(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        await pages.get("/")
        answer = await pages.get("/feed.atom")
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/atom+xml"
        assert answer.headers["cache-control"] == "public, max-age=60"
        entries = checked(answer.text.encode())
        again = await pages.get("/feed.atom", if_none_match=answer.headers["etag"])
        assert (again.status, again.text) == (304, "")
        for entry in entries:
            assert (await pages.get(urlsplit(entry["link"]).path)).status == 200
        assert 'type="application/atom+xml" href="feed.atom"' in (await pages.get("/")).text
