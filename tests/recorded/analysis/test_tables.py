"""Files of an analysis that take their place when all went well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge_arena.recorded.analysis.tables import replacing


def test_a_full_disk_leaves_the_file_as_it_was_and_is_told_of_it(tmp_path: Path) -> None:
    path = tmp_path / "analysis.csv"
    path.write_text("before")
    (tmp_path / ".analysis.csv.new").symlink_to("/dev/full")
    complaint = re.escape(f"No space left on device: '{path}'")
    with pytest.raises(OSError, match=complaint), replacing(path) as place:
        place.write_text("after")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
