"""Replays as plain files: a folder of pages that works from `file://` and from any web server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.base.wording import plural
from bridge_arena.reports.common.costs import CostsOf, without_costs
from bridge_arena.reports.common.replay_pages import (
    LIST,
    MATCHES,
    address_of,
    address_of_part,
    page_names,
)
from bridge_arena.reports.common.tables import TeamMatch
from bridge_arena.reports.common.wording import signed
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.reports.leaderboard.report import PAGE
from bridge_arena.reports.leaderboard.wording import title
from bridge_arena.reports.match.report import REPORT
from bridge_arena.tournaments import Event
from bridge_arena.web.board.document import Link
from bridge_arena.web.board.page import SCRIPTS, board_page
from bridge_arena.web.common.pages import STATIC, write_static
from bridge_arena.web.replays.listing import ROWS, Listing, Row, listing_page, rows_of
from bridge_arena.web.replays.of_events import replay_of_board, replays_of_match
from bridge_arena.web.replays.replay import Replay, document, links_of, scripts

_FILES = {*SCRIPTS, "arena.css", "board.css", "listing.css", "icon.svg"}
"""The scripts, styles and pictures of replay pages."""


class ReplayFolder:
    """A folder of replays, each file of which is written as a whole or not at all.

    It is created if it does not exist. All methods, and the constructor, raise OSError if a file
    cannot be written.

    Args:
        is_private: Whether only their owner may read the pages, as the deals of an event that is
            not over.
    """

    def __init__(self, folder: Path, *, is_private: bool) -> None:
        self._folder = folder
        self._is_private = is_private
        write_static(folder, _FILES)

    def write(self, replays: Iterable[Replay], index: Link) -> None:
        """Write the pages of replays, which are linked in their order."""
        pages = [page for replay in replays for page in replay.pages()]
        for place, page in enumerate(pages):
            for address, script in scripts(page):
                self._put(address, script)
            shown = document(page, links_of(pages, place, index))
            self._put(page.address, board_page(shown, f"{STATIC}/"))

    def write_list(
        self,
        name: str,
        title: str,
        rows: Sequence[Row],
        up: Link,
        what: tuple[str, str] = ("board", "boards"),
    ) -> None:
        """Write a list on as many pages as it needs; an empty list has none.

        Args:
            what: The name of one item, and of several.
        """
        for start in range(0, len(rows), ROWS):
            listing = Listing(
                title=title,
                what=what[0],
                lead=plural(len(rows), *what),
                rows=rows[start : start + ROWS],
                up=up,
                earlier=_part(name, start - ROWS, rows) if start else None,
                later=_part(name, start + ROWS, rows) if start + ROWS < len(rows) else None,
            )
            self._put(address_of_part(name, start), listing_page(listing, f"{STATIC}/"))

    def _put(self, address: str, text: str) -> None:
        replace_file(self._folder / address, text.encode(), is_private=self._is_private)


def write_match_replays(
    event: Event,
    match: TeamMatch,
    folder: Path,
    costs_of: CostsOf = without_costs,
    *,
    is_private: bool = True,
) -> None:
    """Write the replays of a match to a folder beside its report, as `ReplayFolder` has them."""
    index = Link(href=f"../{REPORT}", text="Report of the match")
    names = page_names(board.board for board in match.boards)
    replays = list(replays_of_match(event, match, names, costs_of))
    written = ReplayFolder(folder, is_private=is_private)
    written.write_list(LIST, " – ".join(match.names), rows_of(replays), index)
    written.write(replays, index)


def write_replays(board: Leaderboard, folder: Path, *, is_private: bool) -> None:
    """Write the replays of a leaderboard's events to a folder beside it. Raises OSError."""
    index = Link(href=f"../{PAGE}", text="Leaderboard")
    links = Links(board)
    written = ReplayFolder(folder, is_private=is_private)
    matches: list[Row] = []
    boards: list[Row] = []
    for number, event in enumerate(board.events):
        for match in event.matches:
            if not match.boards:
                continue
            replays = list(
                replays_of_match(event.event, match, links.names_of_boards(number, match))
            )
            name = links.name_of_match(number, match)
            teams = " – ".join(match.names)
            written.write_list(name, teams, rows_of(replays), index)
            written.write(replays, Link(href=address_of(name), text=teams))
            matches.append(_row_of_match(event.event, match, address_of(name)))
        compared = [
            replay_of_board(event.event, tables, links.name_of_board(number, tables))
            for tables in event.boards
        ]
        written.write(compared, index)
        boards += rows_of(compared)
    written.write_list(MATCHES, title(board), matches, index, ("match", "matches"))
    written.write_list(LIST, title(board), boards, index)


def _row_of_match(event: Event, match: TeamMatch, address: str) -> Row:
    return Row(
        Link(href=address, text=f"Round {match.round}, match {match.number}"),
        event.name,
        ", ".join(match.names),
        plural(len(match.boards), "board"),
        signed(match.outcome.imps),
    )


def _part(name: str, start: int, rows: Sequence[Row]) -> Link:
    last = min(start + ROWS, len(rows))
    return Link(href=address_of_part(name, start), text=f"{start + 1} to {last}")
