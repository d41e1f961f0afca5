"""The check of the bot's end."""

from __future__ import annotations

from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.point_errors import NotHeldError

ENDING_SECONDS = 5.0
"""The time that the process has to end after Goodbye, in seconds."""


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
