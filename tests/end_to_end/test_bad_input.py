"""Unusable input is refused with status 2 and one clear line, and nothing is left behind."""

from __future__ import annotations

import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bots.registry import SHIPPED
from bridge_arena.bridge.board import Board
from tests.end_to_end.arena import arena
from tests.end_to_end.conftest import FinishedMatch, Here

DEAL = str(Board.dealt(1, 1).deal)
TWELVE_CARDS = DEAL.replace("KQ74", "KQ7", 1)


def game(deal: str) -> str:
    return f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{deal}"]\n'


def doubled_card() -> str:
    """A deal in which West holds North's first card instead of one of its own."""
    deal = Board.dealt(1, 1).deal
    hands = [str(hand) for hand in deal.hands]
    spade = hands[0][0]
    own = hands[3][0]
    assert hands[0][0] != "." != own
    hands[3] = spade + hands[3][1:]
    return f"N:{' '.join(hands)}"


class TestArguments:
    @pytest.mark.parametrize(
        ("command", "words"),
        [
            ("match nobody random --out out", "unknown bot 'nobody'"),
            ("match random random:depth=3 --out out", "bot 'random' takes no options"),
            ("match random cmd: --out out", "names no program"),
            ("match random --out out", "name two bots"),
            ("match --out out", "name two bots"),
            ("match random random extra --out out", "extra"),
            ("match random random --mode halves --out out", "--mode"),
            ("match random random --boards 0 --out out", "--boards"),
            ("match random random --boards three --out out", "--boards"),
            ("match random random --concurrency 0 --out out", "--concurrency"),
            ("match random random --port 70000 --out out", "--port"),
            ("match random random --clock 0 --out out", "'0' is not a time limit"),
            ("match random random --clock soon --out out", "'soon' is not a time limit"),
            ("match random random --clock nan --out out", "'nan' is not a time limit"),
            ("match random random --boards-from missing.pbn --out out", "missing.pbn"),
            ("match random random --boards-from . --out out", "directory"),
            ("match random random --pbn missing.pbn --out out", "missing.pbn"),
            ("match random random --pbn a --boards-from b --out out", "old name of --boards-from"),
            ("replay missing.lin --bot random", "missing.lin: cannot be read"),
            ("match --resume nowhere", "nowhere holds no event"),
            ("match --resume . --boards 4", "--resume"),
            ("match --resume . --mode full", "--resume"),
            ("match random random --resume .", "--resume"),
            ("report missing.pbn", "missing.pbn"),
            ("report .", "holds no event"),
            ("deal 0", "'N'"),
            ("deal many", "'N'"),
            ("deal 1 --out nowhere/boards.pbn", "cannot write nowhere/boards.pbn"),
            ("bot nobody", "unknown bot 'nobody'"),
            ("bot random", "give --url or set ARENA_URL"),
            ("bot random --url ws://127.0.0.1:1", "give --token or set ARENA_TOKEN"),
            ("dael 3", "dael"),
            ("--wrong", "--wrong"),
        ],
    )
    def test_unusable_arguments_are_refused(
        self, here: Here, tmp_path: Path, command: str, words: str
    ) -> None:
        complaint = here(*command.split()).complaint(2)
        assert words in complaint
        assert list(tmp_path.iterdir()) == []

    def test_the_shipped_bots_are_named(self, here: Here, tmp_path: Path) -> None:
        complaint = here("match", "random", "nobody").complaint(2)
        assert f"shipped: {', '.join(SHIPPED)}" in complaint
        assert "cmd:PROGRAM" in complaint
        assert not (tmp_path / "runs").exists()


class TestBoards:
    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "it has no game"),
            (b"% PBN 2.1\n", "it has no game"),
            (b"Dear Sir or Madam,\n", "not a PBN file"),
            (bytes(range(256)) * 40, "boards.pbn"),
            (game(TWELVE_CARDS).encode(), "cards"),
            (game(doubled_card()).encode(), "twice"),
            (game("N:AKQ ...").encode(), "Deal"),
            (game("").encode(), "Deal"),
            (game(DEAL).replace('Dealer "N"', 'Dealer "Q"').encode(), "Dealer"),
        ],
        ids=[
            "empty",
            "header only",
            "text",
            "binary",
            "twelve cards",
            "doubled card",
            "no deal",
            "deal left out",
            "no such dealer",
        ],
    )
    def test_impossible_boards_are_refused(
        self, here: Here, tmp_path: Path, data: bytes, words: str
    ) -> None:
        (tmp_path / "boards.pbn").write_bytes(data)
        complaint = here(
            *"match random random --boards-from boards.pbn --out out".split()
        ).complaint(2)
        assert complaint.startswith("boards.pbn")
        assert words in complaint
        assert not (tmp_path / "out").exists()

    def test_a_report_needs_a_record(self, here: Here, tmp_path: Path) -> None:
        (tmp_path / "empty.pbn").write_text("% PBN 2.1\n")
        complaint = here("report", "empty.pbn").complaint(2)
        assert complaint == "empty.pbn: no game is a record of play"


class TestFolders:
    @pytest.mark.parametrize(
        ("out", "reason"), [("out", "File exists"), ("out/below", "Not a directory")]
    )
    def test_a_folder_that_cannot_be_written_is_refused(
        self, here: Here, tmp_path: Path, out: str, reason: str
    ) -> None:
        (tmp_path / "out").write_text("a file")
        complaint = here("match", "random", "random", "--out", out).complaint(2)
        assert complaint == f"cannot write {out}: {reason}"
        assert (tmp_path / "out").read_text() == "a file"

    def test_a_match_is_not_overwritten(
        self, here: Here, finished_match: FinishedMatch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(finished_match.folder.parent)
        before = {path.name: path.stat().st_mtime_ns for path in finished_match.folder.iterdir()}
        command = "match random random --boards 1 --out match"
        complaint = here(*command.split()).complaint(2)
        assert complaint == (
            "match/results.sqlite exists already: choose another --out, "
            "or go on with arena match --resume match"
        )
        after = {path.name: path.stat().st_mtime_ns for path in finished_match.folder.iterdir()}
        assert after == before

    @pytest.mark.parametrize("command", ["match --resume .", "report ."])
    def test_a_file_that_is_no_store_is_refused(
        self, here: Here, tmp_path: Path, command: str
    ) -> None:
        (tmp_path / "results.sqlite").write_bytes(b"this is no database " * 100)
        complaint = here(*command.split()).complaint(2)
        assert complaint == "cannot read results.sqlite: file is not a database"
        assert (tmp_path / "results.sqlite").exists()

    @pytest.mark.parametrize("command", ["match --resume .", "report ."])
    def test_a_database_of_something_else_is_refused(
        self, here: Here, tmp_path: Path, command: str
    ) -> None:
        with closing(sqlite3.connect(tmp_path / "results.sqlite")) as connection:
            connection.execute("create table shopping (item text)")
        complaint = here(*command.split()).complaint(2)
        assert complaint == "results.sqlite is a database of something else (it has shopping)"


@pytest.mark.parametrize("option", ["--port", "--web --web-port"])
def test_a_port_in_use_is_told_in_one_line(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = f"match random random --boards 1 --out out {option} {port}"
        complaint = arena(tmp_path, *command.split()).complaint(2)
    assert complaint == f"cannot listen on 127.0.0.1 port {port}: Address already in use"
    assert not (tmp_path / "out").exists()


def test_an_address_where_nobody_serves_is_told_in_one_line(tmp_path: Path) -> None:
    """`arena bot` is told where to go, and there is no server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["bot", "random", "--url", f"ws://127.0.0.1:{port}", "--token", "x"]
    ended = arena(tmp_path, *words, environment={"ARENA_PATIENCE": "0"})
    assert ended.status == 1
    assert len(ended.errors.splitlines()) == 1
    assert f"cannot connect to ws://127.0.0.1:{port}" in ended.errors


class TestHelp:
    @pytest.mark.parametrize("command", ["--help", "match --help", "report --help", ""])
    def test_help_is_no_error(self, here: Here, command: str) -> None:
        ended = here(*command.split())
        assert (ended.status, ended.errors) == (0, "")
        assert "Usage: arena" in ended.output

    def test_the_bots_are_listed(self, here: Here) -> None:
        ended = here("bots")
        assert (ended.status, ended.errors) == (0, "")
        for name in ("random", "baseline", "oracle (cheat)"):
            assert name in ended.output
