"""Checks that the bot comes to its tables, comes back when it is interrupted, and ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bridge_arena.conformance.bot_seat import GRACE, EndedError
from bridge_arena.conformance.exam import TABLES, Exam
from bridge_arena.conformance.game import Game, Trouble, after_bot
from bridge_arena.conformance.point import NotHeldError, NotPossibleError, UnsupportedError
from bridge_arena.protocol.messages import SUBPROTOCOL, VERSION, YourTurn
from bridge_arena.server.gateway import HELLO_SECONDS


async def handshake(exam: Exam) -> None:
    """Start the bot, and check its websocket handshake."""
    await exam.open(exam.home)
    expected = (
        f"a websocket handshake with Authorization: Bearer TOKEN and subprotocol {SUBPROTOCOL} "
        f"within {exam.terms.wait:g} s"
    )
    await _until(exam, lambda: exam.home.opened, expected, exam.terms.wait, lambda: _refused(exam))


async def hello(exam: Exam) -> str:
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


async def tables(exam: Exam) -> None:
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


async def delivery(exam: Exam) -> str:
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


def _refused(exam: Exam) -> str:
    """Return in words who came and was not let in."""
    if exam.admission.strangers:
        return "a handshake with another token, or none"
    if exam.counter.came:
        return "a connection, but no handshake that is good"
    return "no connection"


async def restarted(exam: Exam) -> None:
    """End the bot's process during a board, and start it again."""
    if exam.is_remote:
        raise NotPossibleError("a remote bot connects by itself, and check-bot does not start it")
    await _interrupted(exam, exam.restart)


async def cut_in_turn(exam: Exam) -> str:
    await _interrupted(exam, lambda: _cut(exam))
    return _how(exam)


async def cut_out_of_turn(exam: Exam) -> str:
    async def cut(game: Game, turn: YourTurn) -> None:
        await _cut(exam)
        await game.answer(turn)

    await exam.play(exam.declaring(), Trouble(cut, after_bot))
    return _how(exam)


async def _interrupted(exam: Exam, interrupt: Callable[[], Awaitable[None]]) -> None:
    """Play a board on which the bot is interrupted in its turn, at its third card."""

    async def interrupted(game: Game, turn: YourTurn) -> None:
        # The bot's answer may have arrived or not, and may be sent again.
        game.place.excuse(turn)
        await interrupt()
        await game.answer(turn)

    at_third = Trouble(
        interrupted, lambda game, turn: game.is_of_bot(turn) and len(game.answers) == 2
    )
    await exam.play(exam.declaring(), at_third)


async def _cut(exam: Exam) -> None:
    """Cut the connection, and wait until the bot is back."""
    place = exam.place
    place.cut()
    try:
        await exam.home.until(lambda: place.is_connected, GRACE)
    except EndedError as error:
        raise UnsupportedError(f"not supported: it ended ({error})") from None
    except TimeoutError:
        if exam.is_remote:
            raise UnsupportedError(f"not supported: it was not back within {GRACE:g} s") from None
        raise NotHeldError(
            f"a bot that comes back within {GRACE:g} s, or ends", "neither"
        ) from None


def _how(exam: Exam) -> str:
    """Return in words how the bot came back."""
    return "" if exam.place.hellos[-1].resume else "it came back by a Hello without resume"


ENDING_SECONDS = 5.0  # the time that the process has to end after Goodbye, in seconds


async def goodbye(exam: Exam) -> str:
    """Send Goodbye, and check that the bot's process ends with status 0."""
    for place in exam.home.seated:
        await place.say_goodbye("the check is over")
    if exam.is_remote:
        return "its process cannot be seen from here"
    how = await exam.home.end(ENDING_SECONDS)
    expected = f"a process that ends with status 0 within {ENDING_SECONDS:g} s of Goodbye"
    if how is None:
        raise NotHeldError(expected, "it still runs")
    if how.partition(":")[0] != "exit status 0":
        raise NotHeldError(expected, how)
    return ""
