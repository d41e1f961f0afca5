"""Replays as plain files: a folder of pages that works from `file://` and from any web server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Self

from bridge_arena.base.files import replace_file
from bridge_arena.base.wording import plural
from bridge_arena.bridge.board import Board
from bridge_arena.reports.common.costs import CostsOf, without_costs
from bridge_arena.reports.common.replay_pages import (
    LIST,
    MATCHES,
    PAGE,
    board_address,
    list_address,
    page_names,
)
from bridge_arena.reports.common.tables import TeamBoard, TeamMatch
from bridge_arena.reports.common.wording import signed
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.reports.leaderboard.report import PAGE as LEADERBOARD
from bridge_arena.reports.leaderboard.scorecards import scorecards
from bridge_arena.reports.leaderboard.wording import labels
from bridge_arena.reports.leaderboard.wording import title as title_of
from bridge_arena.reports.match.report import REPORT
from bridge_arena.tournaments import Event
from bridge_arena.web.board.document import DoubleDummyFigures, Link
from bridge_arena.web.board.page import BOARDS_SCRIPTS, boards_page
from bridge_arena.web.common.pages import STATIC, embedded, write_static
from bridge_arena.web.replays.listing import ROWS, Listing, Result, Row, listing_page, rows_of
from bridge_arena.web.replays.of_events import replay_of_board, replays_of_match
from bridge_arena.web.replays.replay import Replay, ReplayPage, document, links_of, rests_at_once
from bridge_arena.web.replays.scripts import Scripts, ranges

REPLAY_FILES = {*BOARDS_SCRIPTS, "arena.css", "table.css", "board.css", "listing.css", "icon.svg"}
"""The scripts, styles and pictures of replay pages."""

_PAGES = re.compile(
    r"((\d+-)*(board-\d+(-\d+)?|scorecard-\d+)|board|index|matches|\d+(-\d+)+)(-from-\d+)?\.html"
    r"|((\d+-)*board-\d+(-\d+)?(-from-\d+)?-tables?|boards)-\d+\.js",
    re.ASCII,
)
"""The names of the pages and scripts, and of those that earlier releases wrote for each board."""

FiguresOf = Callable[[Iterable[Board]], Mapping[Board, DoubleDummyFigures]]
"""A function that returns the figures of boards, as far as it has them; those that are looked at
most come first."""


def without_figures(_boards: Iterable[Board]) -> Mapping[Board, DoubleDummyFigures]:
    """Return no figures."""
    return {}


class ReplayFolder:
    """A context that writes a folder of replays, each file as a whole or not at all.

    The folder is created if it does not exist. At the end its page is written, and what an earlier
    report has left in the folder is removed. All methods, and the constructor, raise OSError if a
    file cannot be written.

    Args:
        up: The page to which a reader goes from an address without a board.
        is_private: Whether only their owner may read the pages, as the deals of an event that is
            not over.
        on_board: Is called as each board is written.
        figures: The double-dummy figures of boards, as far as they are known.
        static: The address of the scripts and styles, `REPLAY_FILES`, which others write; None to
            write them to the folder.
        ups: The pages above `up`, to which all pages lead, too.
    """

    def __init__(
        self,
        folder: Path,
        up: Link,
        *,
        is_private: bool,
        on_board: Callable[[], None] = lambda: None,
        figures: Mapping[Board, DoubleDummyFigures] = MappingProxyType({}),
        static: str | None = None,
        ups: Sequence[Link] = (),
    ) -> None:
        self._folder = folder
        self._up = up
        self._ups = ups
        self._is_private = is_private
        self._on_board = on_board
        self._figures = figures
        self._boards = Scripts("boardsLoaded", "boards", self._put)
        self._written: set[str] = set()
        self._static = static or f"{STATIC}/"
        folder.mkdir(parents=True, exist_ok=True)
        if static is None:
            write_static(folder, REPLAY_FILES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._boards.close()
            if self._boards.names:
                files = [ranges(names) for names in self._boards.names]
                self._put(PAGE, boards_page(files, self._up, self._static, self._ups))
            self._remove_earlier()

    def write(self, replays: Iterable[Replay], index: Link) -> None:
        """Write replays, which are linked in their order."""
        pages = [page for replay in replays for page in replay.pages()]
        for place, page in enumerate(pages):
            rests = rests_at_once(page)
            links = links_of(pages, place, index, board_address)
            shown = document(page, links, self._scripts(page) if rests is None else rests)
            shown["name"] = page.name
            if (figures := self._figures.get(page.replay.board)) is not None:
                shown["dd"], shown["par"] = figures["dd"], figures["par"]
            self._boards.add(page.name, embedded(shown))
            self._on_board()

    def _scripts(self, page: ReplayPage) -> list[str]:
        """Write the tables of a page to scripts of their own; return the address for each."""
        scripts = Scripts("tablesLoaded", f"{page.name}-tables", self._put)
        addresses = [
            scripts.add(str(number), embedded(table.rest()))
            for number, table in enumerate(page.tables, start=page.start + 1)
        ]
        scripts.close()
        return addresses

    def write_page(self, address: str, text: str) -> None:
        """Write a page that reports have made, to stand beside the boards."""
        self._put(address, text)

    def write_list(
        self,
        name: str,
        title: str,
        rows: Sequence[Row],
        up: Link,
        what: tuple[str, str] = ("board", "boards"),
        note: str = "",
    ) -> None:
        """Write a list on its pages, none if it is empty.

        `what` names one item and several; `note` is said beside their number.
        """
        for start in range(0, len(rows), ROWS):
            listing = Listing(
                title=title,
                what=what[0],
                lead=", ".join(filter(None, (plural(len(rows), *what), note))),
                rows=rows[start : start + ROWS],
                ups=[*self._ups, up],
                earlier=_part(name, start - ROWS, rows) if start else None,
                later=_part(name, start + ROWS, rows) if start + ROWS < len(rows) else None,
            )
            self._put(list_address(name, start), listing_page(listing, self._static))

    def _put(self, address: str, text: str) -> None:
        self._written.add(address)
        replace_file(self._folder / address, text.encode(), is_private=self._is_private)

    def _remove_earlier(self) -> None:
        for path in self._folder.iterdir():
            is_page = path.name not in self._written and _PAGES.fullmatch(path.name)
            if is_page and path.is_file() and _is_own(path):
                path.unlink()


def _is_own(path: Path) -> bool:
    """Return whether the arena has written a page or script."""
    with path.open(encoding="utf-8", errors="replace") as file:
        text = file.read(1000)
    return text.startswith("Arena.") or "Content-Security-Policy" in text


def write_match_replays(
    event: Event,
    match: TeamMatch,
    folder: Path,
    costs_of: CostsOf = without_costs,
    *,
    is_private: bool = True,
    on_board: Callable[[], None] = lambda: None,
    figures_of: FiguresOf = without_figures,
) -> None:
    """Write the replays of a match to a folder beside its report, as `ReplayFolder` has them."""
    index = Link(href=f"../{REPORT}", text="Report of the match")
    names = page_names(board.board for board in match.boards)
    replays = list(replays_of_match(event, match, names, costs_of))
    figures = figures_of(_by_swing(match.boards))
    with ReplayFolder(
        folder, index, is_private=is_private, on_board=on_board, figures=figures
    ) as written:
        title = f"{event.name}: {' – '.join(match.names)}"
        written.write_list(LIST, title, rows_of(replays), index)
        written.write(replays, index)


def write_replays(
    board: Leaderboard,
    folder: Path,
    *,
    is_private: bool,
    on_board: Callable[[], None] = lambda: None,
    figures_of: FiguresOf = without_figures,
) -> None:
    """Write the replays of a leaderboard's events to a folder beside it. Raises OSError."""
    index = Link(href=f"../{LEADERBOARD}", text="Leaderboard")
    links, names = Links(board), labels(board)
    matches: list[Row] = []
    boards: list[Row] = []
    in_rooms = (
        board for event in board.events for match in event.matches for board in match.boards
    )
    compared = (tables.board for event in board.events for tables in event.boards)
    figures = figures_of([*_by_swing(in_rooms), *compared])
    with ReplayFolder(
        folder, index, is_private=is_private, on_board=on_board, figures=figures
    ) as written:
        for number, event in enumerate(board.events):
            for match in event.matches:
                if not match.boards:
                    continue
                replays = list(
                    replays_of_match(event.event, match, links.names_of_boards(number, match))
                )
                name = links.name_of_match(number, match)
                teams = " – ".join(match.names)
                title = f"{names[number]}: {teams}"
                written.write_list(name, title, rows_of(replays), index)
                up = title if len(board.events) > 1 else teams
                written.write(replays, Link(href=list_address(name), text=up))
                matches.append(_row_of_match(names[number], match, list_address(name)))
            replays = [
                replay_of_board(event.event, tables, links.name_of_board(number, tables))
                for tables in event.boards
            ]
            written.write(replays, index)
            boards += rows_of(replays)
            for address, page in scorecards(event, number, links, index["href"]):
                written.write_page(address, page)
        written.write_list(MATCHES, title_of(board), matches, index, ("match", "matches"))
        written.write_list(LIST, title_of(board), boards, index)


def _by_swing(boards: Iterable[TeamBoard]) -> Iterator[Board]:
    """Yield boards, those of the largest swings first."""
    for board in sorted(boards, key=lambda board: -abs(board.imps or 0)):
        yield board.board


def boards_of(board: Leaderboard) -> int:
    """Return how many boards `write_replays` writes."""
    return sum(
        len(event.boards) + sum(len(match.boards) for match in event.matches)
        for event in board.events
    )


def _row_of_match(event: str, match: TeamMatch, address: str) -> Row:
    return Row(
        Link(href=address, text=f"Round {match.round}, match {match.number}"),
        event,
        ", ".join(match.names),
        [Result(plural(len(match.boards), "board"))],
        signed(match.outcome.imps),
    )


def _part(name: str, start: int, rows: Sequence[Row]) -> Link:
    last = min(start + ROWS, len(rows))
    return Link(href=list_address(name, start), text=f"{start + 1} to {last}")
