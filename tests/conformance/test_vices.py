"""Bots that do one thing wrong fail at the point that is about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bridge_arena.conformance.checks import connecting
from bridge_arena.conformance.point import Status
from bridge_arena.conformance.points import POINTS
from tests.conformance.checking import FOLDER, failed, findings_of, raw_bot, up_to

AT_ONCE = {
    "subprotocol": ("connect.handshake", "HTTP 400"),
    "exits": ("connect.handshake", "I do not play"),
    "version": ("connect.hello", "expected version 1, received 2"),
    "seat": ("connect.hello", "Hello wants seat N"),
    "seq": ("turn.named", "seq 3, which is no open turn"),
    "leaves": ("turn.named", "Leave"),
    "thinks-aloud": ("turn.named", "a fifth"),
    "rubbish": ("turn.named", "not msgpack"),
    "text": ("turn.named", "received a text frame"),
    "long": ("turn.named", "exceeds limit of 65536 bytes"),
}
"""By the vice the point that fails, and what was received: where the bot gets no further."""

IN_TIME = {
    "never-comes": ("connect.handshake", "no connection", {"wait": 1.5}),
    "one-table": ("connect.tables", "1", {"wait": 8.0}),
    "silent": ("turn.named", "nothing", {"seconds": 1.0}),
}
"""The same, where something is waited for in vain, and the time that is too short for it.

A program must have started and sat down within its `wait`, also on a machine that is busy.
"""

LATER = {
    "no-passed": ("auction.passed", "I cannot take BoardEnd"),
    "redoubles": ("auction.doubled", "can be doubled"),
    "overbids": ("auction.seven", "insufficient"),
    "no-alerts": ("auction.explained", "I cannot take CallMade"),
    "never-dummy": ("play.declarer", "N does not hold it"),
    "revokes": ("play.defender", "S can follow suit to"),
    "no-bidding-only": ("boards.bidding", "I cannot take BoardEnd"),
    "table": ("tables.together", "for table 'table 1'"),
    "strict": ("forms.grown", "I cannot take"),
    "one-message": ("forms.gathered", "so many messages?"),
    "dies-on-error": ("error.illegal", "I cannot take Error"),
    "dies-on-timeout": ("error.timeout", "I cannot take Error"),
    "dies-on-substitute": ("error.substituted", "I cannot take Error"),
    "no-abandoned": ("abandoned.out-of-turn", "I cannot take BoardEnd"),
    "passes-claims": ("claims.defender", "MakeCall is illegal"),
    "no-claims": ("claims.defender", "I cannot take ClaimMade"),
    "no-snapshot": ("return.restarted", "nothing"),
    "floods": ("conduct.unasked", "which is no open turn"),
    "explains": ("conduct.explanations", "at most 500 characters"),
    "bad-status": ("end.goodbye", "exit status 3"),
}
"""The same, where the bot does well until then."""

ALSO = {
    "overbids": ["auction.doubled"],
    "redoubles": ["auction.seven"],
    "never-dummy": ["play.voids"],
    "revokes": ["play.declarer", "play.voids"],
    "no-abandoned": ["abandoned.in-turn"],
    "no-claims": ["claims.dummy"],
}
"""The other points of the check in which a vice shows."""


def bad_points(vice: str) -> list[str]:
    """All points in which a vice shows that comes later, in the order of the exam."""
    bad = {LATER[vice][0], *ALSO.get(vice, [])}
    return [point.id for point in POINTS if point.id in bad]


@pytest.mark.parametrize("vice", AT_ONCE)
async def test_a_bot_that_gets_no_further_fails_at_its_point(vice: str) -> None:
    point, received = AT_ONCE[vice]
    findings = await findings_of(raw_bot(vice), up_to("play.dummy"), seconds=2.5)
    assert failed(findings) == [point]
    assert received in findings[point].received
    later = list(findings)[list(findings).index(point) + 1 :]
    assert {findings[name].status for name in later if "connect" not in name} <= {Status.NOT_TRIED}


@pytest.mark.parametrize("vice", IN_TIME)
async def test_a_bot_that_is_waited_for_in_vain_fails_at_its_point(vice: str) -> None:
    point, received, times = IN_TIME[vice]
    findings = await findings_of(raw_bot(vice), up_to(point), **times)
    assert failed(findings) == [point]
    assert received in findings[point].received


@pytest.mark.slow
@pytest.mark.parametrize("vice", LATER)
async def test_a_bot_that_does_well_until_its_vice_fails_there(vice: str) -> None:
    point, received = LATER[vice]
    findings = await findings_of(raw_bot(vice), up_to(*bad_points(vice)), seconds=2.0)
    assert failed(findings) == bad_points(vice)
    assert received in findings[point].received
    blocked = [found for found in findings.values() if found.status is Status.NOT_TRIED]
    assert all(found.note.startswith("needs ") for found in blocked)


@pytest.mark.slow
@pytest.mark.parametrize("vice", ["overbids", "never-dummy", "dies-on-timeout"])
async def test_a_vice_shows_at_its_points_alone_in_the_whole_exam(vice: str) -> None:
    findings = await findings_of(raw_bot(vice), seconds=2.0)
    assert list(findings) == [point.id for point in POINTS]
    assert failed(findings) == bad_points(vice)


@pytest.mark.parametrize("vice", ["dies-on-error", "passes-claims"])
async def test_a_failure_is_shown_with_its_frames(vice: str) -> None:
    point, _ = LATER[vice]
    finding = (await findings_of(raw_bot(vice), up_to(point)))[point]
    assert finding.status is Status.FAILED
    assert finding.asked["type"] == "YourTurn"
    if vice == "dies-on-error":
        assert finding.frame is None
        assert finding.output == "raw bot: I cannot take Error"
        assert finding.received.endswith("exit status 4: raw bot: I cannot take Error")
    else:
        assert finding.frame[0]["type"] == "MakeCall"
        assert finding.expected == "AnswerClaim"
        assert not finding.output


async def test_a_bot_that_does_not_come_back_is_told_and_has_not_failed() -> None:
    findings = await findings_of(raw_bot("ends-when-cut"), up_to("return.out-of-turn"))
    assert not failed(findings)
    for name in ("return.in-turn", "return.out-of-turn"):
        assert findings[name].status is Status.INFORMATION
        assert findings[name].note.startswith("not supported: it ended")
    assert findings["return.restarted"].status is Status.PASSED


async def test_a_bot_may_come_back_by_a_hello_without_resume() -> None:
    findings = await findings_of(raw_bot("no-resume"), up_to("return.in-turn"))
    assert not failed(findings)
    assert findings["return.in-turn"].note == "it came back by a Hello without resume"


async def test_a_bot_that_neither_comes_back_nor_ends_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connecting, "GRACE", 0.5)
    findings = await findings_of(raw_bot("hangs-when-cut"), up_to("return.out-of-turn"))
    assert failed(findings) == ["return.in-turn"]
    assert findings["return.in-turn"].received == "neither"


async def test_a_bot_that_does_not_end_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "ENDING_SECONDS", 0.5)
    findings = await findings_of(raw_bot("lingers"), up_to("end.goodbye"))
    assert failed(findings) == ["end.goodbye"]
    assert findings["end.goodbye"].received == "it still runs"


async def test_the_check_is_over_when_its_time_is() -> None:
    findings = await findings_of(raw_bot("silent"), up_to("play.dummy"), seconds=60.0, limit=1.5)
    [point] = failed(findings)  # how far it comes depends on how soon it starts
    assert findings[point].expected.startswith("an end within ")


@pytest.mark.slow
async def test_a_bot_without_the_sdk_holds_all() -> None:
    findings = await findings_of(raw_bot())
    assert not failed(findings)
    assert Status.NOT_TRIED not in {found.status for found in findings.values()}


async def test_frames_are_not_tried_where_events_come_with_turns() -> None:
    frames = ["forms.gathered", "forms.single"]
    findings = await findings_of(raw_bot("turn"), up_to("forms.fragmented", *frames))
    assert not failed(findings)
    left_out = [name for name, found in findings.items() if found.status is Status.NOT_TRIED]
    assert left_out == frames


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_a_bot_does_the_check_ends(seed: int) -> None:
    chaos = [sys.executable, str(Path(FOLDER) / "chaos_bot.py"), str(seed)]
    findings = await findings_of(chaos, seconds=0.5, wait=2.0, limit=30.0)
    assert "connect.tables" in failed(findings)
    statuses = [finding.status for finding in findings.values()]
    assert statuses.count(Status.FAILED) >= 1
    assert len(findings) == len(set(findings))
