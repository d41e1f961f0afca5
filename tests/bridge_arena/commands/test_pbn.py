"""`arena pbn`: what it prints and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.main import run

DEAL = '[Deal "E:AT872.QJ.T432.87 J.K98.KJ87.QT962 K9654.63.Q965.43 Q3.AT7542.A.AKJ5"]'
BOARD = f'[Dealer "E"]\n[Vulnerable "EW"]\n{DEAL}\n'

Output = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.pbn").write_text(BOARD + '[Auction "E"]\n4S AP\n')
    Path("odd.pbn").write_text(BOARD + '[Mood "fine"]\n')
    Path("bad.pbn").write_text(BOARD + '[Auction "E"]\n4S 4S\n' + "\n[A x]\n" * 30)
    Path("page.html").write_text("<html>\n")
    return tmp_path


@pytest.mark.usefixtures("files")
def test_check(capsys: Output) -> None:
    assert run(["pbn", "check", "good.pbn", "odd.pbn"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "good.pbn: OK (1 game)",
        "odd.pbn: PBN warning : 1 (1 game)",
        "  odd.pbn:4: game 1: warning: new tag name Mood",
    ]
    assert run(["pbn", "check", "bad.pbn"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "bad.pbn: severe PBN error : 1; PBN error : 30 (31 games)",
        "  bad.pbn:5: game 1: severe: bad call: 4S is insufficient",
    ]
    assert lines[21].endswith(" more (--all prints them)")
    assert lines[-1].endswith("(Law 18) [insufficient bid]")
    assert run(["pbn", "check", "--all", "bad.pbn"]) == 1
    assert "more (" not in capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_info(capsys: Output) -> None:
    assert run(["pbn", "info", "good.pbn", "odd.pbn"]) == 0
    lines = dict(line.rsplit(None, 1) for line in capsys.readouterr().out.splitlines())
    assert (lines["files"], lines["games"], lines["deals"]) == ("2", "2", "1")
    assert (lines["  with auction"], lines["  with errors"]) == ("1", "0")
    assert run(["pbn", "info", "--problems", "bad.pbn", "page.html"]) == 1
    out, err = capsys.readouterr()
    assert "bad.pbn:5: game 1: Auction: 4S by S is illegal" in out
    assert "page.html:1: this is not a PBN file" in err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["check --all", "info --problems"])
def test_workers_change_nothing(command: str, capsys: Output) -> None:
    names = ["good.pbn", "page.html", "bad.pbn", "none.pbn", "odd.pbn"]
    ends = []
    for workers in ("1", "2"):
        status = run(["pbn", *command.split(), "--workers", workers, *names])
        ends.append((status, *capsys.readouterr()))
    assert ends[0] == ends[1]
    assert ends[0][0] == 1


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["check", "info", "format"])
def test_nothing_can_be_read(command: str, capsys: Output) -> None:
    assert run(["pbn", command, "none.pbn"]) == 2
    assert "none.pbn: cannot be read" in capsys.readouterr().err


def test_the_group_needs_a_command() -> None:
    assert run(["pbn"]) == 2
    assert run(["pbn", "sing"]) == 2
    assert run(["pbn", "--help"]) == 0
