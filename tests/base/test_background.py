"""A process in the background gives way to others, with its session."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bridge_arena.base.background import BACKGROUND, weigh_session

PROGRAM = """
import os
from bridge_arena.base.background import give_way
give_way()
os.write(1, b"%d\\n" % os.getpriority(os.PRIO_PROCESS, 0))
input()
"""


def test_a_process_gives_way_with_its_session() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) == BACKGROUND
        # Linux shares processors among sessions first, where it has a file to weigh them.
        session = Path(f"/proc/{process.pid}/autogroup")
        weight = session.read_text() if session.exists() else ""
        assert not weight or weight.endswith(f" nice {BACKGROUND}\n")
        process.communicate("\n")
    assert process.returncode == 0


def test_a_process_that_is_gone_cannot_be_weighed_and_does_no_harm() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert weigh_session(gone.pid, BACKGROUND)
