"""Files given more than once."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.copies import without_copies


def test_each_text_once_and_the_others_are_told(tmp_path: Path) -> None:
    for name, text in (("a.pbn", "a"), ("b.pbn", "b"), ("c.pbn", "a")):
        (tmp_path / name).write_text(text)
    a, b, c = (tmp_path / name for name in ("a.pbn", "b.pbn", "c.pbn"))
    none = tmp_path / "none.pbn"
    problems: list[Problem] = []
    assert without_copies([a, b, a, c, none, none], problems.append) == [a, b, none, none]
    assert list(map(str, problems)) == [
        f"{a}: it is given twice: counted once",
        f"{c}: it is the same as {a}: counted once",
    ]
