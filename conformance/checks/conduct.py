"""Checks of the conduct that was watched throughout."""

from __future__ import annotations

from bridge_arena.conformance.conduct import Slips
from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.point_errors import NotHeldError


async def unasked(exam: Exam) -> str:
    """Check that the bot sent nothing unasked."""
    # The answer to a ping comes after everything sent before it.
    for place in exam.home.seated:
        await place.ping()
        await place.sweep()
    _none(exam.conduct.unasked, "no message that was not asked for")
    return ""


async def explanations(exam: Exam) -> str:
    """Check that the bot's explanations were of the protocol."""
    _none(exam.conduct.explanations, "explanations that are of the protocol")
    return ""


async def times(exam: Exam) -> str:
    """Return the times of the bot's answers in words."""
    timing = exam.conduct.timing()
    return (
        f"median {timing['median_ms']:g} ms, longest {timing['max_ms']:g} ms, "
        f"of {timing['actions']:g} actions"
    )


def _none(slips: Slips, expected: str) -> None:
    """Raise NotHeldError if there are slips."""
    slip = slips.first
    if slip is not None:
        more = f" (the first of {slips.count})" if slips.count > 1 else ""
        raise NotHeldError(expected, f"{slip.text}{more}", frame=slip.frame)
