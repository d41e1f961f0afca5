"""Tests of what the organiser is told of clients with a wrong token."""

from __future__ import annotations

import json
from pathlib import Path

from bridge_arena.tournaments.play.announcements import MINUTE, MOST_LINES, WrongTokens
from bridge_arena.tournaments.play.event_log import EventLog


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_line_about_wrong_tokens_says_who_is_missing() -> None:
    lines: list[str] = []
    missing = ["A"]
    wrong = WrongTokens(lines.append, EventLog(), lambda: missing)
    wrong.note("192.0.2.1")
    missing = []
    wrong.note("192.0.2.2")
    missing = list("ABCDEFG")
    wrong.note("192.0.2.3")
    told = "was refused: its token is wrong or was replaced"
    assert lines == [
        f"a client from 192.0.2.1 {told}; bots of A are missing",
        f"a client from 192.0.2.2 {told}",
        f"a client from 192.0.2.3 {told}; bots of A, B, C, D, E and 2 more are missing",
    ]


def test_a_flood_of_wrong_tokens_is_told_in_a_few_lines_a_minute(tmp_path: Path) -> None:
    lines: list[str] = []
    clock = Clock()
    with EventLog(tmp_path / "log.jsonl") as log:
        wrong = WrongTokens(lines.append, log, list, clock)
        for _ in range(10_000):
            wrong.note("192.0.2.1")
        assert len(lines) == MOST_LINES
        clock.now = MINUTE
        for _ in range(10_000):
            wrong.note("192.0.2.1")
    assert len(lines) == 2 * MOST_LINES
    others = 10_000 - MOST_LINES
    assert f"was refused, as were {others} others since the last such line:" in lines[MOST_LINES]
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [(line["event"], line["others"]) for line in logged] == [
        ("wrong_token", others if place == MOST_LINES else 0) for place in range(2 * MOST_LINES)
    ]
