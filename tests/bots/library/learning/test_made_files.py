from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from bridge_arena.bots.library.learning.made_files import make_missing
from bridge_arena.oracle.errors import OracleError
from tests.bots.library.learning.made import end, write


@pytest.mark.parametrize("waiting", [1, 32])
def test_what_is_missing_is_made_where_the_command_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    monkeypatch.setattr("bridge_arena.bots.library.learning.made_files._WAITING", waiting)
    monkeypatch.chdir(tmp_path)
    paths = [Path("files", f"{number}.txt") for number in range(4)]
    paths[0].parent.mkdir()
    paths[1].write_text("there already")
    told: list[int] = []
    make_missing(paths, partial(write, "made"), 2, told.append)
    assert told == [1, 2, 3, 4]
    assert [path.read_text() for path in paths] == ["made", "there already", "made", "made"]
    make_missing(paths, end, 2, told.append)
    assert told[4:] == [4]


def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    with pytest.raises(OracleError):
        make_missing([tmp_path / "files" / "one.txt"], end, 1, lambda _: None)
