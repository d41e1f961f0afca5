"""Pages that reports and their replays have left in a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from bridge_arena.reports.common.replay_pages import FOLDER
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import write_leaderboard
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.web.replays.folder import write_replays

VOID = {"meta", "link", "br", "input", "path", "use", "rect", "line", "circle"}


class Page(HTMLParser):
    """A page whose elements must nest: its ids, links, tags and text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.documents: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self._open, f"{path.name} leaves {self._open} open"

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
            self.documents.append(json.loads(data))
        elif self._open[-1:] not in (["style"], ["script"]):
            self.text += data


def words(page: Page) -> str:
    return " ".join(page.text.split())


def check_site(folder: Path) -> dict[str, Page]:
    """Every page, once all that it links to is found."""
    pages = {path.relative_to(folder).as_posix(): Page(path) for path in folder.rglob("*.html")}
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), f"{name} has an id twice"
        for link in page.links:
            target, _, anchor = link.partition("#")
            path = (folder / name).parent / target if target else folder / name
            found = path.resolve().relative_to(folder.resolve()).as_posix()
            assert (folder / found).is_file(), f"{name} links to {link}"
            if found not in pages:
                continue  # a download
            if table := re.fullmatch(r"table=(\d+)(&step=\d+)?", anchor):
                (document,) = pages[found].documents
                assert int(table[1]) <= len(document["tables"]), f"{name} links to {link}"
            else:
                assert not anchor or anchor in pages[found].ids, f"{name} links to {link}"
    return pages


def write_site(results: Sequence[EventResults], folder: Path) -> dict[str, Page]:
    """The pages of a leaderboard with its replays, checked."""
    board = leaderboard(results)
    write_replays(board, folder / FOLDER, is_private=False)
    write_leaderboard(board, folder)
    return check_site(folder)
