"""Two commands that begin at the same moment and write to one place: neither breaks the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridge_arena.commands.common.folders import alone, folder_of_inputs
from bridge_arena.pbn.write.writer import write_records
from bridge_arena.tournaments.play.in_process import play_match
from tests.data import ROOT
from tests.end_to_end.conftest import Here
from tests.patience import PATIENCE

TIMES = 3

BOTH = """
import json, os, shlex, sys
from pathlib import Path
from bridge_arena.commands.common import event_file_runs, matches, reporting
from bridge_arena.commands.main import run
from bridge_arena.recorded.analysis import analysis_files

ended = []
for number in range(int(sys.argv[1])):
    read, write = os.pipe()
    children = []
    for command in sys.argv[2:]:
        said = Path(f"said-{len(children)}")
        child = os.fork()
        if not child:
            output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.close(write)
            os.read(read, 1)
            status = run(shlex.split(command.format(number)))
            sys.stdout.flush()
            os._exit(status)
        children.append((child, said))
    os.close(read)
    os.close(write)
    ended.append(
        [(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.read_text())
         for child, said in children]
    )
print(json.dumps(ended))
"""
"""Forks processes that have loaded what commands need, and begin when a pipe is closed."""

CUP = """
[event]
name = "Cup"
format = "match"
boards = 1

[[entry]]
bot = "random"

[[entry]]
bot = "baseline"
"""


Told = list[tuple[int, str]]
"""How commands ended: their exit statuses and output."""


def at_once(folder: Path, *commands: str, times: int = TIMES) -> list[Told]:
    """Run commands that begin at the same moment, several times.

    `{0}` in a command stands for the number of the time.
    """
    ended = subprocess.run(
        [sys.executable, "-c", BOTH, str(times), *commands],
        cwd=folder,
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": os.environ["PATH"],
            "ARENA_CACHE": "",
            "ARENA_PROGRESS": "0",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=times * PATIENCE,
    )
    assert ended.returncode == 0, ended
    return [[(status, said) for status, said in each] for each in json.loads(ended.stdout)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with an event and played boards."""
    (tmp_path / "cup.toml").write_text(CUP)
    write_records(tmp_path / "games.pbn", play_match("baseline", "random", 1, seed=1).records)
    return tmp_path


REFUSED = (
    "is in use by another run",
    "exists already: choose another --out",
    "holds an experiment already",
    "is there already: choose another --out",
)
"""What the second command may say, if it does not begin after the first has ended."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "match random baseline --boards 1",
        "tournament cup.toml",
        "serve cup.toml --port 0",
        "lab random baseline --boards 8 --workers 1",
        "lab random baseline --boards 1 --play --workers 1",
        "analyse games.pbn --workers 1",
        "replay games.pbn --bot random --concurrency 1",
        "report games.pbn",
        "leaderboard games.pbn",
        "publish games.pbn",
        "boards dataset games.pbn",
        "boards convert games.pbn",
        "deal 4",
        "train deals 2 --workers 1",
    ],
)
def test_of_two_runs_in_one_folder_one_is_done_and_the_other_told(
    place: Path, command: str
) -> None:
    one = f"{command} --out out-{{0}}"
    for ended in at_once(place, one, one):
        assert any(status == 0 for status, _ in ended), ended
        for said in (said for status, said in ended if status):
            assert "Traceback" not in said, ended
            assert any(refused in said.splitlines()[-1] for refused in REFUSED), ended
    left = [str(each) for each in place.rglob(".*") if each.name != ".bridge-arena-site"]
    assert not left


@pytest.mark.slow
@pytest.mark.parametrize("command", ["match random baseline --boards 1", "tournament cup.toml"])
def test_two_runs_without_a_named_folder_have_one_each(place: Path, command: str) -> None:
    (ended,) = at_once(place, command, command, times=1)
    assert [status for status, _ in ended] == [0, 0], ended
    assert len(list((place / "runs").glob("*/results.sqlite"))) == 2


@pytest.mark.slow
def test_two_events_begin_in_one_file_at_once(place: Path) -> None:
    (place / "mug.toml").write_text(CUP.replace("Cup", "Mug"))
    one, other = (
        f"tournament {event}.toml --out {event}-{{0}} --store sqlite:///all-{{0}}.sqlite"
        for event in ("cup", "mug")
    )
    for ended in at_once(place, one, other):
        assert [status for status, _ in ended] == [0, 0], ended


@pytest.mark.slow
def test_the_key_of_an_event_deals_one_event_alone(place: Path, here: Here) -> None:
    assert here("deal", "--commit", "cup.toml").status == 0
    one, other = (f"tournament cup.toml --out {out}" for out in ("one", "two"))
    (ended,) = at_once(place, one, other, times=1)
    dealt = [
        line for _, said in ended for line in said.splitlines() if line.startswith("the deals are")
    ]
    assert len(dealt) == len(set(dealt)) == sum(status == 0 for status, _ in ended), ended


@pytest.mark.parametrize(
    "command",
    [
        "match random baseline --out out",
        "match --resume out",
        "play --out out",
        "mcp --out out",
        "tournament cup.toml --out out",
        "tournament cup.toml --out out --resume",
        "serve cup.toml --out out --port 0",
        "llm-bench toy --out out",
        "lab random baseline --out out",
        "lab random baseline --play --out out",
        "lab --resume out",
        "report games.pbn --out out",
        "report out",
        "leaderboard games.pbn --out out",
        "analyse games.pbn --out out",
        "replay games.pbn --bot random --out out",
        "audit games.pbn --out out",
        "train deals 1 --out out",
        "train qplay --games 1 --out out",
    ],
)
def test_a_folder_in_use_is_told_before_anything_is_made(
    place: Path, here: Here, command: str
) -> None:
    with alone(place / "out") as folder:
        there = sorted(place.rglob("*"))
        assert here(*command.split()).complaint(2) == "out is in use by another run"
        assert sorted(place.rglob("*")) == there
        assert [each.name for each in folder.iterdir()] == [".lock"]


@pytest.mark.slow
def test_files_of_one_name_are_analysed_in_folders_of_their_own(place: Path, here: Here) -> None:
    files = [place / "one" / "games.pbn", place / "two" / "games.pbn"]
    for number, file in enumerate(files):
        file.parent.mkdir()
        write_records(file, play_match("baseline", "random", 1, seed=number).records)
    told = [
        here("analyse", str(file.relative_to(place)), "--workers", "1").output.splitlines()[-1]
        for file in (*files, files[0])
    ]
    assert told[0] == told[2] != told[1]
    assert all(each.startswith("results in runs/analysis-games-") for each in told)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["a.pbn"], ["b/a.pbn"]),
        (["a.pbn"], ["a.lin"]),
        (["a.pbn"], ["a.pbn", "b.pbn"]),
        (["sqlite:///a.db"], ["sqlite:///b/a.db"]),
    ],
)
def test_other_inputs_have_another_folder(one: list[str], other: list[str]) -> None:
    assert folder_of_inputs("a", one) != folder_of_inputs("a", other)
    assert folder_of_inputs("a", one) == folder_of_inputs("a", one)
    assert folder_of_inputs("a", one) != folder_of_inputs("a", one, ["--seed", "1"])
