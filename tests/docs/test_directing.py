"""The commands of the page for directors work, and it says of all of them what they do."""

from __future__ import annotations

import re
import shlex
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.commands.direct import direct
from bridge_arena.commands.main import DONE, run
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.store import Store
from tests.data import DOCS
from tests.tournaments.ruled import play_round
from tests.tournaments.scores import event

PAGE = (DOCS / "directing.md").read_text(encoding="utf-8")
TRIED = [shlex.split(line)[1:] for line in re.findall(r"^    (arena direct runs.*)$", PAGE, re.M)]


def test_the_commands_of_the_page_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Alpha", "Beta", "Gamma", "Delta")
    entries = tuple(Entrant(bot="random", name=name) for name in names)
    monkeypatch.chdir(tmp_path)
    Path("runs/cup").mkdir(parents=True)
    cup = event(Format.SWISS, 4, rounds=4, entries=entries)
    with closing(Store.create(Path("runs/cup") / STORE, cup)) as store:
        play_round(store, 1)
        play_round(store, 2)
    assert run(TRIED[0]) == DONE
    said = capsys.readouterr().out
    assert "".join(f"    {line}\n" for line in said.splitlines()) in PAGE
    for words in TRIED[1:]:
        assert run(words) == DONE, words


def test_the_page_has_all_commands() -> None:
    names = {command.name for command in direct.registered_commands}
    assert names == set(re.findall(r"(?:`|runs/cup )([a-z-]+)\b", PAGE)) & names
