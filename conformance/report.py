"""The report of a check, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.frames import printable
from bridge_arena.conformance.point import Finding, Status

VERSION = 1  # the version of the JSON form; it changes when a key changes its meaning

_MARKS = {
    Status.PASSED: "passed",
    Status.FAILED: "FAILED",
    Status.NOT_TRIED: "not tried",
    Status.INFORMATION: "info",
}

_ID_WIDTH = 22
_OUTPUT_LINES = 12


def lines(finding: Finding) -> Iterator[str]:
    """Yield the lines of a finding for people: one, and for a failure its details."""
    note = f": {printable(finding.note)}" if finding.note else ""
    yield f"{_MARKS[finding.status]:<10} {finding.id:<{_ID_WIDTH}} {finding.title}{note}"
    if finding.status is not Status.FAILED:
        return
    yield _detail("expected", printable(finding.expected))
    yield _detail("received", printable(finding.received))
    if finding.asked is not None:
        yield _detail("asked", _as_json(finding.asked))
    if finding.frame is not None:
        yield _detail("frame", _as_json(finding.frame))
    for line in finding.output.splitlines()[-_OUTPUT_LINES:]:
        yield _detail("output", printable(line))


def summary(findings: Sequence[Finding]) -> str:
    """Return the number of points of each status in one line."""
    counts = Counter(finding.status for finding in findings)
    statuses = (Status.PASSED, Status.FAILED, Status.NOT_TRIED)
    return ", ".join(f"{counts[status]} {status}" for status in statuses)


def as_document(findings: Sequence[Finding], exam: Exam) -> dict[str, Any]:
    """Return all findings as a JSON document; docs/checking-a-bot.md describes the keys."""
    counts = Counter(finding.status for finding in findings)
    hellos = [hello for place in exam.home.places for hello in place.hellos]
    bot = hellos[0] if hellos else None
    return {
        "version": VERSION,
        "passed": not counts[Status.FAILED],
        "command": list(exam.terms.command),
        "bot": None
        if bot is None
        else {"name": bot.name, "version": bot.bot_version, "delivery": bot.delivery.value},
        "seed": exam.terms.seed,
        "seconds": exam.terms.seconds,
        "counts": {status.value: counts[status] for status in Status},
        "timing": exam.conduct.timing(),
        "points": [asdict(finding) for finding in findings],
    }


def _detail(word: str, text: str) -> str:
    return f"{'':<10} {word + ':':<9} {text}"


def _as_json(value: Any) -> str:
    return printable(json.dumps(value, ensure_ascii=False))
