"""Pages that reports and their replays have left in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from bridge_arena.reports.common.replay_pages import FOLDER, PAGE
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import write_leaderboard
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.web.replays.folder import write_replays

VOID = {"meta", "link", "br", "input", "path", "use", "rect", "line", "circle"}


class Page(HTMLParser):
    """A page whose elements must nest: its ids, links, tags and text, and the boards that the page
    of a folder shows, by their names."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.boards: dict[str, dict[str, Any]] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self._data: dict[str, Any] = {}
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self._open, f"{path.name} leaves {self._open} open"
        if path.name == PAGE:
            self.boards = boards_in(path.parent)
            names = [name for of_script in self._data["files"] for name in _names(of_script)]
            assert names == list(self.boards)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        if identity := values.get("id"):
            self.ids.append(identity)
        if tag == "a" and (link := values.get("href")):
            self.links.append(link)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag, f"</{tag}> at {self.getpos()}"
        if tag in ("td", "th"):
            self.text += " "

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["script"] and data.startswith("{"):
            self._data = json.loads(data)
        elif self._open[-1:] not in (["style"], ["script"]):
            self.text += data


def words(page: Page) -> str:
    return " ".join(page.text.split())


def _names(ranges: Sequence[tuple[str, int, int, str]]) -> Iterator[str]:
    for before, first, last, after in ranges:
        for number in range(first, last + 1):
            yield f"{before}{number}{after}"


def values_of(script: Path, function: str) -> dict[str, Any]:
    """What a script loads by a function of the page."""
    text = script.read_text(encoding="utf-8")
    start, end = f'Arena.{function}("{script.name}",', ");\n"
    assert text.startswith(start)
    assert text.endswith(end)
    assert "<" not in text
    values: dict[str, Any] = json.loads(text.removeprefix(start).removesuffix(end))
    return values


def boards_in(folder: Path) -> dict[str, dict[str, Any]]:
    """The boards of a folder by their names, with the tables that come by scripts of their own."""
    boards: dict[str, dict[str, Any]] = {}
    number = 1
    while (script := folder / f"boards-{number}.js").exists():
        boards |= values_of(script, "boardsLoaded")
        number += 1
    for name, board in boards.items():
        assert board["name"] == name
        for table in board["tables"]:
            if "script" in table:
                loaded = values_of(folder / table["script"], "tablesLoaded")
                table.update(loaded[str(table["number"])])
    return boards


def check_site(folder: Path) -> dict[str, Page]:
    """Every page, once all that it and its boards link to is found."""
    pages = {path.relative_to(folder).as_posix(): Page(path) for path in folder.rglob("*.html")}
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), f"{name} has an id twice"
        of_boards = [
            link["href"] for board in page.boards.values() for link in board["links"].values()
        ]
        for link in page.links + of_boards:
            target, _, anchor = link.partition("#")
            path = (folder / name).parent / target if target else folder / name
            found = path.resolve().relative_to(folder.resolve()).as_posix()
            assert (folder / found).is_file(), f"{name} links to {link}"
            if found not in pages:
                continue  # a download
            if pages[found].boards:
                place = dict(parse_qsl(anchor, strict_parsing=True))
                tables = pages[found].boards[place["board"]]["tables"]
                assert int(place.get("table", 1)) <= len(tables), f"{name} links to {link}"
            else:
                assert not anchor or anchor in pages[found].ids, f"{name} links to {link}"
    return pages


def write_site(results: Sequence[EventResults], folder: Path) -> dict[str, Page]:
    """The pages of a leaderboard with its replays, checked."""
    board = leaderboard(results)
    write_replays(board, folder / FOLDER, is_private=False)
    write_leaderboard(board, folder)
    return check_site(folder)
