"""How an agent reaches its seat: standard input and output, or streamable HTTP.

The server has a thread of its own, as what is played handles the signals of the process.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
import threading
from contextlib import redirect_stdout, suppress
from functools import partial
from socket import socket

import uvicorn

from bridge_arena.bots.mcp.access import KNOWN, PATH, seat_application
from bridge_arena.bots.mcp.seat import AgentSeat
from bridge_arena.bots.mcp.tools import seat_server
from bridge_arena.commands.common.options import LOOPBACK
from bridge_arena.commands.mcp.games import Play
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.web.common.serving import QuietServer, local_hosts
from bridge_arena.web.common.streams import StreamingProtocol

_STRANGERS = 50
"""The most connections at once whose clients have not shown the secret; a new one takes the place
of the one that has waited longest."""

_AGAIN = 30.0
"""Seconds after which what is played is interrupted again, if it goes on without the agent."""


class _Known(StreamingProtocol):
    """HTTP whose connections are limited until their clients have shown the secret."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin with a connection, as a stranger's."""
        super().connection_made(transport)
        known = partial(self.limits.sits_or_goes, self._visit)
        self.app_state = {**self.app_state, KNOWN: known}


def over_stdio(agent: AgentSeat, play: Play) -> None:
    """Play, and serve over standard input and output until the agent leaves."""
    ready, over = threading.Event(), threading.Event()
    # A shell makes what it starts in the background ignore Ctrl-C; here it must end the play.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def serve() -> None:
        try:
            asyncio.run(seat_server(agent, ready.set).run_stdio_async())
        finally:
            ready.set()
            # If the agent has left, what is played ends as by Ctrl-C. One may get lost: until
            # Python 3.12, `asyncio.wait_for` drops it where what it waits for ends just then.
            while not (agent.is_closed or over.is_set()):
                os.kill(os.getpid(), signal.SIGINT)
                # Only now, so that the table does not take it for the fault of a player.
                agent.leave()
                over.wait(_AGAIN)

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    # The server has standard output for itself before anything is printed.
    ready.wait()
    try:
        with redirect_stdout(sys.stderr):
            play()
    finally:
        over.set()
    with suppress(KeyboardInterrupt):
        server.join()


def over_http(agent: AgentSeat, play: Play, listener: socket, secret: str) -> None:
    """Play, and serve over HTTP until Ctrl-C; without a `secret` a new one is printed."""
    port = listener.getsockname()[1]
    print(f"the seat is at http://{LOOPBACK}:{port}{PATH}", flush=True)
    if not secret:
        secret = secrets.token_urlsafe()
        print(f"with the header Authorization: Bearer {secret}", flush=True)

    def serve() -> None:
        asyncio.run(http_server(agent, secret, listener).serve(sockets=[listener]))

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    play()
    print("the agent can still ask for results until Ctrl-C", flush=True)
    with suppress(KeyboardInterrupt):
        server.join()


def http_server(agent: AgentSeat, secret: str, listener: socket) -> QuietServer:
    """Return the server of a seat over HTTP, which nobody without the secret can keep busy."""
    hosts = local_hosts(listener.getsockname()[1])
    limits = ConnectionLimits()
    limits.room = _STRANGERS
    config = uvicorn.Config(
        seat_application(seat_server(agent), secret, hosts),
        http=type("Limited", (_Known,), {"limits": limits}),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return QuietServer(config)
