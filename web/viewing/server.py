"""The server of an application on this machine's loopback address."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from secrets import token_urlsafe

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bridge_arena.oracle.pool import Oracle
from bridge_arena.web.common.serving import Guard, QuietServer, SameUserProtocol, local_hosts
from bridge_arena.web.viewing.application import Library, Viewing
from bridge_arena.web.viewing.call_costs import CallCosts
from bridge_arena.web.viewing.figures import Figures

_CONNECTIONS = 100
"""The most connections at once; a browser has six."""


class _SameUserHttp(SameUserProtocol, H11Protocol):
    """HTTP with programs of this user."""


def serve(
    library: Library,
    title: str,
    port: int,
    call_costs: CallCosts,
    on_ready: Callable[[str], None],
) -> None:
    """Show boards to this user until SIGINT, SIGTERM or SIGHUP.

    Args:
        port: The port; 0 for any free one.
        on_ready: Called with the address once it answers.

    Raises:
        OSError: The port is not free.
    """
    key = token_urlsafe(16)
    with socket.create_server(("127.0.0.1", port)) as listener, Oracle() as oracle:
        port = listener.getsockname()[1]
        viewing = Viewing(library, title, Figures(oracle), call_costs)
        guarded = Guard(viewing.application(key), local_hosts(port))
        asyncio.run(_serve(guarded, listener, lambda: on_ready(f"http://127.0.0.1:{port}/{key}/")))


async def _serve(guarded: Guard, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    config = uvicorn.Config(
        guarded,
        http=_SameUserHttp,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        # Anybody can send these headers.
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    server = QuietServer(config)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, server.stop)
    on_ready()  # connections wait in the listener until they are accepted
    await server.serve(sockets=[listener])
