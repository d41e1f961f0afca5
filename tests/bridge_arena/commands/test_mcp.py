"""`arena mcp`: what happens when the agent leaves, and when strangers come."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import ExitStack
from socket import create_connection

import pytest

from bridge_arena.bots.mcp.seat import AgentSeat
from bridge_arena.commands.common.options import LOOPBACK
from bridge_arena.commands.common.web import listener_at
from tests.bots.mcp.test_access import HEADERS, INITIALIZE, SECRET
from tests.late_imports import late_imports
from tests.patience import PATIENCE

with late_imports():
    import httpx2

    from bridge_arena.bots.mcp import access
    from bridge_arena.commands.mcp.transports import http_server

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


@pytest.mark.slow
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


async def test_a_crowd_of_silent_strangers_does_not_keep_the_agent_out() -> None:
    with listener_at(LOOPBACK, 0) as listener, ExitStack() as crowd:
        server = http_server(AgentSeat(), SECRET, listener)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        host, port = listener.getsockname()
        headers = {**HEADERS, "Host": f"{host}:{port}"}
        async with asyncio.timeout(PATIENCE), httpx2.AsyncClient() as client:
            for _ in range(100):
                crowd.enter_context(create_connection((host, port)))
            url = f"http://{host}:{port}{access.PATH}"
            answer = await client.post(url, json=INITIALIZE, headers=headers)
        server.should_exit = True
        await running
    assert answer.status_code == 200
