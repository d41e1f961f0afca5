"""The pages of a ladder as plain files, as it stands now, which work from `file://`.

A link of a page that is served names another page; here it names that page's file. A link to what
is not written is left out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from html import escape, unescape
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

from bridge_arena.base.files import replace_file
from bridge_arena.reports.common.replay_pages import LIST, board_address
from bridge_arena.tournaments.ladder.day_changes import changes_since
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.web.board.document import Link
from bridge_arena.web.common.pages import write_static
from bridge_arena.web.ladder.lists import ON_PAGE, page_of_matches, page_of_tests
from bridge_arena.web.ladder.pages import (
    figures_page,
    leaderboard_page,
    minute,
    state_of,
    title_of_match,
)
from bridge_arena.web.ladder.player_pages import page_of_pair, page_of_player
from bridge_arena.web.replays.folder import REPLAY_FILES, ReplayFolder
from bridge_arena.web.replays.listing import rows_of
from bridge_arena.web.replays.of_events import replays_of_events

MATCHES = 200
"""The most matches that are written, the latest ones."""

PAIRS = 500
"""The most pairs that have a page, those with the most boards."""

Begin = Callable[[str, int], Callable[[], None]]
"""Is told of a step, and how many pages it writes; returns what is called after each of them."""

_Make = Callable[[], str | None]

_STYLES = {"arena.css", "ladder.css", "filter.js", "icon.svg"}

_LINK = re.compile(r'<a\b([^>]*?)\shref="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)

_CANONICAL = re.compile(r'<link rel="canonical" href="[^"]*">\n')

_STATE = '<p id="state" role="status"></p>'
"""Where a page that is served tells of its connection."""

_BOARD = re.compile(r"(matches/\d+/)boards/(board-[\d-]+)\.html")


def write_ladder(
    store: LadderStore, folder: Path, begin: Begin = lambda _what, _pages: lambda: None
) -> LadderBoard:
    """Write the pages of a ladder to a new folder; return its leaderboard.

    Raises StoreError and OSError, and ValueError: a record is not of its match.
    """
    made = f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    state, board = state_of(store), leaderboard(store)
    changes = changes_since(store, board, state.since)
    latest, matches = store.archive.latest(MATCHES), []
    advance = begin("boards of matches", len(latest))
    for match in latest:
        if _write_match(store, match, folder / f"matches/{match.number}"):
            matches.append(match.number)
        advance()
    pages: dict[str, _Make] = {
        "": partial(leaderboard_page, state, board, changes, {}, is_live=False),
        **dict(_pages(store, board, matches)),
    }
    targets = {*pages, *(f"matches/{number}/" for number in matches)}
    advance = begin("pages", len(pages))
    for address, make in pages.items():
        page = make()
        assert page is not None
        file = folder / _file_of(address)
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, _as_file(page, address, targets, made).encode())
        advance()
    write_static(folder, _STYLES | REPLAY_FILES)
    return board


def _pages(
    store: LadderStore, board: LadderBoard, matches: Collection[int]
) -> Iterator[tuple[str, _Make]]:
    """Yield what makes the pages but that of the leaderboard, each with its address."""
    yield "figures", partial(figures_page, board, is_live=False)
    for start in range(0, max(1, len(board.tests)), ON_PAGE):
        before = board.tests[-start].test.number if start else None
        page = partial(page_of_tests, store, board, before=before, is_live=False)
        yield f"tests?before={before}" if before else "tests", page
    numbers = [*matches]
    for start in range(0, max(1, len(numbers)), ON_PAGE):
        before = numbers[start - 1] if start else None
        of_matches = partial(page_of_matches, store, board, before=before, is_live=False)
        yield f"matches/?before={before}" if before else "matches/", of_matches
    for row in board.ranked:
        number = row.player.number
        make = partial(page_of_player, store, board, number=number, is_live=False)
        yield f"players/{number}/", make
    for first, second in _pairs(board):
        of_pair = partial(page_of_pair, store, board, first=first, second=second, is_live=False)
        yield f"pairs/{first}/{second}/", of_pair


def _pairs(board: LadderBoard) -> list[tuple[int, int]]:
    """Return the pairs of players that have a page, those with the most boards first."""
    boards = {
        (one.player.number, other.player.number): board.scores.boards_between(
            one.version.number, other.version.number
        )
        for one, other in combinations(board.ranked, 2)
    }
    met = sorted((pair for pair in boards if boards[pair]), key=lambda pair: -boards[pair])
    return met[:PAIRS]


def _write_match(store: LadderStore, match: EndedMatch, folder: Path) -> bool:
    """Write the boards of a match; return whether they may be known."""
    results = store.archive.results(match.number)
    if results is None:
        return False
    title = title_of_match(match, [entrant.name for entrant in results.event.entries])
    replays = [replace(replay, title=title) for replay in replays_of_events([results])]
    ups = [Link(href=f"../../{LIST}.html", text="Leaderboard")]
    up = Link(href=f"../{LIST}.html", text="All matches")
    static = "../../static/"
    with ReplayFolder(folder, up, is_private=False, static=static, ups=ups) as written:
        note = f"{minute(match.ended)} UTC"
        written.write_list(LIST, title, rows_of(replays), up, note=note)
        written.write(replays, Link(href=f"{LIST}.html", text=title))
    return True


def _file_of(address: str) -> str:
    """Return the file of an address."""
    path, _, before = address.partition("?before=")
    if path.endswith("/") or not path:
        return f"{path}before-{before}.html" if before else f"{path}{LIST}.html"
    return f"{path}-before-{before}.html" if before else f"{path}.html"


def _as_file(page: str, own: str, targets: Collection[str], made: str) -> str:
    """Return a page that is served as a plain file.

    Args:
        page: The page.
        own: Its address.
        targets: The addresses of all pages that are written.
        made: When the ladder stood as it is shown.
    """
    folder = posixpath.dirname(own)

    def link(element: re.Match[str]) -> str:
        before, href, after, text = element.groups()
        parts = urlsplit(unescape(href))
        if parts.scheme or parts.netloc or not (parts.path or parts.query):
            return element[0]
        address = _address(folder, parts.path) if parts.path else own.partition("?")[0]
        if parts.query:
            address = f"{address}?{parts.query}"
        file = _target(address, targets)
        if file is None:
            return "" if parts.query else text
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        href = posixpath.relpath(file, folder or ".") + fragment
        return f'<a{before} href="{escape(href)}"{after}>{text}</a>'

    index = posixpath.relpath(f"../{LIST}.html", folder or ".")
    note = f'<p>As of {made} UTC. <a href="{index}">All events</a></p>'
    return _LINK.sub(link, _CANONICAL.sub("", page)).replace(_STATE, note)


def _address(folder: str, path: str) -> str:
    """Return the address below the leaderboard to which a path leads from a folder."""
    address = posixpath.normpath(posixpath.join(folder, path))
    address = "" if address == "." else address
    return f"{address}/" if address and path.endswith("/") else address


def _target(address: str, targets: Collection[str]) -> str | None:
    """Return the file to which a link to an address leads; None if it is not written."""
    if address in targets:
        return _file_of(address)
    if (board := _BOARD.fullmatch(address)) and board[1] in targets:
        return f"{board[1]}{board_address(board[2])}"
    first, *players = address.strip("/").split("/")
    turned = "/".join([first, *reversed(players), ""])
    return _file_of(turned) if first == "pairs" and turned in targets else None
