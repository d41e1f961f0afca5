"""Tests of `dev`, which runs a command in the project's environment: command lines that it cannot
run, and installs nothing for."""

from __future__ import annotations

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
def test_what_cannot_be_run_is_one_line(arguments: list[str], told: str) -> None:
    ended = subprocess.run([DEV, *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(told)
    assert ended.stderr.count("\n") == 1
