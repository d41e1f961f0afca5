"""Many files in several processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import pytest

from bridge_arena.commands.boards.files import map_files
from bridge_arena.commands.common.errors import FailedError


@pytest.mark.parametrize("workers", [1, 2, 9])
def test_results_come_in_the_order_of_the_files(workers: int, tmp_path: Path) -> None:
    paths = [tmp_path / f"{size}" for size in (3, 1, 2)]
    for path in paths:
        path.write_bytes(b"x" * int(path.name))
    assert list(map_files(os.path.getsize, [*map(str, paths)], workers)) == [3, 1, 2]


def test_standard_input_is_read_by_this_process() -> None:
    mine = os.getpid()
    assert list(map_files(lambda _: os.getpid(), ["a", "-", "b"], 2)) == [mine] * 3


def test_a_lost_process_is_told() -> None:
    leave = cast(Any, os._exit)
    with pytest.raises(FailedError, match="lost"):
        list(map_files(leave, cast(list[str], [3, 3]), 2))
