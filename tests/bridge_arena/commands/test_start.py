"""Tests of the packages that a program loads before it is of use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bridge_arena.commands.command_list import COMMANDS
from tests.patience import PATIENCE

HEAVY = {
    "alembic",
    "distributed",
    "endplay",
    "jinja2",
    "matplotlib",
    "networkx",
    "numba",
    "numpy",
    "scipy",
    "torch",
}
"""The modules that are slow to load, and that a match needs only for its report."""

WORK = HEAVY | {
    "asyncio",
    "bridge_arena.bots.registry",
    "bridge_arena.bots.sdk.client",
    "bridge_arena.oracle.pool",
    "bridge_arena.protocol.messages",
    "bridge_arena.tournaments.events.event",
    "bridge_arena.tournaments.store",
    "mcp",
    "prometheus_client",
    "rich.console",
    "sqlalchemy",
    "starlette",
    "uvicorn",
    "websockets",
}
"""The modules that a command needs when it works, but not to print its help."""

LIST = "print('loaded', *{name.partition('.')[0] for name, it in sys.modules.items() if it})"

HELP = f"import sys; from bridge_arena.commands.main import run; run(['--help']); {LIST}"

HELP_OF_EACH = """\
import sys
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typer import Typer
from bridge_arena.commands.command_list import COMMANDS, function_name
from bridge_arena.commands.main import DONE, run

def loaded():
    return {name for name, it in sys.modules.items() if it}

def tell_help(*words):
    before = loaded()
    with redirect_stdout(StringIO()):
        assert run([*words, "--help"]) == DONE
    print("help", " ".join(words), *loaded() - before, sep=",")

for name, command in COMMANDS.items():
    tell_help(name)
    program = getattr(import_module("bridge_arena.commands." + command.module), function_name(name))
    if isinstance(program, Typer):
        for each in program.registered_commands:
            tell_help(name, each.name)
"""

AT_FIRST_BOARD = f"""\
import sys
from tests.patience import PATIENCE
from bridge_arena.commands.main import main
from bridge_arena.tournaments.play.event_log import EventLog

write = EventLog.write

def written(log, what, **facts):
    if what == "board_ended":
        EventLog.write = write
        {LIST}
    write(log, what, **facts)

EventLog.write = written
main()
"""

AT_END = f"""\
import sys
from bridge_arena.commands.main import DONE, run
assert run(sys.argv[1:]) == DONE
{LIST}
"""

IN_THE_BARE_INSTALL = f"""\
import sys
from importlib import import_module
from importlib.metadata import requires
from pkgutil import walk_packages

for need in requires("bridge-arena"):
    if "extra ==" in need:
        sys.modules[need.partition(">")[0].replace("-", "_")] = None
import_module("bridge_arena.commands.main")
for room in ("bridge", "pbn", "protocol", "bots.sdk", "bots.random", "bots.baseline"):
    package = import_module("bridge_arena." + room)
    for module in walk_packages(package.__path__, package.__name__ + "."):
        import_module(module.name)
{LIST}
"""


def loaded(code: str, *arguments: str) -> set[str]:
    """Return the modules that a program reports to have loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    (line,) = (line for line in ended.stdout.splitlines() if line.startswith("loaded "))
    return set(line.split()[1:])


def test_help_loads_no_package_of_others() -> None:
    always = loaded(f"import sys; {LIST}")
    assert loaded(HELP) - always - sys.stdlib_module_names == {"bridge_arena"}


def test_help_of_no_command_loads_what_only_its_work_needs() -> None:
    """Each is told what it loads beyond those before it, so the first that does is named."""
    ended = subprocess.run(
        [sys.executable, "-c", HELP_OF_EACH],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    lines = [line.split(",") for line in ended.stdout.splitlines()]
    told = {words: set(modules) for _, words, *modules in lines}
    assert {words.split()[0] for words in told} == {*COMMANDS}
    assert {words: found for words, modules in told.items() if (found := modules & WORK)} == {}


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["full", "bidding"])
def test_first_board_of_a_match_needs_nothing_of_its_report(tmp_path: Path, mode: str) -> None:
    words = ("match", "random", "random", "--boards", "1", "--mode", mode)
    assert loaded(AT_FIRST_BOARD, *words, "--out", str(tmp_path / "out")) & HEAVY == set()


@pytest.mark.slow
def test_match_and_its_report_load_no_library_of_plots(tmp_path: Path) -> None:
    words = ("match", "random", "random", "--boards", "3", "--out", str(tmp_path / "out"))
    modules = loaded(AT_END, *words)
    assert (tmp_path / "out/report.html").read_text().count("<svg") == 3
    assert modules & {"endplay", "matplotlib", "PIL"} == set()


def test_a_bots_author_needs_no_extra() -> None:
    # Where anything of an extra was imported, the program would have failed.
    assert loaded(IN_THE_BARE_INSTALL) >= {"websockets", "msgpack", "pydantic"}
