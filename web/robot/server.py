"""The server of a robot, until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence

from bridge_arena.web.common.guard import local_hosts
from bridge_arena.web.live.server import serving
from bridge_arena.web.robot.application import RobotRequests
from bridge_arena.web.robot.asked_bot import AskedBot


async def serve_robot(
    bot: AskedBot,
    who: str,
    listener: socket.socket,
    origins: Sequence[str],
    on_ready: Callable[[], None],
) -> None:
    """Answer requests until the task is cancelled.

    Args:
        bot: The bot, which is started.
        who: What it is called in answers.
        listener: The socket. On a loopback address only requests are answered that name this
            machine, so that no page of a stranger can ask under a name of its own.
        origins: The sites whose pages may read the answers.
        on_ready: Called once requests are answered.

    Raises:
        StartError: The bot cannot be started.
        SeatingError: The bot ended before it could be asked.
        GatewayError: The bot's own server cannot listen.
    """
    host, port = listener.getsockname()[:2]
    hosts = local_hosts(port, host) if host in ("127.0.0.1", "::1") else None
    application = RobotRequests(bot, who).application(origins)
    async with bot, serving(application, listener, hosts, tuple):
        on_ready()
        await asyncio.Event().wait()
