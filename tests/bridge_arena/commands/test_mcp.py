"""`arena mcp`: what happens when the agent leaves."""

from __future__ import annotations

import subprocess
import sys

import pytest

PLAYS_ON = """
import signal
import sys
from threading import Event
from bridge_arena.bots.mcp.seat import AgentSeat
from bridge_arena.commands.mcp import transports

transports._AGAIN = 0.1
if sys.argv[1:] == ["in the background"]:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
lost = []

def play():
    while True:
        try:
            Event().wait()
        except KeyboardInterrupt:
            if lost:
                raise
            lost.append(1)

try:
    transports.over_stdio(AgentSeat(), play)
except KeyboardInterrupt:
    print("it has ended", file=sys.stderr)
"""
"""What plays loses the first Ctrl-C."""


@pytest.mark.parametrize("started", ["by itself", "in the background"])
def test_a_ctrl_c_that_gets_lost_is_repeated(started: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PLAYS_ON, started],
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "it has ended\n")
