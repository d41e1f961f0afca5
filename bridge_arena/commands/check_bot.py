"""`arena check-bot`: a check whether a bot keeps to the protocol, point by point."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.commands.common.options import LOOPBACK, Host, Json, Port, print_json

if TYPE_CHECKING:
    from bridge_arena.conformance.exam import Terms
    from bridge_arena.conformance.point import Finding

WAIT = 60.0
WAIT_FOR_REMOTE = 600.0
"""The seconds to wait for a bot that is not started here."""


def check_bot(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- COMMAND", help="the command line that starts the bot"),
    ] = None,
    listen: Annotated[  # noqa: FBT002
        bool, typer.Option("--listen", help="start no bot: wait for one that connects by itself")
    ] = False,
    host: Host = LOOPBACK,
    port: Port = 0,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="time for each action, in seconds")
    ] = 10.0,
    wait: Annotated[
        float | None,
        typer.Option(min=0.1, help="time to connect, in seconds; default: 60, with --listen 600"),
    ] = None,
    limit: Annotated[
        float, typer.Option(min=1, help="time for the whole check, in seconds")
    ] = 1800.0,
    seed: Annotated[int, typer.Option(min=0, help="seed of the boards")] = 1,
    *,
    as_json: Json = False,
) -> None:
    """Check whether a bot keeps to the protocol, point by point.

    The bot is started as a match would start it, and plays boards in which every situation of
    the protocol comes up. Everything after -- is its command line.

    Examples:
        arena check-bot -- python my_bot.py
        arena check-bot --listen --port 7770
        arena check-bot --json -- ./bot
    """
    from bridge_arena.commands.common.signals import run_until_signalled
    from bridge_arena.conformance.exam import Terms
    from bridge_arena.conformance.point import Status
    from bridge_arena.server.gateway import GatewayError
    from bridge_arena.server.supervisor import StartError

    if listen == bool(command):
        raise UnusableError("give the bot's command after --, or --listen for one that comes")
    for name, number in (("--seconds", seconds), ("--wait", wait or 0), ("--limit", limit)):
        if not isfinite(number):
            raise UnusableError(f"{name} is {number}, expected a number of seconds")
    patience = wait or (WAIT_FOR_REMOTE if listen else WAIT)
    terms = Terms(tuple(command or ()), seconds, patience, seed)
    try:
        findings = run_until_signalled(_check(terms, host, port, limit, as_json=as_json))
    except (StartError, GatewayError) as error:
        raise UnusableError(str(error)) from None
    failed = [finding.id for finding in findings if finding.status is Status.FAILED]
    if failed:
        raise FailedError(f"failed: {', '.join(failed)}")


async def _check(
    terms: Terms, host: str, port: int, limit: float, *, as_json: bool
) -> Sequence[Finding]:
    """Examine the bot, and print the findings. Raises StartError and GatewayError."""
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.conformance.bot_seat import BotAdmission
    from bridge_arena.conformance.exam import HOME, TABLES, Exam, Examiner
    from bridge_arena.conformance.points import POINTS
    from bridge_arena.conformance.report import as_document, lines, summary
    from bridge_arena.server.gateway import Gateway
    from bridge_arena.server.supervisor import Supervisor

    admission = BotAdmission()
    gateway = Gateway(admission.admit, host=host, port=port)
    supervisor = Supervisor()
    exam = Exam(terms, gateway, admission, supervisor)

    work = LongWork()
    examining = work.begin("examining", len(POINTS), "points")

    def tell(finding: Finding) -> None:
        examining.advance()
        if not as_json:
            print("\n".join(lines(finding)), flush=True)

    async with gateway, supervisor:
        if not terms.command:
            place = f"ARENA_URL={gateway.url} ARENA_SEAT={HOME.letter}"
            typer.echo(
                f"waiting for a bot, {TABLES} tables in seat {HOME.letter}: "
                f"{place} ARENA_TOKEN={exam.home.token}",
                err=as_json,
            )
        with work:
            findings = await Examiner(exam, tell, limit).examine(POINTS)
        if as_json:
            print_json(as_document(findings, exam))
        else:
            print(summary(findings))
    return findings
