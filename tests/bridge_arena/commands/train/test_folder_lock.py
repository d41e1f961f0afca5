"""Folders that one command at a time works in."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.train.folder_lock import BusyError, alone


def test_one_command_works_in_a_folder_at_a_time(tmp_path: Path) -> None:
    with (
        alone(tmp_path),
        pytest.raises(BusyError, match="another command is at work in "),
        alone(tmp_path),
    ):
        pytest.fail("two at once")
    with alone(tmp_path):
        pass


def test_a_folder_that_is_not_there_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), alone(tmp_path / "none"):
        pytest.fail("nowhere")
