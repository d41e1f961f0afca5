"""What happens on a ladder, as an Atom feed (RFC 4287), at `/feed.atom`.

It tells of players who came, new versions, who is surely stronger than whom, verdicts of tests and
weeks that are over.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as Xml

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge_arena.base.wording import one_line, plural
from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import Proof
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.serving import Page

MOST_ENTRIES = 50
"""The most entries of the feed, the latest ones."""

KEPT_SECONDS = 60
"""The seconds for which the feed may be older than the ladder."""

_NAMED = 5
"""The most players that a title names as weaker."""

_ATOM = "http://www.w3.org/2005/Atom"

_HEADERS = {
    "cache-control": f"public, max-age={KEPT_SECONDS}",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened at one moment."""

    key: str  # what tells it from all others of the ladder
    time: str  # when, in ISO 8601
    title: str
    text: str
    link: str  # the page that shows more, relative to the leaderboard


class Feed:
    """The feed of a ladder.

    Args:
        store: The store of the ladder.
        board: Returns the leaderboard; None as long as nothing could be read.
        address: The address of the leaderboard.
    """

    def __init__(
        self, store: LadderStore, board: Callable[[], LadderBoard | None], address: str
    ) -> None:
        self._store = store
        self._board = board
        self._address = address
        self._kept = KeptPages[Page](1, KEPT_SECONDS)

    def route(self) -> Route:
        """Return the route of the feed."""
        return Route("/feed.atom", self.feed)

    async def feed(self, request: Request) -> Response:
        """Answer with the feed."""
        self._kept.note_change()
        try:
            page = await self._kept.page("feed", partial(asyncio.to_thread, self._made))
        except (StoreError, OSError, asyncio.QueueFull):
            raise HTTPException(503, headers={"retry-after": "5"}) from None
        return page.answer(request)

    def _made(self) -> Page:
        board = self._board()
        if board is None:
            raise StoreError("nothing could be read yet")
        text = feed_of(board, self._store.archive.proofs(MOST_ENTRIES), self._address)
        return Page(text, "application/atom+xml", _HEADERS)


def feed_of(board: LadderBoard, proofs: Sequence[Proof], address: str) -> bytes:
    """Return the feed of a ladder.

    Args:
        board: The leaderboard.
        proofs: What the last matches proved.
        address: The address of the leaderboard.
    """
    every = (*_arrivals(board), *_proved(board, proofs), *_verdicts(board), *_weeks(board))
    entries = [entry for entry in every if entry.time]
    entries.sort(key=lambda entry: datetime.fromisoformat(entry.time), reverse=True)
    first = board.versions[1].since if board.versions else ""
    own = uuid5(NAMESPACE_URL, f"bridge-arena ladder {board.name} {first}")
    feed = Xml.Element("feed", xmlns=_ATOM)
    _add(feed, "id", own.urn)
    _add(feed, "title", board.name)
    _add(feed, "updated", entries[0].time if entries else "1970-01-01T00:00:00+00:00")
    _add(Xml.SubElement(feed, "author"), "name", board.name)
    _link(feed, "self", f"{address}feed.atom")
    _link(feed, "alternate", address)
    for one in entries[:MOST_ENTRIES]:
        entry = Xml.SubElement(feed, "entry")
        _add(entry, "id", uuid5(own, one.key).urn)
        _add(entry, "title", one.title)
        _add(entry, "updated", one.time)
        _link(entry, "alternate", address + one.link)
        _add(entry, "content", one.text)
    return bytes(Xml.tostring(feed, "utf-8", xml_declaration=True))


def _add(parent: Xml.Element, name: str, text: str) -> None:
    """Add an element with a text, without characters that XML cannot hold."""
    Xml.SubElement(parent, name).text = one_line(text)


def _link(parent: Xml.Element, relation: str, address: str) -> None:
    Xml.SubElement(parent, "link", rel=relation, href=address)


def _arrivals(board: LadderBoard) -> Iterator[Entry]:
    """Yield the players who came, and their new versions."""
    has_come = set()
    for version in board.versions.values():
        player = board.players[version.player]
        is_first = player.number not in has_come
        has_come.add(player.number)
        author = f", by {player.author}" if player.author else ""
        yield Entry(
            f"version {version.number}",
            version.since,
            f"{player.name} has come" if is_first else f"{player.name} has a new version",
            f"{player.name}{author}, in the version {version.identity}",
            f"players/{player.number}/",
        )


def _proved(board: LadderBoard, proofs: Sequence[Proof]) -> Iterator[Entry]:
    """Yield who is surely stronger than whom, by the matches that showed it."""
    for proof in proofs:
        weaker: defaultdict[int, list[str]] = defaultdict(list)
        for ahead, behind in proof.orders:
            # In a circle nobody is.
            if board.knows((ahead, behind)) and board.is_stronger(ahead, behind):
                weaker[ahead].append(board.name_of(behind))
        for ahead, names in weaker.items():
            name = board.name_of(ahead)
            yield Entry(
                f"proof {proof.match} {ahead}",
                proof.ended,
                f"{name} is surely stronger than {_listed(names, _NAMED)}",
                f"Since match {proof.match}, {name} is surely stronger than "
                f"{_listed(names, len(names))}.",
                f"matches/{proof.match}/",
            )


def _verdicts(board: LadderBoard) -> Iterator[Entry]:
    """Yield the tests that ended with a verdict."""
    for shown in board.tests:
        test = shown.test
        if test.outcome in (Outcome.H0, Outcome.H1) and test.ended is not None:
            yield Entry(
                f"test {test.number}",
                test.ended,
                f"The test of {shown.new} against {shown.base} has a verdict",
                shown.text,
                "tests",
            )


def _weeks(board: LadderBoard) -> Iterator[Entry]:
    """Yield the weeks that are over, as something was played since."""
    for week in board.weeks[1:]:
        year, number = map(int, re.findall("[0-9]+", week))
        end = datetime.fromisocalendar(year, number, 1).replace(tzinfo=UTC) + timedelta(weeks=1)
        players = sum(week in row.history.weeks for row in board.ranked)
        yield Entry(
            f"week {week}",
            end.isoformat(),
            f"The week {week} is over",
            f"{plural(players, 'player')} of the leaderboard played in it.",
            "",
        )


def _listed(names: Sequence[str], most: int) -> str:
    """Return names as a list in words, the first ones of many."""
    *others, last = [*names[:most], *([f"{len(names) - most} others"] if names[most:] else [])]
    return f"{', '.join(others)} and {last}" if others else last
