"""Checks that the bot comes to its tables."""

from __future__ import annotations

from collections.abc import Callable

from bridge_arena.conformance.bot_seat import EndedError
from bridge_arena.conformance.exam import TABLES, Exam
from bridge_arena.conformance.point_errors import NotHeldError
from bridge_arena.protocol.messages import SUBPROTOCOL, VERSION
from bridge_arena.server.gateway import HELLO_SECONDS


async def handshake(exam: Exam) -> str:
    """Start the bot, and check its websocket handshake."""
    await exam.open(exam.home)
    expected = (
        f"a websocket handshake with Authorization: Bearer TOKEN and subprotocol {SUBPROTOCOL} "
        f"within {exam.terms.wait:g} s"
    )
    await _until(exam, lambda: exam.home.opened, expected, exam.terms.wait, lambda: _seen(exam))
    return ""


async def hello(exam: Exam) -> str:
    """Check the bot's Hello."""
    sitting = exam.home
    expected = (
        f"Hello of version {VERSION}, the first message, within {HELLO_SECONDS:g} s of connecting"
    )

    def heard() -> bool:
        return bool(sitting.seated or sitting.complaints)

    await _until(exam, heard, expected, HELLO_SECONDS + 1, lambda: "nothing")
    if not sitting.seated:
        raise NotHeldError(expected, sitting.complaints[0])
    said = sitting.seated[0].hellos[0]
    return f"{said.name} {said.bot_version}".strip()


async def tables(exam: Exam) -> str:
    """Check that the bot opens a connection for each of its tables."""
    sitting = exam.home
    expected = (
        f"{TABLES} connections with the same token, as Welcome.tables says, "
        f"within {exam.terms.wait:g} s"
    )
    try:
        await _until(
            exam,
            lambda: len(sitting.seated) == TABLES or bool(sitting.complaints),
            expected,
            exam.terms.wait,
            lambda: str(len(sitting.seated)),
        )
        if sitting.complaints:
            raise NotHeldError(expected, sitting.complaints[0])
    finally:
        exam.tables = len(sitting.seated)
    return ""


async def delivery(exam: Exam) -> str:
    """Return in words when events reach the bot."""
    return "live: as they happen" if exam.place.is_live else "turn: with its next turn"


async def _until(
    exam: Exam,
    holds: Callable[[], bool],
    expected: str,
    seconds: float,
    received: Callable[[], str],
) -> None:
    """Wait until something holds; raise NotHeldError if it does not in time."""
    try:
        await exam.home.until(holds, seconds)
    except TimeoutError:
        raise NotHeldError(expected, received()) from None
    except EndedError as error:
        raise NotHeldError(expected, f"{received()}; then the program ended: {error}") from None


def _seen(exam: Exam) -> str:
    """Return in words who came and was not let in."""
    if exam.admission.strangers:
        return "a handshake with another token, or none"
    if exam.counter.came:
        return "a connection, but no handshake that is good"
    return "no connection"
