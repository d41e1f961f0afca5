"""Tests of the bar that shows progress on the terminal."""

from __future__ import annotations

import pytest
from rich.console import Console

from bridge_arena.commands.common.console import progress_bar


def test_a_file_gets_what_is_printed_while_the_terminal_shows_a_bar(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress_bar(Console(stderr=True, force_terminal=True)):
        print("a line")
    assert capsys.readouterr().out == "a line\n"
