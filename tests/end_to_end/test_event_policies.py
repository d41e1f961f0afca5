"""Tests of the claims and policies of an event file, with programs that play in it."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bridge.record import BoardRecord, FaultKind, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.tournaments.store import Store
from tests.data import ROOT
from tests.end_to_end.arena import (
    Ended,
    arena,
    interrupt,
    log_of,
    records_of,
    started,
    summary_of,
    units_played,
    wait_until,
    without_timing,
    write_bot,
)
from tests.end_to_end.conftest import Here

CLAIMING = f"cmd:{shlex.quote(sys.executable)} {ROOT / 'docs' / 'examples' / 'claiming_bot.py'}"

# Claims all tricks that are left at every chance, and accepts what others claim.
GREEDY = """
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Greedy(BaselineBot):
        def claim(self, view):
            return 13 - len(view.playing.tricks)

        def answer_claim(self, view):
            return True

    run(Greedy)
"""

# Thinks for so many seconds over every call and card.
SLOW = """
    import os, time
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Slow(BaselineBot):
        def call(self, view):
            time.sleep({seconds})
            return super().call(view)

        def play(self, view):
            time.sleep({seconds})
            return super().play(view)

    run(Slow)
"""

ILLEGAL = """
    from bridge_arena.bots.sdk.client import run
    from bridge_arena.bots.random.bot import RandomBot
    from bridge_arena.bridge.calls import Call

    class Illegal(RandomBot):
        def call(self, view):
            return Call("1C") if view.auction.calls else Call("XX")

    run(Illegal)
"""


# Takes a while over every call, and notes what it has left for the match.
NOTING = """
    import time
    from bridge_arena.bots.baseline.bot import BaselineBot
    from bridge_arena.bots.sdk.client import run

    class Noting(BaselineBot):
        def call(self, view):
            with open("left.txt", "a") as notes:
                print(view.seat, view.number, view.turn.match_seconds, file=notes, flush=True)
            time.sleep(0.02)
            return super().call(view)

    run(Noting)
"""


def play(
    folder: Path, bots: dict[str, str], event: str, policies: str = "", tables: int = 2
) -> Ended:
    """Play a match of `bots` by an event file; its results are in `out`."""
    entries = "".join(
        f"[[entry]]\nname = '{name}'\nbot = '''{bot}'''\n" for name, bot in bots.items()
    )
    head = f"[event]\nname = 'Cup'\nformat = 'match'\n{event}\n[policies]\n{policies}\n"
    (folder / "cup.toml").write_text(head + entries)
    return arena(folder, "tournament", "cup.toml", "--out", "out", "--concurrency", str(tables))


def records(folder: Path) -> list[BoardRecord]:
    return records_of(folder / "out" / "match.pbn")


def lines_of(folder: Path, what: str) -> list[dict[str, Any]]:
    return [line for line in log_of(folder / "out") if line["event"] == what]


def check_files(here: Here, folder: Path) -> None:
    """The PBN file keeps to the standard, but for a table of faults, and alone tells what
    the store does."""
    if not any(record.faults for record in records(folder)):
        checked = here("pbn", "check", "out/match.pbn")
        assert (checked.status, "OK" in checked.output) == (0, True), checked
    alone = here("report", "out/match.pbn", "--out", "alone")
    assert (alone.status, alone.errors) == (0, ""), alone
    assert summary_of(folder / "alone") == summary_of(folder / "out")


def faults(record: BoardRecord, name: str) -> list[FaultKind]:
    return [fault.kind for fault in record.faults if record.players[fault.seat] == name]


class TestClaims:
    """The example bot claims the last tricks of some of these boards."""

    def check(self, folder: Path, policy: str, ended: Ended) -> list[dict[str, Any]]:
        """Return the claims of the log, and check each against the record of its board."""
        assert (ended.status, ended.errors) == (0, ""), ended
        assert f"Set otherwise than by default: claims {policy}." in ended.output
        assert summary_of(folder / "out")["terms"] == {"claims": policy}
        (began,) = lines_of(folder, "event_began")
        assert (began["clock"], began["claims"], began["policies"]["retries"]) == ("60", policy, 1)
        claims = lines_of(folder, "claim")
        by_board: dict[tuple[int, str], BoardRecord] = {
            (record.board.number, str(record.room).lower()): record for record in records(folder)
        }
        ended_by_claim = set()
        for claim in claims:
            key = claim["board"], claim["unit"].rpartition("/")[2]
            record = by_board[key]
            contract = record.contract
            assert contract is not None
            assert claim["seat"] == contract.declarer.letter
            assert claim["entry"] == record.players[contract.declarer]
            if claim["accepted"]:
                ended_by_claim.add(key)
                assert len(record.cards) == claim["cards_played"] < 52
                won = record.play().declarer_tricks
                assert record.tricks == won + claim["tricks"]
        for key, record in by_board.items():
            assert record.is_finished
            assert record.faults == ()
            passed_out = record.contract is None
            assert (len(record.cards) == 52) == (key not in ended_by_claim and not passed_out)
            assert record.score == score_ns(
                record.contract, record.tricks, record.board.vulnerability
            )
        return claims

    @pytest.mark.slow
    @pytest.mark.parametrize("policy", ["checked", "players"])
    def test_boards_end_by_claims(self, here: Here, tmp_path: Path, policy: str) -> None:
        bots = {"claiming": CLAIMING, "other": CLAIMING}
        ended = play(tmp_path, bots, f"boards = 3\nseed = 2\nclaims = '{policy}'")
        claims = self.check(tmp_path, policy, ended)
        assert len(claims) >= 2
        assert all(claim["accepted"] for claim in claims)
        check_files(here, tmp_path)
        analysed = here("analyse", "out/match.pbn", "--out", "analysed")
        assert (analysed.status, analysed.errors) == (0, ""), analysed

    @pytest.mark.slow
    def test_the_solver_refuses_what_cannot_be_made(self, here: Here, tmp_path: Path) -> None:
        greedy = write_bot(tmp_path, "greedy", GREEDY)
        bots = {"greedy": greedy, "other": greedy}
        ended = play(tmp_path, bots, "boards = 3\nseed = 1\nclaims = 'checked'")
        claims = self.check(tmp_path, "checked", ended)
        assert Counter(claim["accepted"] for claim in claims)[False] > 10
        assert any(claim["accepted"] for claim in claims)
        ledgers = [bot["ledger"] for bot in summary_of(tmp_path / "out")["bots"]]
        assert [ledger["boards"] for ledger in ledgers] == [3, 3]
        check_files(here, tmp_path)

    @pytest.mark.slow
    def test_a_plain_match_has_them_too(self, here: Here, tmp_path: Path) -> None:
        greedy = write_bot(tmp_path, "greedy", GREEDY)
        options = "--boards 2 --seed 1 --claims players --out out".split()
        ended = arena(tmp_path, "match", f"a={greedy}", f"b={greedy}", *options)
        claims = self.check(tmp_path, "players", ended)
        assert all(claim["accepted"] for claim in claims)
        assert len(claims) == sum(record.contract is not None for record in records(tmp_path))
        check_files(here, tmp_path)

    def test_where_no_card_is_played_there_are_none(self, here: Here, tmp_path: Path) -> None:
        options = "--mode bidding --claims checked --out out".split()
        complaint = here("match", "random", "random", *options).complaint(2)
        assert complaint.startswith("--claims: only where cards are played")
        assert not (tmp_path / "out").exists()


class TestTime:
    @pytest.mark.parametrize(
        ("seconds", "clock", "policy", "kinds", "why"),
        [
            (
                0.6,
                "0.2",
                "timeouts = 2",
                [FaultKind.TIMEOUT, FaultKind.TIMEOUT, FaultKind.REFUSED],
                "2 time-outs in one match",
            ),
            pytest.param(
                0.2,
                "5 board=0.9",
                "at_zero = 'forfeit'",
                [FaultKind.TIMEOUT, FaultKind.REFUSED],
                "its time is used up",
                marks=pytest.mark.slow,
            ),
        ],
        ids=["timeouts", "at zero"],
    )
    @pytest.mark.slow
    def test_a_player_is_lost(
        self,
        here: Here,
        tmp_path: Path,
        seconds: float,
        clock: str,
        policy: str,
        kinds: list[FaultKind],
        why: str,
    ) -> None:
        """In both rooms, as both sides would open; the board is adjusted, the bot started again."""
        slow = write_bot(tmp_path, "slow", SLOW.format(seconds=seconds))
        bots = {"slow": slow, "quick": "baseline"}
        ended = play(tmp_path, bots, f"boards = 1\nseed = 40\nclock = '{clock}'", policy)
        assert (ended.status, ended.errors) == (0, ""), ended
        found = records(tmp_path)
        assert len(found) == 2
        for record in found:
            assert not record.is_finished
            assert faults(record, "quick") == []
            last = record.faults[-1]
            assert record.adjusted == last.seat.side
            own = [fault.kind for fault in record.faults if fault.seat == last.seat]
            assert own == kinds
            assert last.detail == why
        summary = summary_of(tmp_path / "out")
        assert summary["adjusted_boards"] == 1
        slow_faults, quick_faults = (bot["conduct"]["faults"] for bot in summary["bots"])
        counted = Counter(kind for record in found for kind in faults(record, "slow"))
        assert slow_faults == {kind.value: counted[kind] for kind in FaultKind}
        assert set(quick_faults.values()) == {0}
        assert summary["terms"].keys() == {"clock", policy.partition(" ")[0]}
        logged = [fault for line in lines_of(tmp_path, "board_ended") for fault in line["faults"]]
        assert {fault["entry"] for fault in logged} == {"slow"}
        assert {fault["seat"] for fault in logged} <= {seat.letter for seat in SEATS}
        assert Counter(fault["kind"] for fault in logged) == +Counter(slow_faults)
        assert [line["why"] for line in lines_of(tmp_path, "bot_lost")] == [f"refused: {why}"] * 2
        check_files(here, tmp_path)


class TestRetries:
    @pytest.mark.slow
    @pytest.mark.parametrize("retries", [0, 3])
    def test_so_often_a_bot_is_asked_again(self, here: Here, tmp_path: Path, retries: int) -> None:
        bots = {"illegal": write_bot(tmp_path, "illegal", ILLEGAL), "legal": "baseline"}
        ended = play(tmp_path, bots, "boards = 2\nseed = 1", f"retries = {retries}")
        assert (ended.status, ended.errors) == (0, ""), ended
        some = 0
        for record in records(tmp_path):
            assert record.is_finished
            at_turn = Counter((fault.seat, fault.action) for fault in record.faults)
            assert set(at_turn.values()) <= {retries + 1}
            assert set(faults(record, "illegal")) <= {FaultKind.ILLEGAL}
            assert faults(record, "legal") == []
            some += len(at_turn)
        assert some > 4
        summary = without_timing(summary_of(tmp_path / "out"))
        assert summary["bots"][0]["conduct"]["illegal_actions"] == some * (retries + 1)
        assert summary["terms"] == {"retries": retries}
        check_files(here, tmp_path)

    @pytest.mark.slow
    def test_who_does_it_too_often_is_lost(self, here: Here, tmp_path: Path) -> None:
        """However many boards it is spread over: 3 illegal answers are the end of a player, and
        of the one that comes in its place."""
        bots = {"illegal": write_bot(tmp_path, "illegal", ILLEGAL), "legal": "baseline"}
        policies = "retries = 0\nillegal = 3\nrestarts = 1000"
        # What a lost player did at another table would be played again.
        ended = play(tmp_path, bots, "boards = 8\nseed = 1", policies, tables=1)
        assert (ended.status, ended.errors) == (0, ""), ended
        found = records(tmp_path)
        counts = Counter(
            (record.room, fault.seat)
            for record in found
            for fault in record.faults
            if fault.kind is FaultKind.ILLEGAL
        )
        losses = [record for record in found if not record.is_finished]
        assert losses
        assert any(record.is_finished and record.faults for record in found), "not on one board"
        assert Counter((record.room, record.faults[-1].seat) for record in losses) == Counter(
            {player: count // 3 for player, count in counts.items() if count >= 3}
        )
        for record in losses:
            *_, illegal, last = record.faults
            assert (illegal.kind, last.kind) == (FaultKind.ILLEGAL, FaultKind.REFUSED)
            assert illegal.seat == last.seat
            assert record.adjusted == last.seat.side
            assert faults(record, "legal") == []
        details = {record.faults[-1].detail for record in losses}
        assert details == {"3 illegal answers in one match"}
        assert {line["why"] for line in lines_of(tmp_path, "bot_lost")} == {
            f"refused: {detail}" for detail in details
        }
        summary = summary_of(tmp_path / "out")
        assert summary["terms"] == {"retries": 0, "illegal": 3, "restarts": 1000}
        check_files(here, tmp_path)


class TestResuming:
    @pytest.mark.slow
    def test_a_match_goes_on_with_the_time_that_it_had(self, tmp_path: Path) -> None:
        noting = write_bot(tmp_path, "noting", NOTING)
        (tmp_path / "cup.toml").write_text(
            "[event]\nname = 'Cup'\nformat = 'match'\nboards = 8\nseed = 1\n"
            "clock = '9 match=900'\n"
            f"[[entry]]\nname = 'a'\nbot = '{noting}'\n[[entry]]\nname = 'b'\nbot = '{noting}'\n"
        )
        command = "tournament cup.toml --out out --concurrency 1".split()
        with started(tmp_path, *command) as process:
            wait_until(lambda: len(units_played(tmp_path / "out")) > 2, "some boards are played")
            assert interrupt(process).status == 3
        with closing(Store.open(tmp_path / "out" / "results.sqlite")) as store:
            played = dict(store.results())
        assert 2 < len(played) < 16
        notes = tmp_path / "left.txt"
        notes.unlink()
        assert arena(tmp_path, *command, "--resume").status == 0
        lefts = [float(line.split()[2]) for line in notes.read_text().splitlines()]
        assert max(lefts) < 900 - 0.02, "no clock begins anew"
        # Who opens the first board that is played has what is left to its team there.
        seat, number, left = notes.read_text().split()[:3]
        (room, *_) = [room for room in Room if f"1/1/{number}/{room.lower()}" not in played]
        took = sum(
            sum(record.match_seconds[Seat.parse(seat) % 2 :: 2])
            for record in played.values()
            if record.room is room
        )
        assert float(left) == pytest.approx(900 - took, abs=0.001)
        with closing(Store.open(tmp_path / "out" / "results.sqlite")) as store:
            (last,) = (record for unit, record in store.results() if unit == "1/1/8/closed")
        assert all(seconds > 0 for seconds in last.match_seconds)
