"""Commands in the process of the tests, and a match that several tests look at."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bridge_arena.commands.main import run
from tests.end_to_end.arena import Ended, arena
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BOARDS = 4

Here = Callable[..., Ended]


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    """Runs a command in `tmp_path`, in this process, which saves the start of one: there too,
    an exception that nobody turned into a line would be seen."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in os.environ:
        if name.startswith("ARENA_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ARENA_CACHE", "")
    monkeypatch.setenv("ARENA_PROGRESS", "0")

    def run_here(*arguments: str) -> Ended:
        status = run(arguments)
        return Ended(status, *capsys.readouterr())

    return run_here


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The folder of a match of `boards` boards, and how the command ended."""

    folder: Path
    ended: Ended
    boards: int = BOARDS


@pytest.fixture(scope="session")
def finished_match(tmp_path_factory: pytest.TempPathFactory) -> FinishedMatch:
    """`baseline` against `random`, seed 1, by one whose files others may read unless they are
    kept from it. Only to be read."""
    place = tmp_path_factory.mktemp("finished")
    command = f"match baseline random --boards {BOARDS} --seed 1 --out match --concurrency 2"
    before = os.umask(0o022)
    try:
        return FinishedMatch(place / "match", arena(place, *command.split()))
    finally:
        os.umask(before)


CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window.

    For one module, in which no other test may run an event loop: as long as it is there, its own
    runs in this thread.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM} (apt-get install chromium)")
    # As root, as in containers, its own sandbox does not start.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    playwright.expect.set_options(timeout=1000 * PATIENCE)
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
        yield browser
        browser.close()
