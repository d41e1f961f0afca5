"""Checks a bot at some points only, or at all of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bridge_arena.conformance.bot_seat import BotAdmission
from bridge_arena.conformance.exam import Exam, Examiner, Terms
from bridge_arena.conformance.point import Finding, Point, Status
from bridge_arena.conformance.points import POINTS
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.supervisor import Supervisor
from tests.patience import FACTOR

FOLDER = Path(__file__).parent


def raw_bot(vice: str = "") -> list[str]:
    """Return the command that starts the bot without the SDK."""
    return [sys.executable, str(FOLDER / "raw_bot.py"), vice]


def up_to(*names: str) -> list[Point]:
    """Return points, and those that they need; the first connections always count."""
    needed = {"connect.handshake", "connect.hello", "connect.tables", *names}
    for point in reversed(POINTS):
        if point.id in needed:
            needed.update(point.needs)
    return [point for point in POINTS if point.id in needed]


async def findings_of(
    command: Sequence[str],
    points: Sequence[Point] = POINTS,
    *,
    seconds: float = 5.0,
    wait: float = 20.0,
    limit: float = 120.0,
) -> dict[str, Finding]:
    """Return the findings by their points. Times are for a machine that is not busy."""
    admission = BotAdmission()
    gateway = Gateway(admission.admit)
    supervisor = Supervisor()
    terms = Terms(tuple(command), seconds * FACTOR, wait * FACTOR, seed=1)
    exam = Exam(terms, gateway, admission, supervisor)
    async with gateway, supervisor:
        found = await Examiner(exam, lambda _: None, limit * FACTOR).examine(points)
    return {finding.id: finding for finding in found}


def failed(findings: dict[str, Finding]) -> list[str]:
    """The points that failed, in their order."""
    return [name for name, found in findings.items() if found.status is Status.FAILED]
