"""Completion of command lines, as shells ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from bridge_arena.commands import main
from bridge_arena.commands.main import COMPLETE
from tests.data import ROOT
from tests.patience import PATIENCE

ARENA = [sys.executable, "-m", "bridge_arena.commands.main"]
"""The program, which is `arena` where it is installed."""


def asked(line: str, place: int) -> list[str]:
    """Return the completions of bash for the word at a place, from 0, of a command line."""
    asks = {"COMP_WORDS": line, "COMP_CWORD": str(place), COMPLETE: "complete_bash"}
    ended = subprocess.run(
        ARENA,
        env={**os.environ, "PYTHONPATH": str(ROOT), **asks},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert ended.stderr == ""
    return ended.stdout.split()


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("arena ma", 1, ["match"]),
        ("arena tr", 1, ["train"]),
        ("arena match --boards-", 2, ["--boards-from"]),
        ("arena match --mode ", 3, ["full", "bidding", "play"]),
        ("arena match natural al", 3, ["alphamu"]),
        ("arena bot q", 2, ["qtable", "qplay"]),
        ("arena bots fa", 2, ["fastplay"]),
        ("arena play --against mo", 3, ["montecarlo"]),
        ("arena boards c", 2, ["check", "convert"]),
        ("arena nothing --", 2, ["--help"]),
    ],
)
def test_commands_options_and_values_are_proposed(line: str, place: int, words: list[str]) -> None:
    assert asked(line, place) == words


def test_where_an_extra_is_missing_nothing_is_proposed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(main, "import_module", missing)
    asks = {"COMP_WORDS": "arena match --", "COMP_CWORD": "2", COMPLETE: "complete_bash"}
    for name, value in asks.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main.complete()
    assert ended.value.code == 0
    assert capsys.readouterr() == ("", "")


BASH = """
arena() { "$PYTHON" -m bridge_arena.commands.main "$@"; }
eval "$(arena completion bash)"
arena_program() { arena; }
COMP_CWORD=2
for word in --bo mon; do
    COMP_WORDS=(arena match $word)
    _arena_completion "$HERE/arena"
    printf '%s\\n' "${COMPREPLY[@]}"
done
"""


def test_bash_completes(tmp_path: os.PathLike[str]) -> None:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    program = os.path.join(tmp_path, "arena")  # noqa: PTH118
    with open(program, "w") as file:  # noqa: PTH123
        file.write(f'#!/bin/sh\nexec "{sys.executable}" -m bridge_arena.commands.main "$@"\n')
    os.chmod(program, 0o755)  # noqa: PTH101
    ended = subprocess.run(
        ["bash", "-c", BASH],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHON": sys.executable,
            "HERE": os.fspath(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert ended.stdout.split() == ["--boards", "--boards-from", "montecarlo"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_script(shell: str) -> None:
    ended = subprocess.run(
        [*ARENA, "completion", shell],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert f"{COMPLETE}=complete_{shell}" in ended.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=ended.stdout, text=True, check=True)
