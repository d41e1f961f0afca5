"""Checks that the bot comes back after its connection or process ended during a board."""

from __future__ import annotations

from bridge_arena.conformance.bot_seat import GRACE, EndedError
from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.game import Game
from bridge_arena.conformance.point_errors import NotHeldError, NotPossibleError, UnsupportedError
from bridge_arena.protocol.messages import YourTurn


async def restarted(exam: Exam) -> str:
    """End the bot's process during a board, and start it again."""
    if exam.is_remote:
        raise NotPossibleError("a remote bot connects by itself, and check-bot does not start it")

    class Restarted(_Interrupted):
        async def interrupt(self) -> None:
            await exam.restart()

    await exam.play(exam.declaring(), Restarted)
    return ""


async def in_turn(exam: Exam) -> str:
    """Cut the bot's connection in its turn."""

    class Cut(_Interrupted):
        async def interrupt(self) -> None:
            await _cut(exam)

    await exam.play(exam.declaring(), Cut)
    return _how(exam)


async def out_of_turn(exam: Exam) -> str:
    """Cut the bot's connection out of its turn."""

    class CutMeanwhile(Game):
        was_cut = False

        async def other_turn(self, turn: YourTurn) -> None:
            if self.answers and not self.was_cut:
                self.was_cut = True
                await _cut(exam)
            await super().other_turn(turn)

    await exam.play(exam.declaring(), CutMeanwhile)
    return _how(exam)


class _Interrupted(Game):
    """A board on which the bot is interrupted in its turn, at its third card."""

    was_interrupted = False

    async def interrupt(self) -> None:
        """Interrupt the bot."""
        raise NotImplementedError

    async def bot_turn(self, turn: YourTurn) -> None:
        if len(self.answers) == 2 and not self.was_interrupted:
            self.was_interrupted = True
            # The bot's answer may have arrived or not, and may be sent again.
            self.place.excuse(turn)
            await self.interrupt()
        await super().bot_turn(turn)


async def _cut(exam: Exam) -> None:
    """Cut the connection, and wait until the bot is back.

    Args:
        exam: The check.

    Raises:
        NotHeldError: The bot's program neither comes back nor ends.
        UnsupportedError: The bot ends, or, if it is remote, does not come back.
    """
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
