"""The examiner, which tries all points one after the other, whatever the bot does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.point import (
    Finding,
    NotHeldError,
    NotPossibleError,
    Point,
    Status,
    UnsupportedError,
)
from bridge_arena.server.supervisor import StartError

MOST_ANSWERS = 200
"""The time of a point, as a multiple of the time that the bot has for one answer."""

_TIME_IS_OVER = "the time of the check is over"


class Examiner:
    """The examiner of one bot.

    Args:
        exam: The check.
        tell: Called with the finding of each point as soon as it is known.
        limit: The time for all points together, in seconds.
    """

    def __init__(self, exam: Exam, tell: Callable[[Finding], None], limit: float) -> None:
        self._exam = exam
        self._tell = tell
        self._limit = limit
        # The points that failed, or were not tried because others failed.
        self._failed: set[str] = set()
        self._astray = False  # whether the bot's state is unknown, so that it must sit down afresh
        self._over = ""  # the reason why nothing more can be tried; empty while it can

    async def examine(self, points: Sequence[Point]) -> list[Finding]:
        """Try the points in order.

        Raises:
            StartError: The bot's program cannot be started at all.
        """
        end = asyncio.get_running_loop().time() + self._limit
        findings: list[Finding] = []
        for point in points:
            finding = await self._look_at(point, end)
            if finding.status is Status.FAILED:
                self._failed.add(point.id)
            self._tell(finding)
            findings.append(finding)
        return findings

    async def _look_at(self, point: Point, end: float) -> Finding:
        needed = [name for name in point.needs if name in self._failed]
        if needed:
            self._failed.add(point.id)
            return _not_tried(point, f"needs {needed[0]}")
        left = end - asyncio.get_running_loop().time()
        if left <= 0 and not self._over:
            self._over = _TIME_IS_OVER
            expected = f"an end of the check within {self._limit:g} s"
            return NotHeldError(expected, "none").finding(point)
        if self._astray and not self._over:
            await self._renew()
        if self._over:
            return _not_tried(point, self._over)
        try:
            return await self._try(point, left)
        except NotHeldError as error:
            self._astray = True
            explained = await self._exam.home.with_last_words(error)
            return explained.finding(point)
        except UnsupportedError as error:
            self._astray = True
            return Finding(point.id, point.title, Status.INFORMATION, str(error))
        except NotPossibleError as error:
            return _not_tried(point, str(error))

    async def _try(self, point: Point, left: float) -> Finding:
        """Try a point in the seconds that are left, and return the finding of one that was held.

        Raises what `examine` and a `Check` raise.
        """
        exam = self._exam
        # A point that waits for the bot to come has time for that too.
        seconds = min(left, MOST_ANSWERS * exam.terms.seconds + exam.terms.wait)
        try:
            async with asyncio.timeout(seconds):
                note = await point.check(exam) or ""
                if point.goes_on:
                    await exam.go_on()
        except StartError as error:
            if not exam.home.opened:
                raise
            raise NotHeldError("a program that can be started", str(error)) from None
        except TimeoutError:
            if seconds == left:
                self._over = _TIME_IS_OVER
            raise NotHeldError(f"an end within {seconds:.1f} s", "none") from None
        status = Status.INFORMATION if point.informs else Status.PASSED
        return Finding(point.id, point.title, status, note)

    async def _renew(self) -> None:
        try:
            await self._exam.renew()
        except NotHeldError as error:
            self._over = f"the bot did not come again: {error.received}"
        except StartError as error:
            self._over = str(error)
        else:
            self._astray = False


def _not_tried(point: Point, why: str) -> Finding:
    return Finding(point.id, point.title, Status.NOT_TRIED, why)
