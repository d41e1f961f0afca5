"""The server of a robot, until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from ipaddress import ip_address

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.web.common.guard import local_hosts
from bridge_arena.web.live.server import serving
from bridge_arena.web.robot.application import Decider, RobotRequests


async def serve_robot(
    decider: Decider,
    who: str,
    system: System | None,
    listener: socket.socket,
    origins: Sequence[str],
    on_ready: Callable[[], None],
) -> None:
    """Answer requests until the task is cancelled.

    Args:
        decider: Decides about positions.
        who: What it is called in answers.
        system: The bidding system by which it explains calls; None if it has none.
        listener: The socket. On a loopback address only requests are answered that name this
            machine, so that no page of a stranger can ask under a name of its own.
        origins: The sites whose pages may read the answers.
        on_ready: Called once requests are answered.
    """
    host, port = listener.getsockname()[:2]
    hosts = local_hosts(port, host) if ip_address(host).is_loopback else None
    application = RobotRequests(decider, who, system).application(origins)
    async with serving(application, listener, hosts, tuple):
        on_ready()
        await asyncio.Event().wait()
