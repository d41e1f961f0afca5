"""The program that a bot is started with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridge_arena.base.concurrency import THREADS

STARTED = """
import bridge_arena.bots.__main__ as program
program.run = lambda make: make()
program.main()
"""
"""Makes the bot of the command line as its program does."""

FORKED = """
import bridge_arena.bots.forking as program
program.forked = lambda: parse(sys.argv[1]) and None
program.main()
"""
"""Imports the bot before programs are forked."""

THREADS_OF = f"""
import os, sys
from bridge_arena.bots.registry import parse
{{}}
import numpy as np
np.ones((500, 500)) @ np.ones((500, 500))
print(os.environ.get({THREADS!r}), len(os.listdir("/proc/self/task")))
"""
"""Prints how many threads there are after a multiplication."""

AUTHORS = "from bridge_arena.bots.random.bot import RandomBot as Mine"


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted as Linux shows them")
@pytest.mark.parametrize(
    ("way", "bot", "given", "told"),
    [
        (STARTED, "fastplay", {}, "1 1"),
        (FORKED, "fastplay", {}, "1 1"),
        (STARTED, "minimax", {}, "1 1"),
        (STARTED, "mine.py:Mine", {}, "1 1"),
        (STARTED, "fastplay", {THREADS: "2"}, "2 "),
    ],
)
def test_a_bot_computes_in_one_thread_unless_it_is_told_otherwise(
    tmp_path: Path, way: str, bot: str, given: dict[str, str], told: str
) -> None:
    (tmp_path / "mine.py").write_text(AUTHORS)
    others = {name: value for name, value in os.environ.items() if name != THREADS}
    ended = subprocess.run(
        [sys.executable, "-c", THREADS_OF.format(way), bot],
        cwd=tmp_path,
        env=others | given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.startswith(told)
