"""`python -m bridge_arena.bots.http_robot ROBOT`: the process of a seat that a robot plays."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time

from bridge_arena.base.extras import missing
from bridge_arena.bots.http_robot.robot import Robot
from bridge_arena.bots.sdk.client import run
from bridge_arena.bridge.record import Mode

REACH_SECONDS = 30.0  # the seconds for which a robot may still be starting before its seat is taken


def main() -> None:
    """Sit down as the robot that the command line names, once it is there and decides."""
    try:
        from bridge_arena.bots.http_robot.bot import (  # noqa: PLC0415
            HttpRobotBot,
            ProbeError,
            probe,
        )
        from bridge_arena.bots.http_robot.client import RobotClient  # noqa: PLC0415

        robot = Robot.parse(" ".join(sys.argv[1:]))
        client = RobotClient(robot)
        mode = _mode()
    except ValueError as error:
        sys.exit(str(error))
    except ModuleNotFoundError as error:
        sys.exit(missing("a robot over HTTP", "http", error.name or "") or str(error))
    _reach(robot)
    try:
        asyncio.run(probe(client, mode))
    except ProbeError as error:
        sys.exit(f"robot {robot.name} decides nothing: {error}")
    run(lambda: HttpRobotBot(robot.name, client))


def _mode() -> Mode:
    """Return what players decide in the event. Raises ValueError."""
    mode = os.environ.get("ARENA_MODE", Mode.FULL)
    if mode not in set(Mode):
        raise ValueError(f"ARENA_MODE is {mode!r}, expected {', '.join(Mode)}")
    return Mode(mode)


def _reach(robot: Robot) -> None:
    """Wait until the robot accepts a connection; exit the process if it does not."""
    until = time.monotonic() + REACH_SECONDS
    while True:
        try:
            socket.create_connection(robot.place, timeout=REACH_SECONDS).close()
        except OSError as error:
            # A name that nobody has does not come with waiting.
            if isinstance(error, socket.gaierror) or time.monotonic() > until:
                sys.exit(f"robot {robot.name} cannot be reached: {error.strerror or error}")
            time.sleep(0.5)
        else:
            return


if __name__ == "__main__":
    main()
