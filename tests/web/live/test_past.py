"""Tests of the events beside the one in play."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.web.live import past as past_module
from bridge_arena.web.live.past import OPEN, OpenedPages, PastEvents
from tests.patience import PATIENCE

Message = MutableMapping[str, Any]


async def asked(application: ASGIApp, path: str) -> int:
    """The status of an answer."""
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()  # the browser says nothing more
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "root_path": ""}
    await application(scope, receive, send)
    status: int = sent[0]["status"]
    return status


async def test_the_events_that_were_looked_at_last_are_kept_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [f"run{number}" for number in range(OPEN + 1)]
    for name in (*runs, "current"):
        (tmp_path / name).mkdir()
        (tmp_path / name / STORE).touch()
    opened: list[str] = []

    def open_(folder: Path, oracle: Oracle) -> ASGIApp:
        del oracle
        opened.append(folder.name)
        return PlainTextResponse("boards")

    monkeypatch.setattr(past_module, "_application", open_)
    with Oracle(workers=1) as oracle:
        application = Starlette(
            routes=[PastEvents(tmp_path / "current", beside=True).route(oracle)]
        )
        for _ in range(2):
            for name in runs[:OPEN]:
                assert await asked(application, f"/past/{name}/") == 200
        assert opened == runs[:OPEN]
        assert await asked(application, f"/past/{runs[0]}/") == 200
        assert await asked(application, f"/past/{runs[OPEN]}/") == 200
        assert await asked(application, f"/past/{runs[0]}/") == 200, "it was looked at after others"
        assert opened == runs
        assert await asked(application, f"/past/{runs[1]}/") == 200
        assert opened == [*runs, runs[1]]
        assert await asked(application, "/past/current/") == 200
        alone = Starlette(routes=[PastEvents(tmp_path / "current", beside=False).route(oracle)])
        assert await asked(alone, "/past/current/") == 200
        assert await asked(alone, f"/past/{runs[0]}/") == 404


async def test_a_crowd_that_asks_has_one_event_read_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event in play keeps its boards secret, and each answer reads the store again."""
    (tmp_path / "current").mkdir()
    reading: list[Path] = []
    two_at_once = threading.Event()

    def open_(folder: Path, oracle: Oracle) -> None:
        del oracle
        reading.append(folder)
        if len(reading) > 1:
            two_at_once.set()
        two_at_once.wait(0.01)
        reading.pop()

    monkeypatch.setattr(past_module, "_application", open_)
    with Oracle(workers=1) as oracle:
        route = PastEvents(tmp_path / "current", beside=False).route(oracle)
        application = Starlette(routes=[route])
        answers = await asyncio.gather(*(asked(application, "/past/current/") for _ in range(20)))
    assert set(answers) == {403}
    assert not two_at_once.is_set()


async def test_what_is_open_is_not_waited_for_while_another_event_is_read() -> None:
    goes_on = threading.Event()

    def open_(name: str) -> ASGIApp:
        if name == "slow":
            assert goes_on.wait(PATIENCE)
        return PlainTextResponse(name)

    pages = OpenedPages(open_)
    assert await asked(pages, "/open/") == 200
    slow = asyncio.create_task(asked(pages, "/slow/"))
    await asyncio.sleep(0)
    assert await asked(pages, "/open/boards/1.html") == 200
    assert not slow.done()
    goes_on.set()
    assert await slow == 200


async def test_of_what_was_written_only_the_report_and_its_boards_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, older = tmp_path / "current", tmp_path / "older"
    for run in (folder, older):
        run.mkdir()
        for name in (STORE, "log.jsonl"):
            (run / name).write_text(name)
    monkeypatch.setattr(past_module, "_application", lambda *_: PlainTextResponse("", 404))
    with Oracle(workers=1) as oracle:
        application = Starlette(routes=[PastEvents(folder, beside=True).route(oracle)])

        async def status(path: str, run: str = "current") -> int:
            return await asked(application, f"/past/{run}/report/{path}")

        assert await status("") == 404, "it is not written yet"
        assert await status("boards/board.html") == 404, "nor are they"
        for run in (folder, older):
            (run / "boards").mkdir()
            for name in ("report.html", "boards/board.html"):
                (run / name).write_text("<p>")
        assert await status("") == 200
        assert await status("boards/board.html") == 200
        for path in (STORE, "log.jsonl", f"boards/../{STORE}", f"boards/%2e%2e/{STORE}", "boards/"):
            assert await status(path) == 404
        for path in ("", "boards/board.html"):
            assert await status(path, "older") == 404, "a stranger may have written it"
        for name in ("report.html", "boards"):
            (folder / name).rename(folder / f"real-{name}")
            (folder / name).symlink_to(older / name)
        for path in ("", "boards/board.html"):
            assert await status(path) == 404, "a link leads elsewhere"
