"""`arena boards`: what it prints and how it ends."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from bridge_arena.commands.main import run
from bridge_arena.lin.handviewer import lin_link, without_board
from tests.board_files.packing import as_lin, as_links, as_pbn, as_zip, some_records
from tests.lin.tables import AUCTION, START

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
def test_check_prints_a_verdict_on_each_file(capsys: Output) -> None:
    assert run(["boards", "check", "good.pbn", "odd.pbn"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "good.pbn: OK (1 game)",
        "odd.pbn: PBN warning : 1 (1 game)",
        "  odd.pbn:4: game 1: warning: new tag name Mood",
    ]
    assert run(["boards", "check", "bad.pbn"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "bad.pbn: severe PBN error : 1; PBN error : 30 (31 games)",
        "  bad.pbn:5: game 1: severe: bad call: 4S is insufficient",
    ]
    assert lines[21].endswith(" more (--all prints them)")
    assert lines[22].endswith("(Law 18) [insufficient bid]")
    assert lines[-1] == "  12 more deviations (--all prints them)"
    assert run(["boards", "check", "--all", "bad.pbn"]) == 1
    assert "more (" not in capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_info_prints_what_files_hold(capsys: Output) -> None:
    assert run(["boards", "info", "good.pbn", "odd.pbn"]) == 0
    lines = dict(line.rsplit(None, 1) for line in capsys.readouterr().out.splitlines())
    assert (lines["files"], lines["games"], lines["deals"]) == ("2", "2", "1")
    assert (lines["  with auction"], lines["  with errors"]) == ("1", "0")
    assert run(["boards", "info", "--problems", "bad.pbn", "page.html"]) == 1
    out, err = capsys.readouterr()
    assert "bad.pbn:5: game 1: Auction: 4S by S is illegal" in out
    assert "page.html: it is neither PBN nor LIN" in err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["check --all", "info --problems"])
def test_the_number_of_workers_changes_nothing(command: str, capsys: Output) -> None:
    names = ["good.pbn", "page.html", "bad.pbn", "none.pbn", "odd.pbn"]
    ends = []
    for workers in ("1", "2"):
        status = run(["boards", *command.split(), "--workers", workers, *names])
        ends.append((status, *capsys.readouterr()))
    assert ends[0] == ends[1]
    assert ends[0][0] == 1


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["check", "info", "convert"])
def test_files_that_cannot_be_read_end_with_status_2(command: str, capsys: Output) -> None:
    assert run(["boards", command, "none.pbn"]) == 2
    printed = capsys.readouterr()
    assert "none.pbn: cannot be read" in printed.err
    assert printed.out == ""


def test_the_group_needs_a_command() -> None:
    assert run(["boards"]) == 2
    assert run(["boards", "sing"]) == 2
    assert run(["boards", "--help"]) == 0


# LIN, packed files, standard input and links.


@pytest.fixture
def lin(files: Path) -> None:
    good, odd = as_lin(some_records([1])), b"qx|o2|md|1SA,SA|"
    Path("good.lin").write_bytes(good)
    Path("bad.lin").write_bytes(b"a|\n" + good + odd)
    Path("all.zip").write_bytes(
        as_zip({"a.pbn": (files / "good.pbn").read_bytes(), "b.lin": good, "c.dup": b"\0"})
    )


@pytest.mark.usefixtures("lin")
def test_check_prints_a_verdict_on_lin(capsys: Output) -> None:
    assert run(["boards", "check", "good.lin"]) == 0
    assert capsys.readouterr().out == "good.lin: OK (1 table)\n"
    assert run(["boards", "check", "bad.lin"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "bad.lin: errors in 1 of 2 tables, 1 line outside of tables",
        "  bad.lin:1: 'a' is not a tag: it is left out",
        "  bad.lin:6: table 2: md: SA is dealt twice, the second time to W [impossible deal]",
    ]


@pytest.mark.usefixtures("files")
def test_check_counts_what_it_does_not_print(capsys: Output) -> None:
    Path("bad.lin").write_bytes(b"a|\n" * 30 + b"qx|o2|md|1SA,SA|" * 30)
    assert run(["boards", "check", "bad.lin"]) == 1
    out = capsys.readouterr().out
    assert "  10 more lines outside of tables (--all prints them)" in out
    assert "  10 more deviations" in out
    assert run(["boards", "check", "--all", "bad.lin"]) == 1
    assert "more" not in capsys.readouterr().out


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("kind", ["pbn", "lin"])
def test_a_cut_archive_has_a_verdict_on_what_is_left(kind: str, capsys: Output) -> None:
    records = some_records(range(1, 200))
    data = gzip.compress(as_pbn(records) if kind == "pbn" else as_lin(records))
    Path(f"cut.{kind}.gz").write_bytes(data[: len(data) // 2])
    assert run(["boards", "check", f"cut.{kind}.gz"]) == 1
    out, err = capsys.readouterr()
    assert re.match(rf"cut.{kind}.gz: .*\d+ (games|tables), not read to its end", out)
    assert "the archive is damaged" in err
    assert "no file could be read" not in err


@pytest.mark.usefixtures("lin")
def test_members_of_archives_are_checked(capsys: Output) -> None:
    assert run(["boards", "check", "all.zip"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == ["all.zip/a.pbn: OK (1 game)", "all.zip/b.lin: OK (1 table)"]
    assert "all.zip/c.dup: .dup is deals" in err
    assert run(["boards", "info", "--problems", "all.zip"]) == 1
    out, err = capsys.readouterr()
    assert "all.zip/c.dup: .dup is deals" in err
    lines = dict(line.rsplit(None, 1) for line in out.splitlines())
    assert (lines["files"], lines["games"], lines["  with errors"]) == ("2", "2", "0")
    assert err.endswith("arena: 0 games with errors, 1 file not read\n")


@pytest.mark.parametrize("command", ["check", "info", "convert"])
def test_links_and_standard_input_are_read(
    command: str, capsys: Output, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (record,) = some_records([1])
    assert run(["boards", command, lin_link(record)]) == 0
    of_link = capsys.readouterr().out
    path = tmp_path / "links"
    path.write_bytes(as_links([record]))
    with path.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run(["boards", command, "-"]) == 0
    assert capsys.readouterr().out.replace("<stdin>", "<link>") == of_link


@pytest.mark.parametrize("command", ["check", "info", "convert"])
def test_an_address_without_a_board_is_told_in_one_line(command: str, capsys: Output) -> None:
    for address, name in (
        ("https://www.bridgebase.com/tools/handviewer.html?myhand=M-1-2", "<link>:1"),
        ("https://tinyurl.com/x", "https://tinyurl.com/x"),
    ):
        assert run(["boards", command, address]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.splitlines() == [
            f"{'' if command == 'convert' else 'arena: '}{name}: {without_board(address)}",
            "arena: no file could be read",
        ]


UNSURE = {
    "players": (START.replace(",Ed|", "|"), "3 names"),
    "players that others replace": ("pn|a,b,c,d|" + START, "other names"),
    "deal": (START.replace("SAT7HT94D984CK853", "SAT7"), "E has 3 cards"),
    "deal of another table": (
        "qx|o1|" + START + AUCTION + "qx|c1|" + AUCTION,
        "table 2: no deal: that of the board's other table is meant",
    ),
    "auction": (START + "mb|1S|mb|?|mb|p|", "the calls after a question mark"),
    "play": (START + AUCTION + "pc|H4|pc|what|", "the cards after it are left out"),
    "result": ("vg|A|rs|3NN=|" + START + AUCTION, "its results are left out"),
    "claim": (START + "mb|p|mb|p|mb|p|mb|p|mc|9|", "9 tricks without a known contract"),
    "text": ("pn a,b,c,d|" + START, "'pn a,b,c,d' is not a tag"),
}
"""Tables of LIN in which a tag is left out or guessed, with what is told of it."""


@pytest.mark.parametrize("what", UNSURE)
def test_what_is_left_out_of_lin_or_guessed_is_told(
    what: str, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "x.lin"
    text, told = UNSURE[what]
    path.write_text(text)
    for command in ("check", "info --problems", "convert"):
        assert run(["boards", *command.split(), str(path)]) == 1
        out, err = capsys.readouterr()
        (line,) = [line for line in (out + err).splitlines() if told in line]
        assert f"{path}:1: " in line


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("x.lin", "qx|o1|mb|1C|", "table 1: it has no deal"),
        ("x.lin", "qx|o1|md|1S,H,D,C|mb|1C|", "table 1: md: N has 0 cards"),
        ("x.pbn", '[Deal "N:AK... - - -"]\n', "game 1: Deal: the deal has hidden hands"),
    ],
)
def test_why_a_table_has_no_board_is_told_without_an_error(
    name: str, text: str, reason: str, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / name
    path.write_text(text)
    for command in ("check", "info --problems"):
        assert run(["boards", *command.split(), str(path)]) == 0
        out, err = capsys.readouterr()
        assert f"{path}:1: {reason}" in out
        assert err == ""


HAND = f'[Board "1"]\n{DEAL}\n'
OTHER = '[Deal "N:AQ7.QT95.J84.K92 KT9.K4.K753.QT63 J653.A632.Q6.A87 842.J87.AT92.J54"]\n'

TOLD = {
    "an unclosed comment": (
        f'{BOARD}{{PAR\n[South "a"]\n{{PAR}}\n',
        ":4: game 1: comment is not closed, and left out: '{PAR'",
    ),
    "an empty line within a game": (
        f'{BOARD}[Declarer "E"]\n\n[Contract "4S"]\n',
        ":6: game 1: an empty line within the game, which goes on",
    ),
    "no empty line between games": (
        f"{BOARD}{BOARD.replace(DEAL, OTHER)}",
        ":4: game 2: no empty line before this game",
    ),
    "no dealer": (HAND, ":1: game 1: Dealer: it is not given: N is taken, as board 1 has it"),
    "no vulnerability": (
        f'{HAND}[Dealer "E"]\n',
        ":1: game 1: Vulnerable: it is not given: None is taken, as board 1 has it",
    ),
    "players twice": (
        f'{BOARD}[South ""]\n[South "a"]\n',
        ":5: game 1: South: twice, and the first that says anything counts",
    ),
}
"""Games of PBN of which something is left out or guessed, and what is said of it."""


@pytest.mark.parametrize("what", TOLD)
@pytest.mark.parametrize("form", ["check", "info --problems", "convert", "convert --to lin"])
def test_what_is_left_out_of_pbn_or_guessed_is_told(
    what: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    text, told = TOLD[what]
    Path("some.pbn").write_text(text)
    command, *options = form.split()
    status = run(["boards", command, "some.pbn", *options])
    out, err = capsys.readouterr()
    assert f"some.pbn{told}" in out + err
    # The verdict is that of the standard, in which a dealer may be missing.
    assert status == 1 or (command == "check" and "PBN error" not in out)


@pytest.mark.usefixtures("files")
def test_old_names_of_the_commands_do_the_same(capsys: Output) -> None:
    for old, new in (("check", "check"), ("info", "info"), ("format", "convert")):
        outputs = []
        for command in (["pbn", old], ["boards", new]):
            assert run([*command, "good.pbn"]) == 0
            outputs.append(capsys.readouterr().out)
        assert outputs[0] == outputs[1] != ""
