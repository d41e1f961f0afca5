"""Files that are written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge_arena.bots.library.learning.files import write_text_whole


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    for text in ("one", "two"):
        write_text_whole(path, text)
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_file_as_it_was_and_is_told_of_it(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    path.write_text("one")
    (tmp_path / "curve.csv.unfinished").symlink_to("/dev/full")
    complaint = re.escape(f"No space left on device: '{path}'")
    with pytest.raises(OSError, match=complaint):
        write_text_whole(path, "two")
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]
