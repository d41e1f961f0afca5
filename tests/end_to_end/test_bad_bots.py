"""Bots that misbehave, each as a program of its own, and what the arena makes of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import bridge_arena.bots.natural
from bridge_arena.bridge.record import FaultKind
from tests.end_to_end.arena import (
    Ended,
    arena,
    bot_pids,
    entry_name,
    is_alive,
    log_of,
    records_of,
    summary_of,
    write_bot,
)

PASSER = """
    import os, sys, time
    from bridge_arena.bots.sdk.client import Bot, run
    from bridge_arena.bridge.calls import PASS, Call
    from bridge_arena.bridge.cards import PACK, Card

    class Passer(Bot):
        def call(self, view):
            return PASS

        def play(self, view):
            return next(iter(view.legal_cards()))
"""

# From the third board on, North is gone.
CRASHING = (
    PASSER
    + """
    class Crashing(Passer):
        def call(self, view):
            if view.number == 3 and os.environ["ARENA_SEAT"] == "N":
                print("what is this card?", file=sys.stderr)
                raise RuntimeError("lost my mind")
            return PASS

    run(Crashing)
    """
)

KILLED = (
    PASSER
    + """
    class Killed(Passer):
        def call(self, view):
            if view.number == 3 and os.environ["ARENA_SEAT"] == "N":
                os.kill(os.getpid(), 9)
            return PASS

    run(Killed)
    """
)

LEAVING = (
    PASSER
    + """
    import bridge_arena.bots.sdk.tables
    from bridge_arena.protocol.messages import Leave
    from bridge_arena.protocol.session import ClientSession

    class Session(ClientSession):
        def send(self, action):
            if action.board == 3 and os.environ["ARENA_SEAT"] == "N":
                action = Leave(reason="no more bridge today")
            return super().send(action)

    bridge_arena.bots.sdk.tables.ClientSession = Session
    run(Passer)
    """
)

# Bids and plays what it must not, each time it is asked.
ILLEGAL = (
    PASSER
    + """
    class Illegal(Passer):
        def call(self, view):
            return Call("1C") if view.auction.calls else Call("XX")

        def play(self, view):
            return next(iter(PACK - view.legal_cards()))

    run(Illegal)
    """
)

# North thinks too long over its first call of every board.
SLOW = (
    PASSER
    + """
    class Slow(Passer):
        def call(self, view):
            if os.environ["ARENA_SEAT"] == "N" and len(view.auction.calls) < 4:
                time.sleep(0.6)
            return PASS

    run(Slow)
    """
)

GARBAGE = (
    PASSER
    + """
    import bridge_arena.bots.sdk.tables
    from bridge_arena.protocol.session import ClientSession

    class Session(ClientSession):
        def send(self, action):
            return b"\\xc1 what?"

    bridge_arena.bots.sdk.tables.ClientSession = Session
    run(Passer)
    """
)

# Opens the bidding, so that there is a play, which takes some time.
OPENER = (
    PASSER
    + """
    class Opener(Passer):
        def call(self, view):
            return PASS if any(call.is_bid for call in view.auction.calls) else Call("1NT")

    run(Opener)
    """
)


def play(
    folder: Path, program: str, *options: str, boards: int = 4, opponent: str = ""
) -> tuple[Ended, str]:
    """Play a match of the program against a good bot; return its end and the program's name."""
    bad = write_bot(folder, "bad", program)
    good = write_bot(folder, "good", opponent or OPENER)
    command = f"--boards {boards} --seed 1 --out out --concurrency 1"
    return arena(folder, "match", bad, good, *command.split(), *options), entry_name(bad)


def bad_one(folder: Path) -> dict[str, Any]:
    figures: dict[str, Any] = summary_of(folder / "out")["bots"][0]["conduct"]
    return figures


def faults_of_the_bad_one(folder: Path) -> list[FaultKind]:
    """Return the kinds of all faults; only the bad bot has any."""
    faults = [
        (fault, record.players[fault.seat])
        for record in records_of(folder / "out" / "match.pbn")
        for fault in record.faults
    ]
    assert all("bad.py" in name for _, name in faults)
    return [fault.kind for fault, _ in faults]


class TestForfeits:
    """A bot that is lost forfeits the match; the boards that were finished stand."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("program", "kind", "why"),
        [
            (CRASHING, "crash", "exit status 1: RuntimeError: lost my mind"),
            (KILLED, "crash", "killed by SIGKILL"),
            (LEAVING, "refused", "no more bridge today"),
        ],
        ids=["crash", "killed", "refused"],
    )
    def test_the_end_is_told_in_one_line(
        self, tmp_path: Path, program: str, kind: str, why: str
    ) -> None:
        ended, name = play(tmp_path, program)
        line = f"{name} forfeited the match on board 3 as North in the open room: {kind}: {why}"
        assert ended.complaint(1) == line
        assert "Traceback" not in ended.output

        out = tmp_path / "out"
        summary = summary_of(out)
        assert summary["winner"] == summary["names"][1]
        assert summary["forfeit"] == {
            "by": name,
            "board": 3,
            "room": "Open",
            "seat": "N",
            "fault": kind,
            "detail": why,
        }
        assert [bot["conduct"]["lost_players"] for bot in summary["bots"]] == [1, 0]
        assert summary["boards"] == 2, "the finished boards stand"
        lost = [line for line in log_of(out) if line["event"] == "bot_lost"]
        assert [line["bot"] for line in lost] == [f"{name} (N)"]
        assert lost[0]["why"] == f"{kind}: {why}"
        if program == CRASHING:
            assert "what is this card?" in lost[0]["output"]
            assert "Traceback" in lost[0]["output"]
        assert not any(map(is_alive, bot_pids(out)))

        if program == CRASHING:
            assert arena(tmp_path, "report", "out/match.pbn", "--out", "report").status == 0
            assert summary_of(tmp_path / "report") == summary
            (out / "summary.json").unlink()
            again = arena(tmp_path, "report", "out")
            assert (again.status, again.errors) == (0, "")
            assert summary_of(out) == summary

    @pytest.mark.slow
    def test_a_process_that_is_missed_at_several_tables_forfeits_once(self, tmp_path: Path) -> None:
        everywhere = CRASHING.replace(""" and os.environ["ARENA_SEAT"] == "N\"""", "")
        assert everywhere != CRASHING
        bad = write_bot(tmp_path, "bad", everywhere)
        good = write_bot(tmp_path, "good", OPENER)
        command = "--boards 8 --seed 1 --out out --concurrency 6"
        ended = arena(tmp_path, "match", bad, good, *command.split())
        assert "crash: exit status 1: RuntimeError: lost my mind" in ended.complaint(1)
        out = tmp_path / "out"
        assert [bot["conduct"]["lost_players"] for bot in summary_of(out)["bots"]] == [1, 0]
        # Several of its processes may crash at once, each of which is told of once.
        lost = [line["bot"] for line in log_of(out) if line["event"] == "bot_lost"]
        assert 1 <= len(lost) == len(set(lost))
        assert sum(not record.is_finished for record in records_of(out / "match.pbn")) == 1

    @pytest.mark.slow
    def test_nobody_waits_for_a_bot_that_thinks_on(self, tmp_path: Path) -> None:
        """The opponent at another table hangs when the match is forfeited."""
        hanging = PASSER + (
            """
    class Hanging(Passer):
        def call(self, view):
            if view.number == 3:
                time.sleep(600)
            return PASS

    run(Hanging)
    """
        )
        at_once = PASSER + (
            """
    class Leaver(Passer):
        def call(self, view):
            if view.number == 4:
                time.sleep(0.3)
                os._exit(5)
            return PASS

    run(Leaver)
    """
        )
        bad = write_bot(tmp_path, "bad", at_once)
        good = write_bot(tmp_path, "good", hanging)
        command = "--boards 6 --seed 1 --out out --concurrency 4"
        ended = arena(tmp_path, "match", bad, good, *command.split())
        assert "crash: exit status 5" in ended.complaint(1)
        assert not any(map(is_alive, bot_pids(tmp_path / "out")))


class TestFaults:
    """A bot that breaks a rule gets a substitute, and the match goes on."""

    @pytest.mark.slow
    def test_illegal_calls_and_cards_are_faults(self, tmp_path: Path) -> None:
        ended, _ = play(tmp_path, ILLEGAL, boards=2)
        assert ended.status == 0, ended
        kinds = faults_of_the_bad_one(tmp_path)
        assert set(kinds) == {FaultKind.ILLEGAL}
        assert bad_one(tmp_path)["illegal_actions"] == len(kinds)
        records = records_of(tmp_path / "out" / "match.pbn")
        assert all(record.is_finished for record in records)
        actions = [
            fault.action - len(record.calls) for record in records for fault in record.faults
        ]
        assert any(action < 0 for action in actions), "in the auction"
        assert any(action >= 0 for action in actions), "in the play"
        assert summary_of(tmp_path / "out")["boards"] == 2

    @pytest.mark.slow
    def test_garbage_is_a_fault(self, tmp_path: Path) -> None:
        ended, _ = play(tmp_path, GARBAGE, boards=1)
        assert ended.status == 0, ended
        kinds = faults_of_the_bad_one(tmp_path)
        assert set(kinds) == {FaultKind.MALFORMED}
        figures = bad_one(tmp_path)
        assert (figures["malformed"], figures["lost_players"]) == (len(kinds), 0)

    @pytest.mark.slow
    def test_an_answer_that_is_too_slow_is_a_fault(self, tmp_path: Path) -> None:
        """Its answer comes in the end, and is refused as stale."""
        ended, _ = play(tmp_path, SLOW, "--clock", "0.2", boards=2)
        assert ended.status == 0, ended
        kinds = faults_of_the_bad_one(tmp_path)
        assert set(kinds) == {FaultKind.TIMEOUT}
        figures = bad_one(tmp_path)
        assert (figures["timeouts"], figures["illegal_actions"]) == (len(kinds), 0)
        assert figures["timeouts"] >= 2, "North sits on the side of the bad bot in one room"
        assert summary_of(tmp_path / "out")["boards"] == 2


class TestNotSeated:
    """A bot never comes to its tables: nothing begins, and only its output is kept."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("program", "complaint"),
        [
            ("import sys; sys.exit('I do not play')", "exit status 1: I do not play"),
            ("", "exit status 0"),
            ("import nothing_like_that", "ModuleNotFoundError: No module named"),
        ],
        ids=["exits", "says nothing", "broken"],
    )
    def test_a_bot_that_ends_before_it_sits_down_ends_the_match_at_once(
        self, tmp_path: Path, program: str, complaint: str
    ) -> None:
        ended, name = play(tmp_path, program)
        line = ended.complaint(2)
        assert line.startswith(f"bot {name} (")
        assert ") ended before it sat down: exit status" in line
        assert complaint in line
        assert line.endswith("(its output is in out/log.jsonl)")
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["log.jsonl"]

    @pytest.mark.slow
    def test_a_mistake_in_a_bidding_table_is_told_before_the_first_card(
        self, tmp_path: Path
    ) -> None:
        """The mistake is reported before the first card, not when an auction reaches that line."""
        shipped = Path(bridge_arena.bots.natural.__path__[0]) / "tables"
        mine = shutil.copytree(shipped, tmp_path / "tables") / "slam.txt"
        lines = mine.read_text().splitlines()
        mine.write_text("\n".join([*lines, "@ 7C (7D) 7H (7S) 7NT", "Pass | S14 | never", ""]))
        program = f"""
            import sys
            from pathlib import Path
            from bridge_arena.bots.natural import system
            from bridge_arena.bots.__main__ import main

            system.resources.files = lambda _: Path({str(tmp_path)!r})
            sys.argv = ["bots", "natural"]
            main()
        """
        ended, name = play(tmp_path, program)
        line = ended.complaint(2)
        assert line.startswith(f"bot {name} (")
        assert (
            ") ended before it sat down: exit status 1: bot 'natural' cannot start: "
            f"natural/slam.txt:{len(lines) + 2}: 'S14' is not a term: 14 is no range"
        ) in line
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["log.jsonl"]

    @pytest.mark.slow
    def test_a_bot_whose_hello_is_garbage_is_not_seated(self, tmp_path: Path) -> None:
        rude = """
        import os
        from bridge_arena.bots.sdk.connection import Connection
        with Connection(os.environ["ARENA_URL"], os.environ["ARENA_TOKEN"]) as connection:
            connection.send(b"hi")
            while True:
                connection.receive()
        """
        ended, name = play(tmp_path, rude)
        line = ended.complaint(2)
        assert line.startswith(f"bot {name} (")
        assert " was not seated: " in line
        assert not (tmp_path / "out" / "results.sqlite").exists()

    @pytest.mark.slow
    def test_other_files_in_the_folder_stay_when_no_bot_is_seated(self, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "notes.txt").touch()
        assert arena(tmp_path, *"match random cmd:./nowhere --out out".split()).status == 2
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]

    def test_a_program_that_does_not_exist_is_told_in_one_line(self, tmp_path: Path) -> None:
        ended = arena(tmp_path, *"match baseline cmd:./nowhere --boards 1 --out out".split())
        assert ended.complaint(2) == (
            "nowhere (E): cannot start './nowhere': No such file or directory"
        )
        assert not (tmp_path / "out").exists()
