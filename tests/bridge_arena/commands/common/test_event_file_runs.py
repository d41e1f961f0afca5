"""What an event file must agree with: the event that began, and the one that was committed to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError
from bridge_arena.commands.common.event_run import EventRun
from bridge_arena.commands.match import match
from bridge_arena.commands.tournament import tournament
from bridge_arena.tournaments import Sealing, Store
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.event_file import read_event
from bridge_arena.tournaments.events.sealed_deals import key_path, write_key
from bridge_arena.tournaments.schedule.event_files import STORE

EVENT = """
[event]
name = "Cup"
format = "match"
boards = 1

[[entry]]
bot = "cmd:python v1/bot.py"

[[entry]]
bot = "cmd:python v2/bot.py"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(EVENT)
    return path


def before(file: Path) -> Event:
    """The event as an earlier release named its entries."""
    event = read_event(file).event
    names = ("python bot.py", "python bot.py-2")
    entries = (
        entrant.model_copy(update={"name": name})
        for entrant, name in zip(event.entries, names, strict=True)
    )
    return event.model_copy(update={"entries": tuple(entries)})


CHANGED = (
    r"name of entry 1 \(it was 'python bot.py'\), name of entry 2 \(it was 'python bot.py-2'\)"
)


def test_an_event_that_began_says_which_names_its_file_must_give(
    file: Path, tmp_path: Path
) -> None:
    Store.create(tmp_path / STORE, before(file)).close()
    with pytest.raises(UnusableError, match=f"{CHANGED} changed since the event in .* began"):
        tournament(file, out=tmp_path, resume=True)


def test_a_match_of_an_event_file_goes_on_only_with_the_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise InterruptedCommandError

    monkeypatch.setattr(EventRun, "play", interrupted)
    with pytest.raises(InterruptedCommandError):
        tournament(file, out=tmp_path / "out")
    with pytest.raises(UnusableError, match=r"out holds the event of a file: go on with arena to"):
        match(resume=tmp_path / "out")


def test_an_event_that_was_committed_to_says_which_names_its_file_must_give(
    file: Path, tmp_path: Path
) -> None:
    write_key(key_path(file), Sealing.of(before(file)))
    with pytest.raises(UnusableError, match=f"committed to, by {CHANGED}: undo its changes"):
        tournament(file, out=tmp_path / "out")


def test_a_key_of_no_event_is_no_key(file: Path, tmp_path: Path) -> None:
    write_key(key_path(file), replace(Sealing.of(before(file)), definition="{}"))
    with pytest.raises(UnusableError, match=r"cup\.key\.json: this is no file of a deal key"):
        tournament(file, out=tmp_path / "out")
