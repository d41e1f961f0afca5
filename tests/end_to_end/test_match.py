"""Tests of a whole match, from dealing to report: its files, and that they are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.oracle.solver import play_values
from bridge_arena.tournaments.schedule.units import HOME, team_at
from bridge_arena.tournaments.store import Store
from tests.data import data_path
from tests.end_to_end.arena import (
    arena,
    bot_pids,
    is_alive,
    records_of,
    summary_of,
    units_played,
    untimed,
    without_timing,
)
from tests.end_to_end.conftest import FinishedMatch, Here

MEAN = {"n", "mean", "standard_error"}


class TestFinishedMatch:
    def test_a_match_succeeds_and_says_where_the_results_are(
        self, finished_match: FinishedMatch
    ) -> None:
        ended = finished_match.ended
        assert (ended.status, ended.errors) == (0, "")
        assert "baseline - random: 4 boards in both rooms, seed 1" in ended.output
        assert ended.output.splitlines()[-1] == "results in match"

    def test_every_board_is_played_in_both_rooms(self, finished_match: FinishedMatch) -> None:
        records = records_of(finished_match.folder / "match.pbn")
        boards = [
            DealKey.of_seed(1).board(number) for number in range(1, finished_match.boards + 1)
        ]
        assert [(record.board, record.room) for record in records] == [
            (board, room) for board in boards for room in Room
        ]
        assert all(record.is_finished for record in records)

    def test_the_sides_are_swapped_between_the_rooms(self, finished_match: FinishedMatch) -> None:
        for record in records_of(finished_match.folder / "match.pbn"):
            north_south = "baseline" if record.room is Room.OPEN else "random"
            assert [name == north_south for name in record.players] == [True, False, True, False]
            assert (record.home, record.visitors) == ("baseline", "random")

    def test_scores_follow_from_the_cards(self, finished_match: FinishedMatch) -> None:
        for record in records_of(finished_match.folder / "match.pbn"):
            if record.contract is not None:
                assert len(record.cards) == 52
                assert record.tricks == record.play().declarer_tricks
            vulnerability = record.board.vulnerability
            assert record.score == score_ns(record.contract, record.tricks, vulnerability)

    def test_the_summary_adds_up(self, finished_match: FinishedMatch) -> None:
        summary = summary_of(finished_match.folder)
        records = records_of(finished_match.folder / "match.pbn")
        score = {(record.board.number, record.room): record.score or 0 for record in records}
        swings = [
            imps(score[number, Room.OPEN] - score[number, Room.CLOSED])
            for number in range(1, finished_match.boards + 1)
        ]
        assert [row["imps"] for row in summary["board_results"]] == swings
        assert summary["imps"] == sum(swings)
        assert summary["boards"] == finished_match.boards
        assert summary["winner"] == "baseline"
        assert summary["imps_per_board"]["mean"] > 5, "baseline wins by a wide margin"

    def test_the_summary_has_the_keys_that_users_were_promised(
        self, finished_match: FinishedMatch
    ) -> None:
        summary = summary_of(finished_match.folder)
        assert set(summary) >= set("boards imps imps_per_board p_value victory_points bots".split())
        assert len(summary["victory_points"]) == 2
        assert [bot["name"] for bot in summary["bots"]] == ["baseline", "random"]
        for bot in summary["bots"]:
            assert set(bot) >= set("name imps_per_board tricks_vs_dd ledger timing conduct".split())
            assert set(bot["tricks_vs_dd"]) == {"declarer", "defence"}
            assert all(set(role) >= MEAN for role in bot["tricks_vs_dd"].values())
            assert set(bot["conduct"].pop("faults").values()) == {0}
            assert set(bot["conduct"].values()) == {0}
            assert bot["timing"]["actions"] > 0
            assert 0 < bot["timing"]["mean_ms"] <= bot["timing"]["p99_ms"]

    def test_every_action_is_timed_once(self, finished_match: FinishedMatch) -> None:
        records = records_of(finished_match.folder / "match.pbn")
        actions = sum(len(record.calls) + len(record.cards) for record in records)
        bots = summary_of(finished_match.folder)["bots"]
        assert sum(bot["timing"]["actions"] for bot in bots) == actions

    def test_the_pbn_file_holds_what_the_store_holds(self, finished_match: FinishedMatch) -> None:
        store = Store.open(finished_match.folder / "results.sqlite")
        try:
            stored = [record for _, record in store.results()]
        finally:
            store.close()
        assert records_of(finished_match.folder / "match.pbn") == stored

    def test_the_page_needs_nothing_from_elsewhere(self, finished_match: FinishedMatch) -> None:
        page = (finished_match.folder / "report.html").read_text()
        assert "baseline" in page
        # It leads to the replays, but shows itself without them.
        beside = r"""(src|href)\s*=\s*["'](?!#|data:|boards/(board|index)\.html)"""
        assert not re.search(beside, page)
        assert not re.search(r"""@import|url\(\s*["']?(?!#|data:)""", page)
        assert "<script" not in page

    def test_no_bot_is_left_running(self, finished_match: FinishedMatch) -> None:
        pids = bot_pids(finished_match.folder)
        assert len(pids) == 8
        assert not any(map(is_alive, pids))

    def test_no_half_written_file_is_left(self, finished_match: FinishedMatch) -> None:
        assert sorted(path.name for path in finished_match.folder.iterdir()) == [
            "boards",
            "log.jsonl",
            "match.pbn",
            "report.html",
            "results.sqlite",
            "summary.json",
        ]
        replays = [path.name for path in (finished_match.folder / "boards").iterdir()]
        assert sorted(replays) == ["board.html", "boards-1.js", "index.html", "static"]

    def test_the_log_tells_each_board_once(self, finished_match: FinishedMatch) -> None:
        units = units_played(finished_match.folder)
        assert len(units) == len(set(units)) == 2 * finished_match.boards


class TestMadeAgain:
    @pytest.mark.slow
    def test_the_same_seed_gives_the_same_file_with_any_number_of_tables(
        self, finished_match: FinishedMatch, tmp_path: Path
    ) -> None:
        command = "match baseline random --boards 4 --seed 1 --out again --concurrency 1"
        assert arena(tmp_path, *command.split()).status == 0
        expected = untimed(finished_match.folder / "match.pbn")
        assert untimed(tmp_path / "again" / "match.pbn") == expected

        path = str(finished_match.folder / "match.pbn")
        assert arena(tmp_path, "report", path, "--out", "report").status == 0
        whole, alone = summary_of(finished_match.folder), summary_of(tmp_path / "report")
        assert alone == whole, "timings included"
        (tmp_path / "untimed.pbn").write_text(expected, "latin-1")
        assert arena(tmp_path, "report", "untimed.pbn", "--out", "untimed").status == 0
        alone = {**summary_of(tmp_path / "untimed"), "dates": whole["dates"]}
        assert without_timing(alone) == without_timing(whole)
        assert set(alone["bots"][0]["timing"].values()) == {0, None}
        assert (tmp_path / "report" / "report.html").exists()

        again = tmp_path / "again"
        summary = summary_of(again)
        for name in ("match.pbn", "summary.json", "report.html"):
            (again / name).unlink()
        assert arena(tmp_path, "report", "again").status == 0
        assert summary_of(again) == summary, "the store alone makes all files again"
        assert untimed(again / "match.pbn") == expected

        resumed = arena(tmp_path, "match", "--resume", "again")
        assert resumed.status == 0, "a match that is over is only reported again"
        assert len(units_played(again)) == 8


@pytest.mark.slow
def test_the_oracle_loses_no_trick(tmp_path: Path) -> None:
    ended = arena(
        tmp_path, *"match oracle baseline --boards 3 --seed 7 --out out --concurrency 2".split()
    )
    assert ended.status == 0, ended
    declared = 0
    for record in records_of(tmp_path / "out" / "match.pbn"):
        contract = record.contract
        if contract is None or team_at(contract.declarer.side, record.room) != HOME:
            continue
        declared += 1
        assert record.tricks is not None
        assert record.tricks >= play_values(record.board.deal, contract, record.cards)[0]
    assert declared > 0
    oracle = summary_of(tmp_path / "out")["bots"][0]
    lost = oracle["ledger"]["tricks_lost_per_board"].values()
    assert {mean["mean"] for mean in lost} == {0}
    assert oracle["tricks_vs_dd"]["declarer"]["mean"] >= 0
    assert oracle["tricks_vs_dd"]["defence"]["mean"] >= 0


class TestBoardsOfFiles:
    @pytest.mark.slow
    def test_a_board_recorded_at_two_tables_is_one_board(self, tmp_path: Path) -> None:
        """In a real file, of which the first 6 games are 3 boards."""
        text = data_path("liao", "A1A10101.PBN").read_text("latin-1")
        (tmp_path / "some.pbn").write_text("[Event ".join(text.split("[Event ")[:7]), "latin-1")
        command = "match random random --pbn some.pbn --seed 1 --out out"
        ended = arena(tmp_path, *command.split())
        assert ended.status == 0, ended
        summary = summary_of(tmp_path / "out")
        assert summary["boards"] == 3
        assert [bot["name"] for bot in summary["bots"]] == ["random", "random-2"]
        assert summary["imps"] == 0, "the same bot does the same in both rooms"
        assert len(records_of(tmp_path / "out" / "match.pbn")) == 6

    @pytest.mark.slow
    def test_dealer_vulnerability_and_number_are_those_of_the_file(self, tmp_path: Path) -> None:
        deals = [Board.dealt(5, number).deal for number in (1, 2, 3)]
        (tmp_path / "boards.pbn").write_text(
            "\n\n".join(
                f'[Board "{number}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vulnerable}"]\n'
                f'[Deal "{deal}"]'
                for number, dealer, vulnerable, deal in zip(
                    (9, 4, 4), "SWN", ("Both", "-", "EW"), deals, strict=True
                )
            )
        )
        command = "match random random --boards-from boards.pbn --seed 1 --out out --concurrency 2"
        assert arena(tmp_path, *command.split()).status == 0
        records = records_of(tmp_path / "out" / "match.pbn")
        assert [record.board for record in records[::2]] == [
            Board(9, Seat.SOUTH, Vulnerability.parse("All"), deals[0]),
            Board(4, Seat.WEST, Vulnerability.NONE, deals[1]),
            Board(4, Seat.NORTH, Vulnerability.parse("EW"), deals[2]),
        ]
        assert summary_of(tmp_path / "out")["boards"] == 3

    @pytest.mark.parametrize("command", ["deal 3 --seed 5", "deal 3 --seed 5 --out boards.pbn"])
    def test_dealt_boards_are_those_of_a_match_with_that_seed(
        self, here: Here, tmp_path: Path, command: str
    ) -> None:
        ended = here(*command.split())
        path = tmp_path / "boards.pbn"
        if not path.exists():
            path.write_text(ended.output)
        assert [record.board for record in records_of(path)] == [
            DealKey.of_seed(5).board(number) for number in (1, 2, 3)
        ]
