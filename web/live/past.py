"""The boards of events that are over.

They are the event that is played, once it has ended, and the runs beside its folder.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge_arena.oracle.pool import Oracle
from bridge_arena.reports.common.replay_pages import FOLDER
from bridge_arena.tournaments import STORE, Store, StoreError
from bridge_arena.tournaments.schedule.left_to_play import Remaining
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.live.scoreboard import Row
from bridge_arena.web.replays.of_events import replays_of_events
from bridge_arena.web.viewing.application import Library, Viewing
from bridge_arena.web.viewing.on_demand import Figures

SHOWN = 50
"""The number of past events in the lobby."""

OPEN = 4
"""The number of events that are kept open, those that were visited last."""


WRITTEN = "report"
"""The folder of an event's address with what was written to its folder."""

REPORTS = ("report.html", "leaderboard.html")
"""The names of reports."""

EMBEDDING = "frame-ancestors 'none'"
"""The policy for a report, which itself has the policy for what it loads."""


class OpenedPages:
    """The pages of events by name: they are opened when somebody asks for them.

    One event is opened at a time, and then none for a while: a crowd that asks takes no more than a
    fifth of the time from the play. The events that were visited last stay open.

    Args:
        open_: Returns the pages of an event, in a thread; None if its boards are still secret.
            Raises HTTPException if there is no such event.
    """

    def __init__(self, open_: Callable[[str], ASGIApp | None]) -> None:
        self._open = open_
        # The pages of the events that are kept open, in the order of the last visits.
        self._opened: dict[str, ASGIApp] = {}
        self._opening = asyncio.Lock()
        self._pause = 0.0  # the seconds before another event is opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for something of an event, whose name the path begins with."""
        name = scope["path"].removeprefix(scope["root_path"]).strip("/").partition("/")[0]
        pages = self._opened.pop(name, None)
        if pages is None:
            async with self._opening:
                # It may have been opened while this one waited.
                pages = self._opened.pop(name, None) or await self._opened_anew(name)
        if pages is not None:
            self._opened[name] = pages
            if len(self._opened) > OPEN:
                del self._opened[next(iter(self._opened))]
        await (pages or _held(name))(scope, receive, send)

    async def _opened_anew(self, name: str) -> ASGIApp | None:
        await asyncio.sleep(self._pause)
        began = time.perf_counter()
        try:
            # In a thread, as reading takes time that the play needs.
            return await asyncio.to_thread(self._open, name)
        finally:
            self._pause = 4 * (time.perf_counter() - began)


class PastEvents:
    """The present event's folder once it is over, and if wished the runs `beside` it."""

    def __init__(self, folder: Path, *, beside: bool) -> None:
        self._own = folder.resolve()
        older = [
            (store.stat().st_mtime, store.parent)
            for store in (self._own.parent.glob(f"*/{STORE}") if beside else ())
            if store.parent != self._own
        ]
        # The runs beside the folder, and when they changed; the latest first.
        self._beside = [(path, changed) for changed, path in sorted(older, reverse=True)[:SHOWN]]
        self._folders = {path.name: path for path in (self._own, *dict(self._beside))}

    @property
    def own(self) -> str:
        """The address of the present event's boards, relative to the lobby."""
        return f"past/{self._own.name}/"

    def rows(self) -> list[Row]:
        """Return the rows of the lobby for the runs beside the folder."""
        return [
            {
                "name": path.name,
                "href": f"past/{path.name}/",
                "text": datetime.fromtimestamp(changed).strftime("%Y-%m-%d %H:%M"),
            }
            for path, changed in self._beside
        ]

    def route(self, oracle: Oracle) -> Mount:
        """Return the route of the addresses, `/past/NAME/`."""

        def open_(name: str) -> ASGIApp | None:
            if name not in self._folders:
                raise HTTPException(404)
            pages = _application(self._folders[name], oracle)
            # No file of the runs beside is served as it is: it may be a stranger's.
            is_own = self._folders[name] == self._own
            return _with_report(pages, self._own) if pages is not None and is_own else pages

        return Mount("/past", app=OpenedPages(open_))


def _application(folder: Path, oracle: Oracle) -> ASGIApp | None:
    """Return the pages of an event; None if its boards are still secret. Raises HTTPException."""
    try:
        stores = Store.open_all(folder / STORE)
        try:
            if not all(_is_over(store) for store in stores):
                return None
            events = [store.event_results() for store in stores]
        finally:
            for store in stores:
                store.close()
        replays = list(replays_of_events(events))
    except (StoreError, ValueError):
        raise HTTPException(404) from None
    title = ", ".join(dict.fromkeys(results.event.name for results in events))
    return Viewing(Library(replays), title, Figures(oracle)).application(folder.name)


def _with_report(pages: ASGIApp, folder: Path) -> ASGIApp:
    """Return the pages of an event with its report, and the boards to which that leads."""
    written = f"/{folder.name}/{WRITTEN}"
    files = StaticFiles(directory=folder / FOLDER, check_dir=False)

    async def boards(scope: Scope, receive: Receive, send: Send) -> None:
        # They are written after the pages were opened, or never.
        if not (folder / FOLDER).is_dir() or (folder / FOLDER).is_symlink():
            raise HTTPException(404)
        await files(scope, receive, send)

    return Starlette(
        routes=[
            Route(f"{written}/", partial(_report, folder)),
            Mount(f"{written}/{FOLDER}", boards),
            Mount("/", pages),
        ]
    )


async def _report(folder: Path, request: Request) -> Response:
    """Answer with the report, or leaderboard, that was written when the event was over."""
    del request
    for name in REPORTS:
        report = folder / name
        if report.is_file() and not report.is_symlink():
            return FileResponse(report, headers={"content-security-policy": EMBEDDING})
    raise HTTPException(404, "The report is not written yet.")


def _is_over(store: Store) -> bool:
    """Return whether nothing of an event is left to play, so that its boards are no secret."""
    commitment = store.commitment()
    if commitment is not None and commitment.key is None:
        return False
    return Remaining(store.event(), dict(store.results()), store.rulings()).is_over


def _held(name: str) -> HTMLResponse:
    """Return the page of an event whose boards are still secret."""
    template = Path(__file__).with_name("held.html")
    return HTMLResponse(page_of(template, title=name, static="../../static/"), 403)
