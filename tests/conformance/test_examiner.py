"""Tests of the results of points, whatever their checks do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from bridge_arena.conformance.bot_seat import BotAdmission
from bridge_arena.conformance.exam import Exam, Examiner, Terms
from bridge_arena.conformance.point import (
    Finding,
    NotHeldError,
    NotPossibleError,
    Point,
    Status,
    UnsupportedError,
)
from bridge_arena.conformance.report import as_document, lines, summary
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.supervisor import Supervisor


async def holds(_: Exam) -> str:
    return "as it should"


async def fails(_: Exam) -> str:
    raise NotHeldError("this", "that\x1b[2J", asked={"seq": 1}, frame=[{"seq": 2}], output="a\nb")


async def does_without(_: Exam) -> str:
    raise UnsupportedError("not supported")


async def cannot(_: Exam) -> str:
    raise NotPossibleError("no table")


async def hangs(_: Exam) -> str:
    await asyncio.get_running_loop().create_future()
    return ""


def point(name: str, check: object, *needs: str, informs: bool = False) -> Point:
    return Point(name, f"the title of {name}", check, needs, informs, goes_on=False)  # type: ignore[arg-type]


async def examined(
    points: Sequence[Point], limit: float = 60.0
) -> tuple[Exam, list[Finding], list[Finding]]:
    """Return the exam, the findings, and the findings that were reported meanwhile; no bot takes
    part.
    """
    admission = BotAdmission()
    gateway = Gateway(admission.admit)
    exam = Exam(Terms((), 1.0, 0.1, 1), gateway, admission, Supervisor())
    told: list[Finding] = []
    async with gateway:
        findings = await Examiner(exam, told.append, limit).examine(points)
    return exam, findings, told


async def test_each_way_to_end_a_point_has_its_status() -> None:
    _, findings, told = await examined(
        [
            point("a", holds),
            point("b", holds, informs=True),
            point("c", fails),
            point("d", does_without),
            point("e", cannot),
            point("f", holds, "c"),
            point("g", holds, "f"),
            point("h", holds, "d", "e"),
        ]
    )
    assert told == findings
    assert [finding.status for finding in findings] == [
        Status.PASSED,
        Status.INFORMATION,
        Status.FAILED,
        Status.INFORMATION,
        Status.NOT_TRIED,
        Status.NOT_TRIED,
        Status.NOT_TRIED,
        Status.PASSED,
    ]
    notes = ["as it should", "as it should", "", "not supported", "no table"]
    assert [finding.note for finding in findings] == [*notes, "needs c", "needs f", "as it should"]


async def test_a_point_that_hangs_ends_with_the_check() -> None:
    _, findings, _ = await examined(
        [point("a", hangs), point("b", holds), point("c", holds)], limit=0.2
    )
    statuses = [Status.FAILED, Status.NOT_TRIED, Status.NOT_TRIED]
    assert [finding.status for finding in findings] == statuses
    assert findings[0].expected == "an end within 0.2 s"
    assert {finding.note for finding in findings[1:]} == {"the time of the check is over"}


async def test_a_check_whose_time_runs_out_between_points_has_failed() -> None:
    _, findings, _ = await examined([point("a", holds), point("b", holds)], limit=0.0)
    assert [finding.status for finding in findings] == [Status.FAILED, Status.NOT_TRIED]
    assert findings[0].expected == "an end of the check within 0 s"


async def test_each_point_is_printed_with_its_status() -> None:
    exam, findings, _ = await examined([point("a", holds), point("b", fails)])
    assert list(lines(findings[0])) == [
        "passed     a                      the title of a: as it should"
    ]
    assert [line.split(maxsplit=1) for line in lines(findings[1])] == [
        ["FAILED", "b                      the title of b"],
        ["expected:", "this"],
        ["received:", "that\\x1b[2J"],
        ["asked:", '{"seq": 1}'],
        ["frame:", '[{"seq": 2}]'],
        ["output:", "a"],
        ["output:", "b"],
    ]
    assert summary(findings) == "1 passed, 1 failed, 0 not tried"
    document = json.loads(json.dumps(as_document(findings, exam)))
    assert document["passed"] is False
    assert document["bot"] is None
    assert document["counts"] == {"passed": 1, "failed": 1, "not tried": 0, "information": 0}
    assert document["points"][1] == {
        "id": "b",
        "title": "the title of b",
        "status": "failed",
        "note": "",
        "expected": "this",
        "received": "that\x1b[2J",
        "asked": {"seq": 1},
        "frame": [{"seq": 2}],
        "output": "a\nb",
    }
