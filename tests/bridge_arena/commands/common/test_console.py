"""The console on standard output."""

from __future__ import annotations

import sys

import pytest
from rich.text import Text

from bridge_arena.bots.registry import SHIPPED
from bridge_arena.commands.bots import bots, description
from bridge_arena.commands.common.console import output_console
from bridge_arena.reports.common.columns import new_table

WORDS = "word " * 30 + "end"


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_text_is_folded_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output_console().print(Text(WORDS))
    assert capsys.readouterr().out == f"{WORDS}\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output_console().print(Text(WORDS))
    assert capsys.readouterr().out.count("\n") == 2


def test_the_cells_of_a_table_are_folded_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    table = new_table("Title")
    table.add_column("No.")
    table.add_column("Words")
    table.add_row("1", Text(WORDS))
    output_console().print(table)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_commands_print_on_the_console(capsys: pytest.CaptureFixture[str]) -> None:
    bots("champion")
    lines = capsys.readouterr().out.splitlines()
    assert set(description(SHIPPED["champion"].load())) <= set(lines)
