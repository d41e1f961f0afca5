"""Tests of `dev`, which runs a command in the project's environment."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

DEV = Path(__file__).parents[1] / "dev"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "dev: give a command, such as: "),
        (["--with", "nothing", "arena"], "dev: --with takes an extra of pyproject.toml, not 'noth"),
        (["--with"], "dev: --with takes an extra of pyproject.toml, not ''"),
    ],
)
def test_a_command_that_cannot_be_run_is_told_in_one_line(arguments: list[str], told: str) -> None:
    ended = subprocess.run([DEV, *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(told)
    assert ended.stderr.count("\n") == 1


def with_programs(folder: Path) -> None:
    """Lay a copy of `dev` there, with an environment whose programs tell what they were asked."""
    (folder / "dev").write_bytes(DEV.read_bytes())
    (folder / "pyproject.toml").write_text("train = [\ndocs = [\n")
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "arena", "ruff"):
        program = programs / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" $PYTHONDONTWRITEBYTECODE\n')
        program.chmod(0o755)


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("arena train dqn --lessons 3", "train"),
        ("arena train neural", "train"),
        ("arena train qplay", "arena"),
        ("arena train deals 10", "arena"),
        ("arena train --help", "arena"),
        ("arena train", "arena"),
        ("arena match dqn random", "arena"),
        ("--with docs arena train dqn", "docs"),
        ("ruff check", "dev"),
    ],
)
def test_extras_that_a_command_needs_are_installed_once(
    tmp_path: Path, command: str, extra: str
) -> None:
    with_programs(tmp_path)
    for times in range(2):
        ended = subprocess.run(
            ["bash", tmp_path / "dev", *command.split()], capture_output=True, text=True, check=True
        )
        installed = f"-e {tmp_path}[arena,{extra}]" in ended.stderr
        assert installed == (times == 0)
        assert ended.stdout.strip() == command.removeprefix("--with docs ")


def test_programs_may_keep_what_they_compile(tmp_path: Path) -> None:
    with_programs(tmp_path)
    ended = subprocess.run(
        ["bash", tmp_path / "dev", "arena", "doctor"],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == "arena doctor\n"
