"""Programs that speak Blue Chip in events, with real processes all around; with threads in
their place in `tests/tournaments/play/seating/test_bluechip_bots.py`."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.record import BoardRecord, FaultKind, Room
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.play.in_process import bid_at_tables, play_match
from tests.data import ROOT
from tests.end_to_end.arena import end_of, log_of, records_of
from tests.end_to_end.conftest import Here
from tests.end_to_end.programs import awaiting, programs, running, write_program

CLAIMING = f"cmd:{shlex.quote(sys.executable)} {ROOT / 'docs' / 'examples' / 'claiming_bot.py'}"


def write_event(
    folder: Path,
    *bots: str,
    keys: str = "seed = 5\nboards = 2",
    policies: str = "",
) -> None:
    entries = "".join(f"[[entry]]\nbot = '''{bot}'''\n" for bot in bots)
    head = '[event]\nname = "Cup"\nformat = "match"\npractice = true\n'
    (folder / "event.toml").write_text(f"{head}{keys}\n[policies]\n{policies}\n{entries}")


def records(folder: Path) -> list[BoardRecord]:
    return [as_played(each) for each in records_of(folder / "match.pbn")]


def as_played(record: BoardRecord) -> BoardRecord:
    """Return the record without its time, and without the event around the table."""
    return replace(
        record, event="", date="", times=(), match_seconds=(), scoring="", round=None, thoughts=()
    )


class Baseline(BaselineBot):
    """The shipped bot by the name of the team that comes."""

    name = "A"


class Natural(NaturalBot):
    """The same of another bot."""

    name = "The B team"


def played_here(first: str | type[Bot], second: str | type[Bot], boards: int) -> list[BoardRecord]:
    """Return the result of the same match at tables that know of no protocol."""
    return [as_played(each) for each in play_match(first, second, boards, seed=5).records]


@pytest.mark.slow
def test_a_match_is_the_same_over_either_protocol(tmp_path: Path) -> None:
    """However many tables: both rooms are played at once, and no table has a program that
    another has."""
    write_event(tmp_path, "bluechip:A", "random", keys="seed = 5\nboards = 3")
    with (
        awaiting(tmp_path, "--concurrency", "3") as (server, port),
        programs(tmp_path, "baseline", port, "A") as bots,
    ):
        assert server.end() == 0
        assert [bot.communicate()[1] for bot in bots] == [""] * 4
        assert [bot.returncode for bot in bots] == [0] * 4
    assert "waiting for A in seats N E S W: one program for each seat" in server.lines
    expected = played_here(Baseline, "random", 3)
    assert records(tmp_path / "out") == expected
    seated = {(line["bot"], line["says"]) for line in log_of(tmp_path / "out") if "says" in line}
    assert ("A (N)", "A (Blue Chip)") in seated


@pytest.mark.slow
def test_both_teams_may_speak_blue_chip_each_with_its_own_quirks(tmp_path: Path) -> None:
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
    expected = played_here(Baseline, Natural, 2)
    assert records(tmp_path / "out") == expected


@pytest.mark.slow
def test_programs_bid_boards_that_are_not_played(tmp_path: Path) -> None:
    write_event(
        tmp_path,
        "bluechip:A",
        "baseline",
        keys='seed = 5\nboards = 2\nmode = "bidding"',
    )
    with (
        awaiting(tmp_path) as (server, port),
        programs(tmp_path, "natural", port, "A") as bots,
    ):
        assert server.end() == 0
        assert [bot.communicate()[1] for bot in bots] == [""] * 4
    key = DealKey.of_seed(5)
    expected = bid_at_tables([key.board(1), key.board(2)], NaturalBot, BaselineBot, key)
    found = [[made.call for made in record.calls] for record in records(tmp_path / "out")]
    assert found == [calls for tables in expected for calls in tables]


@pytest.mark.slow
def test_boards_may_be_claimed_against_programs(tmp_path: Path) -> None:
    keys = 'seed = 2\nboards = 3\nclaims = "checked"'
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
    from bridge_arena.bots.baseline.bot import BaselineBot

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
    write_event(tmp_path, "bluechip:A", "random", keys="seed = 5\nboards = 3")
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
    about = [line["event"] for line in log_of(tmp_path / "out") if line.get("bot") == "A (N)"]
    assert set(about) == {"seated", "connection", "bot_lost"}
    assert (about[0], about.count("seated"), about.count("bot_lost")) == ("seated", 2, 1)
    expected = played_here(Baseline, "random", 3)
    others = [record for record in found if record is not lost[0]]
    assert others == [each for each in expected if (each.board.number, each.room) != (2, Room.OPEN)]


@pytest.mark.slow
def test_a_stranger_is_refused_and_who_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    """The server warns that anybody can enter if the host is public."""
    write_event(tmp_path, "bluechip:A", "random", policies="no_show = 3\nrestarts = 0")
    with (
        awaiting(tmp_path, "--host", "0.0.0.0") as (server, port),
        programs(tmp_path, "random", port, "B", seats="N") as (stranger,),
    ):
        refusal = stranger.communicate()[1]
        ended = end_of(server.process)
    assert refusal == "arena: the manager says: Error: team 'B' is not expected here (A)\n"
    assert ended.status == 1
    assert "did not connect within 3 s: the event goes on without it" in ended.output
    warning, *_, last = ended.errors.splitlines()
    assert warning == (
        "arena: tokens and cards travel unencrypted to 0.0.0.0: give --cert and --key"
    )
    assert "arena: Blue Chip has no passwords: whoever can reach 0.0.0.0" in ended.errors
    assert last.startswith("arena: A was withdrawn in round 1: disconnect: bot A (")


@pytest.mark.parametrize("command", ["tournament", "match"])
def test_programs_come_to_served_events_only(here: Here, tmp_path: Path, command: str) -> None:
    write_event(tmp_path, "bluechip:A", "random")
    arguments = ["event.toml"] if command == "tournament" else ["bluechip:A", "random"]
    complaint = here(command, *arguments).complaint(2)
    assert complaint == "bluechip:A comes by itself: play an event by arena serve"


def test_impossible_blue_chip_events_are_told_with_their_line(here: Here, tmp_path: Path) -> None:
    write_event(tmp_path, "bluechip:A:tea=5", "bluechip:A", keys='seed = 5\nmode = "play"')
    ended = here("serve", "event.toml")
    assert ended.status == 2
    quirk, mode = ended.errors.splitlines()
    known = "(NAME=VALUE with one of letters, card, "
    assert quirk.startswith(
        f"arena: event.toml:10: entry 1, bot: 'bluechip:A:tea=5': there is no quirk 'tea=5' {known}"
    )
    assert mode == (
        "arena: event.toml:12: entry 2, bot: a Blue Chip program bids for itself: not in mode play"
    )
