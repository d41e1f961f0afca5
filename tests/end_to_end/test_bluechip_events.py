"""Programs that speak Blue Chip in events, with real processes all around."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.record import BoardRecord, FaultKind, Room
from tests.end_to_end.arena import ROOT, arena, log_of, records_of
from tests.end_to_end.programs import awaiting, programs, running, write_program
from tests.end_to_end.serving import served

CLAIMING = f"cmd:{shlex.quote(sys.executable)} {ROOT / 'docs' / 'examples' / 'claiming_bot.py'}"


def write_event(folder: Path, *bots: str, keys: str = "boards = 2", policies: str = "") -> None:
    entries = "".join(f"[[entry]]\nbot = '''{bot}'''\n" for bot in bots)
    head = '[event]\nname = "Cup"\nformat = "match"\nseed = 5\n'
    (folder / "event.toml").write_text(f"{head}{keys}\n[policies]\n{policies}\n{entries}")


def records(folder: Path) -> list[BoardRecord]:
    """Without what tells when they were played, and in what event."""
    found = records_of(folder / "match.pbn")
    return [replace(each, times=(), date="", event="") for each in found]


def played_here(folder: Path, *arguments: str) -> list[BoardRecord]:
    """What becomes of the same match over websockets."""
    ended = arena(folder, "match", *arguments, "--seed", "5", "--out", "here")
    assert ended.status == 0, ended
    return records(folder / "here")


def test_a_match_is_the_same_over_either_protocol(tmp_path: Path) -> None:
    """However many tables: both rooms are played at once, and no table has a program that
    another has."""
    write_event(tmp_path, "bluechip:A", "random", keys="boards = 3")
    with (
        awaiting(tmp_path, "--concurrency", "3") as (server, port),
        programs(tmp_path, "baseline", port, "A") as bots,
    ):
        assert server.end() == 0
        assert [bot.communicate()[1] for bot in bots] == [""] * 4
        assert [bot.returncode for bot in bots] == [0] * 4
    assert "waiting for A: N E S W, a program in each seat" in server.lines
    expected = played_here(tmp_path, "A=baseline", "random", "--boards", "3")
    assert records(tmp_path / "out") == expected
    seated = {(line["bot"], line["says"]) for line in log_of(tmp_path / "out") if "says" in line}
    assert ("A (N)", "A (Blue Chip)") in seated


@pytest.mark.slow
def test_both_teams_over_blue_chip_each_with_its_own_quirks(tmp_path: Path) -> None:
    quirks = ["card=suit-rank", "dummy_lead=none", "timing=no"]
    write_event(tmp_path, "bluechip:A", f"bluechip:The B team:{','.join(quirks)}")
    options = [word for quirk in quirks for word in ("--quirk", quirk)]
    with (
        awaiting(tmp_path) as (server, port),
        programs(tmp_path, "baseline", port, "a") as first,
        programs(tmp_path, "natural", port, "the b  TEAM", *options) as second,
    ):
        assert server.end() == 0
        assert [bot.communicate()[1] for bot in (*first, *second)] == [""] * 8
    expected = played_here(tmp_path, "A=baseline", "The B team=natural", "--boards", "2")
    assert records(tmp_path / "out") == expected


def test_a_board_that_is_only_bid(tmp_path: Path) -> None:
    write_event(tmp_path, "bluechip:A", "baseline", keys='boards = 2\nmode = "bidding"')
    with (
        awaiting(tmp_path) as (server, port),
        programs(tmp_path, "natural", port, "A") as bots,
    ):
        assert server.end() == 0
        assert [bot.communicate()[1] for bot in bots] == [""] * 4
    expected = played_here(
        tmp_path, "A=natural", "baseline", "--boards", "2", "--mode", "bidding"
    )
    assert records(tmp_path / "out") == expected


@pytest.mark.slow
def test_boards_that_are_claimed_against_programs(tmp_path: Path) -> None:
    keys = 'boards = 6\nclaims = "checked"'
    write_event(tmp_path, "bluechip:A", CLAIMING, keys=keys)
    with (
        awaiting(tmp_path) as (server, port),
        programs(tmp_path, "baseline", port, "A") as bots,
    ):
        assert server.end() == 0
        assert [bot.communicate()[1] for bot in bots] == [""] * 4
    claims = [line for line in log_of(tmp_path / "out") if line["event"] == "claim"]
    assert any(line["accepted"] for line in claims)
    found = records(tmp_path / "out")
    assert any(len(record.cards) < 52 for record in found if record.contract)
    assert all(record.is_finished and not record.faults for record in found)


# Ends itself in the auction of the second board, where nobody has done so yet.
CRASHING = """
    import os
    from bots.baseline.bot import BaselineBot

    class Crashing(BaselineBot):
        def call(self, view):
            mark = Path({mark!r})
            if view.number == 2 and not mark.exists():
                mark.touch()
                os._exit(5)
            return super().call(view)

    main(Crashing())
"""


@pytest.mark.slow
def test_a_program_that_is_lost_costs_a_board_and_may_be_started_again(tmp_path: Path) -> None:
    write_event(tmp_path, "bluechip:A", "random", keys="boards = 3")
    command = write_program(tmp_path, "crashing", CRASHING.format(mark=str(tmp_path / "mark")))
    with ExitStack() as contexts:
        server, port = contexts.enter_context(awaiting(tmp_path))
        contexts.enter_context(programs(tmp_path, "baseline", port, "A", seats="ESW"))
        north = contexts.enter_context(running([*command, port, "A", "N"]))
        assert north.wait() == 5
        north = contexts.enter_context(running([*command, port, "A", "N"]))
        assert server.end() == 0
        assert north.wait() == 0
    found = records(tmp_path / "out")
    lost = [record for record in found if not record.is_finished]
    assert [(record.board.number, record.room) for record in lost] == [(2, Room.OPEN)]
    (fault,) = lost[0].faults
    assert (str(fault.seat), fault.kind) == ("N", FaultKind.DISCONNECT)
    assert fault.detail == "connection lost (the connection was closed)"
    assert lost[0].adjusted is not None
    log = log_of(tmp_path / "out")
    about = [line["event"] for line in log if line.get("bot") == "A (N)"]
    assert about == ["seated", "connection", "bot_lost", "seated"] or about == [
        *("seated", "connection", "bot_lost", "connection", "seated")
    ]
    expected = played_here(tmp_path, "A=baseline", "random", "--boards", "3")
    others = [record for record in found if record is not lost[0]]
    assert others == [each for each in expected if (each.board.number, each.room) != (2, Room.OPEN)]


def test_who_does_not_come_loses_boards_and_then_its_place(tmp_path: Path) -> None:
    write_event(tmp_path, "bluechip:A", "random", policies="no_show = 0.5\nrestarts = 1")
    with awaiting(tmp_path) as (server, port), programs(tmp_path, "random", port, "B", seats="N") as bots:
        assert server.end() == 1
        refusal = bots[0].communicate()[1]
    assert refusal == (
        "arena: the manager says: Error: team 'B' is not expected here (A)\n"
    )
    assert any("did not connect within 0.5 s" in line for line in server.lines)
    assert "A was withdrawn in round 1: disconnect: bot A (" in server.errors
    log = log_of(tmp_path / "out")
    assert {line["bot"] for line in log if line["event"] == "no_show"} >= {"A (N)", "A (S)"}


def test_a_public_host_is_warned_of(tmp_path: Path) -> None:
    write_event(tmp_path, "bluechip:A", "random", policies="no_show = 0.1\nrestarts = 0")
    with served(tmp_path, "--bluechip-port", "0", "--host", "0.0.0.0") as server:
        assert server.end() == 1
    assert (
        "arena: Blue Chip has no passwords: whoever can reach 0.0.0.0 port 0 can take a "
        "program's seat\n"
    ) in server.errors


@pytest.mark.parametrize("command", ["tournament", "match"])
def test_programs_come_to_served_events_only(tmp_path: Path, command: str) -> None:
    write_event(tmp_path, "bluechip:A", "random")
    arguments = ["event.toml"] if command == "tournament" else ["bluechip:A", "random"]
    complaint = arena(tmp_path, command, *arguments).complaint(2)
    assert complaint == "bluechip:A comes by itself: play an event by arena serve"


def test_what_cannot_be_in_an_event_is_told_with_its_line(tmp_path: Path) -> None:
    bots = ("bluechip:A:tea=5", "bluechip:A", "bluechip:a")
    write_event(tmp_path, *bots, keys='mode = "play"')
    ended = arena(tmp_path, "serve", "event.toml")
    assert ended.status == 2
    told = [line.split(", bot: ")[0] for line in ended.errors.splitlines() if "bot: " in line]
    print(ended.errors)
    assert told == 0
