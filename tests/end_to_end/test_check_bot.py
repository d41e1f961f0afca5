"""`arena check-bot`, as the author of a bot uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridge_arena.conformance.point import Status
from bridge_arena.conformance.points import POINTS
from tests.conformance.checking import findings_of, up_to
from tests.data import ROOT
from tests.end_to_end.arena import ARENA, end_of, interrupt, started
from tests.end_to_end.conftest import Here

EXAMPLES = ROOT / "docs" / "examples"
RAW_BOT = ROOT / "tests" / "conformance" / "raw_bot.py"

BOTS = {
    "baseline": [*ARENA, "bot", "baseline"],
    "random": [*ARENA, "bot", "random"],
    "points_bot": [sys.executable, str(EXAMPLES / "points_bot.py")],
    "claiming_bot": [sys.executable, str(EXAMPLES / "claiming_bot.py")],
}

DECIDED = [
    point.id
    for point in POINTS
    if point.id.startswith(("auction.", "play.", "claims.", "seed.", "conduct."))
]
"""The points about what a bot decides by itself; the SDK sees to the others, for all bots alike."""

WITH_TURNS = {"forms.gathered", "forms.single"}
"""What is not tried with a bot that has asked for its events with its turns, as the SDK does."""


@pytest.mark.slow
def test_the_ten_line_bot_holds_all(here: Here) -> None:
    low_bot = [sys.executable, str(EXAMPLES / "low_bot.py")]
    ended = here("check-bot", "--json", "--seed", "3", "--", *low_bot)
    assert (ended.status, ended.errors) == (0, ""), ended
    found = json.loads(ended.output)
    assert found["passed"] is True
    assert found["command"] == low_bot
    assert found["bot"] == {"name": "LowBot", "version": "", "delivery": "turn"}
    assert (found["seed"], found["seconds"]) == (3, 10.0)
    assert [point["id"] for point in found["points"]] == [point.id for point in POINTS]
    not_tried = {point["id"] for point in found["points"] if point["status"] == "not tried"}
    assert not_tried == WITH_TURNS
    assert found["counts"]["failed"] == 0
    assert sum(found["counts"].values()) == len(POINTS)
    timing = found["timing"]
    assert timing["actions"] > 500
    assert 0 <= timing["median_ms"] <= timing["max_ms"]
    assert timing["max_ms"] > 0


@pytest.mark.slow
def test_a_bot_that_ships_holds_all(here: Here) -> None:
    ended = here("check-bot", "--", *ARENA, "bot", "natural")
    assert (ended.status, ended.errors) == (0, ""), ended
    lines = ended.output.splitlines()
    assert len(lines) == len(POINTS) + 1
    informing = sum(point.informs for point in POINTS)
    passed = len(POINTS) - len(WITH_TURNS) - informing
    assert lines[-1] == f"{passed} passed, 0 failed, {len(WITH_TURNS)} not tried"
    claims = next(line for line in lines if " claims.declarer " in line)
    assert claims.endswith(": it does not claim")
    alike = next(line for line in lines if " seed.twice " in line)
    assert ": the same " in alike


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTS)
async def test_other_bots_hold_what_they_decide(name: str) -> None:
    points = up_to(*DECIDED, "end.goodbye")
    findings = await findings_of(BOTS[name], points)
    informing = {point.id for point in points if point.informs}
    for point, found in findings.items():
        expected = Status.INFORMATION if point in informing else Status.PASSED
        assert found.status is expected, found
    claims = "it claims" if name == "claiming_bot" else "it does not claim"
    assert findings["claims.declarer"].note == claims
    assert findings["seed.twice"].note.startswith("the same ")


@pytest.mark.slow
def test_a_bot_that_fails_is_told_with_the_point(here: Here) -> None:
    ended = here("check-bot", "--seconds", "2", "--", sys.executable, str(RAW_BOT), "seq")
    assert ended.complaint(1) == "failed: turn.named"
    lines = ended.output.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("FAILED"))
    assert lines[at].split()[1] == "turn.named"
    words = [line.split()[0] for line in lines[at + 1 : at + 5]]
    assert words == ["expected:", "received:", "asked:", "frame:"]
    frame = json.loads(lines[at + 4].split(maxsplit=1)[1])
    asked = json.loads(lines[at + 3].split(maxsplit=1)[1])
    assert frame[0]["type"] == "MakeCall"
    assert frame[0]["seq"] == asked["seq"] + 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "give the bot's command after --, or --listen for one that comes"),
        ("--listen -- python", "give the bot's command after --, or --listen for one that comes"),
        ("-- ./nowhere", "bot (S): cannot start './nowhere': No such file or directory"),
        ("--seconds inf -- python", "--seconds is inf, expected a number of seconds"),
        ("--host 256.0.0.1 --listen", "cannot listen on 256.0.0.1 port 0: "),
    ],
)
def test_a_bot_that_cannot_be_checked_is_told_in_one_line(
    here: Here, arguments: str, complaint: str
) -> None:
    assert here("check-bot", *arguments.split()).complaint(2).startswith(complaint)


def test_a_check_can_be_interrupted(tmp_path: Path) -> None:
    with started(tmp_path, "check-bot", "--listen") as check:
        assert check.stdout is not None
        assert check.stdout.readline().startswith("waiting for a bot, 2 tables in seat S: ")
        assert interrupt(check).complaint(3) == "interrupted"


@pytest.mark.slow
@pytest.mark.parametrize("vice", ["", "silent"])
def test_a_bot_that_comes_by_itself_is_checked(tmp_path: Path, vice: str) -> None:
    with started(tmp_path, "check-bot", "--listen", "--seconds", "2", "--wait", "20") as check:
        assert check.stdout is not None
        told = check.stdout.readline().split(": ", 1)[1].split()
        environment = dict(word.split("=", 1) for word in told)
        assert set(environment) == {"ARENA_URL", "ARENA_SEAT", "ARENA_TOKEN"}
        bot = subprocess.Popen(
            [sys.executable, str(RAW_BOT), vice],
            env={**os.environ, **environment},
            stderr=subprocess.DEVNULL,
        )
        try:
            ended = end_of(check)
        finally:
            bot.kill()
            bot.wait()
    if vice:
        assert ended.complaint(1) == "failed: turn.named"
        assert ended.output.splitlines()[-2].startswith("passed     end.goodbye "), "it came back"
        return
    assert (ended.status, ended.errors) == (0, ""), ended
    not_tried = [line.split()[2] for line in ended.output.splitlines() if line[:9] == "not tried"]
    assert not_tried == ["return.restarted"]
