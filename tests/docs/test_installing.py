"""Tests that `docs/installing.md` names the extra of every command."""

from __future__ import annotations

import re

import pytest

from bridge_arena.commands.command_list import COMMANDS
from tests.data import ROOT

ROWS = re.findall(
    r"^\| (.*`.*) \| (`.*) \|$",
    (ROOT / "docs" / "installing.md").read_text(encoding="utf-8").partition("| command |")[2],
    re.MULTILINE,
)
"""The commands of each row, and their extras."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_extra_in_installing(name: str) -> None:
    (extras,) = [extras for commands, extras in ROWS if f"`{name}`" in commands]
    assert f"`{COMMANDS[name].extra}`" in extras
