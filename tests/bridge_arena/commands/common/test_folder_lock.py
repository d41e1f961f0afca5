"""Folders that one command at a time works in."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.folders import alone


def test_one_command_works_in_a_folder_at_a_time(tmp_path: Path) -> None:
    with (
        alone(tmp_path / "out"),
        pytest.raises(UnusableError, match="out is in use by another run"),
        alone(tmp_path / "out"),
    ):
        pytest.fail("two at once")
    with alone(tmp_path / "out"):
        pass


def test_nothing_is_left_of_a_lock_but_what_was_written(tmp_path: Path) -> None:
    with alone(tmp_path / "runs" / "out") as folder:
        (folder / "results").touch()
    assert [each.name for each in (tmp_path / "runs" / "out").iterdir()] == ["results"]


def test_folders_that_were_made_and_stay_empty_are_removed(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    for folder in (tmp_path / "runs" / "out", tmp_path / "before"):
        with pytest.raises(RuntimeError), alone(folder):
            raise RuntimeError
    assert [each.name for each in tmp_path.iterdir()] == ["before"]


def test_a_run_whose_folder_nobody_named_gets_one_of_its_own(tmp_path: Path) -> None:
    with (
        alone(None, tmp_path / "out") as one,
        alone(None, tmp_path / "out") as two,
        alone(None, tmp_path / "out") as three,
    ):
        assert [each.name for each in (one, two, three)] == ["out", "out-2", "out-3"]


def test_a_private_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    with alone(tmp_path / "out", is_private=True) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_place_where_no_folder_can_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(UnusableError, match=f"^cannot write {place}: "), alone(place):
            pytest.fail("no folder")
