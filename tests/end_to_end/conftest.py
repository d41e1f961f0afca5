"""Commands in the process of the tests, and a match that several tests look at."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge_arena.commands.main import run
from tests.end_to_end.arena import Ended, arena

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
