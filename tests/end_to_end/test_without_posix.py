"""What works on Windows: there are neither `fcntl` nor `resource`, nor all signals.

These are taken away before anything is imported, in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from pkgutil import walk_packages

import pytest

from bridge_arena import pbn, protocol
from bridge_arena.bots.sdk import client, tables
from bridge_arena.commands import main
from bridge_arena.commands.command_list import COMMANDS
from bridge_arena.commands.common import errors
from tests.data import ROOT
from tests.patience import PATIENCE

PRELUDE = """
import signal, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("SIGHUP", "SIGKILL", "SIGUSR1"):
    delattr(signal, name)
"""

SDK = [client.__name__, tables.__name__]

ROOMS = [
    module.name
    for room in (pbn, protocol)
    for module in walk_packages(room.__path__, f"{room.__name__}.")
]

# The package of `arena mcp` asks for the platform by its name, and would import fcntl here.
MODULES = [
    f"{main.__package__}.{command.module}" for name, command in COMMANDS.items() if name != "mcp"
]


def python(script: str, *arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + script, *arguments],
        cwd=folder,
        # Where it is Windows, filelock has another lock than fcntl's, and does not warn.
        env={"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore:only soft file lock"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("modules", [SDK, ROOMS, MODULES], ids=["SDK", "rooms", "commands"])
def test_every_module_can_be_imported_without_posix(modules: list[str]) -> None:
    ended = python("import importlib; [importlib.import_module(n) for n in sys.argv[1:]]", *modules)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.slow
def test_boards_are_dealt_and_read_without_posix(tmp_path: Path) -> None:
    run = f"from {main.__name__} import main; main()"
    dealt = python(run, *"deal 4 --seed 1 --out boards.pbn".split(), folder=tmp_path)
    assert (dealt.returncode, dealt.stderr) == (0, "")
    read = python(run, "pbn", "info", "boards.pbn", folder=tmp_path)
    assert (read.returncode, read.stderr) == (0, "")
    assert re.search(r"^deals +4$", read.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    "command", [name for name, command in COMMANDS.items() if command.is_posix]
)
def test_a_command_that_needs_posix_says_so(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(errors, "_IS_POSIX", False)
    assert main.run([command, "--help"]) == main.UNUSABLE
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"arena: arena {command} needs a POSIX system")
    assert complaint.count("\n") == 1
