"""Tests of the program: its help, and how a command line that cannot be run ends."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

import bridge_arena
from bridge_arena.commands.command_list import COMMANDS, function_name
from bridge_arena.commands.common.examples import help_and_examples
from bridge_arena.commands.main import DONE, UNUSABLE, add_command, run
from tests.bridge_arena.commands.examples import examples_of
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
EVENT = ROOT / "docs/examples/events/round-robin.toml"
PBN = ROOT / "tests/end_to_end/release-0.1.pbn"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_of_commands_tells_what_their_own_help_does(name: str) -> None:
    module = import_module(f"bridge_arena.commands.{COMMANDS[name].module}")
    command = getattr(module, function_name(name))
    told = command.info.help if isinstance(command, typer.Typer) else help_and_examples(command)[0]
    assert str(told).partition("\n\n")[0] == COMMANDS[name].help


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_is_a_line_for_each_command_that_fits_a_terminal(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-len(COMMANDS) :]] == list(COMMANDS)
    assert max(map(len, lines)) <= 80


def commands() -> list[Callable[..., object]]:
    """Yield the functions of all commands, including those in groups."""
    found: list[Callable[..., object]] = []
    for name in COMMANDS:
        module = import_module(f"bridge_arena.commands.{COMMANDS[name].module}")
        command = getattr(module, function_name(name))
        if isinstance(command, typer.Typer):
            found += [each.callback for each in command.registered_commands if each.callback]
        else:
            found.append(command)
    return found


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.__qualname__)
def test_every_command_has_examples(command: Callable[..., object]) -> None:
    assert examples_of(command)


@pytest.mark.parametrize(
    "example",
    [example for command in commands() for example in examples_of(command)],
)
def test_examples_are_command_lines_of_the_program(example: str) -> None:
    """The commands have the options and accept their values; nothing is run."""
    if example.startswith("eval"):
        example = example.split('"')[1].strip("$()")
    _, name, *words = shlex.split(example.partition(" | ")[0])
    app = typer.Typer(add_completion=False)
    app.callback()(lambda: None)
    add_command(app, name)
    program = typer.main.get_command(app)
    with program.make_context("arena", [name, *words]) as context:
        _parse(context, program, [name, *words])


def _parse(context: Any, group: Any, words: list[str]) -> None:
    """Have the commands of groups read what is theirs."""
    name, command, rest = group.resolve_command(context, words)
    with command.make_context(name, rest, parent=context) as below:
        if hasattr(command, "resolve_command"):
            # Without the arguments that the group itself has.
            _parse(below, command, [*below._protected_args, *below.args])


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == DONE
    assert capsys.readouterr().out == f"Bridge Arena {bridge_arena.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["mtach"], "No such command 'mtach'. Did you mean 'match'? (see arena --help)"),
        (["nosuch"], "No such command 'nosuch' (see arena --help)"),
        (["boards", "inof"], "No such command 'inof'. Did you mean 'info'? (see arena boards"),
        (["boards", "nosuch"], "No such command 'nosuch' (see arena boards --help)"),
        (["--mode"], "No such option: --mode (see arena --help)"),
        (["match", "--bords", "3"], "No such option: --bords"),
        (["match", "--boards", "many"], "Invalid value for '--boards'"),
        (["match", "--mode", "biding"], "Invalid value for '--mode': 'biding' is not one of"),
    ],
)
def test_a_command_line_that_cannot_be_run_is_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == UNUSABLE
    output = capsys.readouterr()
    assert told in output.err
    assert output.err.startswith("arena: ")
    assert output.err.count("\n") == 1
    assert output.out == ""


@pytest.mark.parametrize(
    "arguments", ["postgresql://me:secret@db/arena", "match --mode postgresql://me:secret@db/arena"]
)
def test_no_error_tells_the_password_of_a_database(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments.split()) == UNUSABLE
    told = capsys.readouterr().err
    assert "postgresql://me:***@db/arena" in told
    assert "secret" not in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    [
        ("typer", "match random random", "arena"),
        ("typer", "report results", "report"),
        ("sqlalchemy", "tournament event.toml", "arena"),
        ("setproctitle", "match random random --seed 1 --boards 1 --out {out}", "arena"),
        ("numpy", "train qplay", "arena"),
        ("distributed", f"tournament {EVENT} --dask tcp://localhost:1 --out {{out}}", "cluster"),
        ("distributed", "ladder --demo --dask tcp://localhost:1 --out {out}", "cluster"),
        ("distributed", f"analyse {PBN} --dask tcp://localhost:1 --out {{out}}", "cluster"),
        ("pyarrow", f"analyse {PBN} --format parquet --out {{out}}", "parquet"),
        ("mcp.server.mcpserver", "mcp --boards 1 --out {out}", "mcp"),
        ("pg8000", "report postgresql://localhost/arena", "postgresql"),
    ],
)
def test_without_its_extra_a_command_names_it_in_one_line(
    missing: str, arguments: str, extra: str, tmp_path: Path
) -> None:
    result = _run_without(missing, arguments.format(out=tmp_path / "out"))
    name = arguments.split(maxsplit=1)[0]
    assert result.returncode == UNUSABLE
    begin = f"arena: {name} needs the extra {extra} ({missing} is not installed): "
    assert result.stderr.startswith(begin)
    assert result.stderr.count("\n") == 1
    assert name == "analyse" or not (tmp_path / "out").exists()


def _run_without(module: str, arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command line where a module is not installed."""
    code = (
        f"import sys; sys.modules[{module!r}] = None; "
        "from bridge_arena.commands.main import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments.split()],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_what_standard_output_cannot_show_is_a_question_mark() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "bridge_arena.commands.main", "bots"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii:strict"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (result.returncode, result.stderr) == (DONE, "")
    assert " ? 0." in result.stdout  # a mean and its error, as 0.41 ± 0.16
