"""The double-dummy figures of boards whose pages are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.commands.common import solved_boards as module
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.commands.common.solved_boards import solved_boards
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solver import double_dummy_table
from bridge_arena.web.board.of_records import figures_of

FIRST, SECOND = Board.dealt(1, 1), Board.dealt(1, 2)


def test_the_first_boards_are_solved_and_then_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "MOST", 1)
    with LongWork(has_lines=False) as work:
        figures = solved_boards(work)
        table = double_dummy_table(FIRST.deal)
        of_first = figures_of(table, par(table, FIRST.dealer, FIRST.vulnerability))
        assert figures([FIRST, SECOND]) == {FIRST: of_first}
        monkeypatch.setattr(module, "MOST", 0)
        assert figures([SECOND, FIRST]) == {FIRST: of_first}


def test_nothing_is_solved_that_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", "")
    with LongWork(has_lines=False) as work:
        assert solved_boards(work)([FIRST]) == {}
