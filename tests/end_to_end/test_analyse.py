"""`arena analyse` as a user runs it: its files, bad input, interruptions, a cluster."""

from __future__ import annotations

import csv
import json
import os
import shlex
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.tournaments.schedule.event_files import STORE
from tests.end_to_end.arena import interrupt, is_alive, started, wait_until
from tests.end_to_end.conftest import Here
from tests.end_to_end.dask import cluster
from tests.end_to_end.solvers import stopping_after
from tests.oracle.vectors import FREAK_DEAL
from tests.patience import PATIENCE
from tests.recorded.analysis.games import CLOSED, HEAD, OPEN
from tests.recorded.analysis.games import write as write_games
from tests.recorded.field.club import FIRST
from tests.recorded.field.club import write as write_club

GAMES = 8


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def game_of(number: int) -> str:
    """A board that everybody passed: a table to solve, and nothing else."""
    board = Board.dealt(3, number)
    return (
        f'[Event "E"]\n[Board "{number}"]\n[Dealer "{board.dealer}"]\n'
        f'[Vulnerable "{board.vulnerability}"]\n[Deal "{board.deal}"]\n[Contract "Pass"]\n'
    )


def answered(folder: Path) -> int:
    """Return how many units have answers, read from outside while the analysis runs."""
    path = folder / "answers.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("select count(answer) from unit").fetchone()[0])
        except sqlite3.OperationalError:  # it is just being made
            return 0


def test_an_analysis_writes_its_figures_and_games(here: Here, tmp_path: Path) -> None:
    write_games(tmp_path, "two rooms.pbn", OPEN, CLOSED, HEAD)
    ended = here("analyse", "two rooms.pbn", "--workers", "1")
    assert ended.status == 0, ended
    assert "Declarers took 0.50 ± 0.50 tricks fewer than double dummy on average" in ended.output
    folder = tmp_path / "runs" / "analysis-two rooms"
    assert f"results in {folder.relative_to(tmp_path)}" in ended.output
    first, second, third = rows_of(folder / "analysis.csv")
    assert (first["dd_tricks"], first["difference"], first["par_score"]) == ("11", "-1", "-450")
    assert first["losses"] == "end E declarer play 1"
    assert (first["swing"], second["swing"], third["swing"]) == ("-6", "-6", "")
    assert third["note"] == "no contract"
    sums = rows_of(folder / "players.csv")
    (total,) = [row for row in sums if (row["group"], row["measure"]) == ("all", "tricks_vs_dd")]
    assert total == {
        **{"group": "all", "name": "", "role": "declarer", "measure": "tricks_vs_dd"},
        **{"n": "2", "mean": "-0.5", "standard_error": "0.5"},
    }
    assert (folder / "annotated.pbn").read_text().count("[OptimumResultTable") == 2
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 5
    assert "Iceland" in page

    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ended = here("analyse", "two rooms.pbn", "--workers", "1")
    assert ended.status == 0
    for name in ("analysis.csv", "players.csv", "annotated.pbn", "report.html"):
        assert (folder / name).read_bytes() == before[name], name


def test_a_club_file_without_play_is_analysed(here: Here, tmp_path: Path) -> None:
    write_club(tmp_path, '[Event "Club night"]\n[InstantScoreTable "Rank"]\n1\n')
    ended = here("analyse", "club.pbn", "--workers", "1", "--out", "out", "--format", "csv")
    assert ended.status == 1  # the last game has no deal
    assert "2 boards with 8 tables of a field" in ended.output
    assert "7 of 7 scores agree" in ended.output
    assert "11 of 16 MP agree (two for a win)" in ended.output
    assert "Not used: 1 InstantScoreTable" in ended.output
    field = rows_of(tmp_path / "out" / "field.csv")
    assert [row["matchpoints"] for row in field] == ["5", "5", "0", "2", "5", "5", "2", "0"]
    assert [row["dd_tricks"] for row in field] == ["3", "3", "3", "", "3", "3", "3", "11"]
    assert field[0]["imps"] == "13"
    assert field[3]["note"] == "MP_NS 3, not 2"
    assert (field[7]["pair_ns"], field[7]["names_ew"], field[7]["lead"]) == ("4", "Cy-Di", "S4")
    boards = rows_of(tmp_path / "out" / "boards.csv")
    assert [(row["board"], row["tables"], row["par_score"]) for row in boards] == [
        ("1", "4", "-450"),
        ("2", "4", "-450"),
    ]
    pairs = rows_of(tmp_path / "out" / "pairs.csv")
    assert [(row["rank"], row["direction"], row["names"]) for row in pairs[:3]] == [
        ("1", "NS", "Ann-Bo"),
        ("1", "NS", "Ed-Flo"),
        ("3", "NS", "Ian-Jo"),
    ]
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Pairs: Club night NS" in page
    assert "MP_NS 3, not 2" in page


def test_games_of_one_board_are_a_field(here: Here, tmp_path: Path) -> None:
    games = [OPEN.replace('[Room "Open"]\n', f'[Table "{number}"]\n') for number in (1, 2, 3)]
    games[1] = games[1].replace('[Result "10"]', '[Result "11"]')
    write_games(tmp_path, "pairs.pbn", *games)
    ended = here("analyse", "pairs.pbn", "--workers", "1", "--out", "out")
    assert ended.status == 0, ended
    rows = rows_of(tmp_path / "out" / "analysis.csv")
    assert [row["matchpoints"] for row in rows] == ["3", "0", "3"]
    assert [row["field_tables"] for row in rows] == ["3"] * 3
    assert len(rows_of(tmp_path / "out" / "field.csv")) == 3


@pytest.mark.parametrize("kind", ["json", "parquet"])
def test_tables_in_another_format_hold_what_the_csv_holds(
    here: Here, tmp_path: Path, kind: str
) -> None:
    write_club(tmp_path)
    options = ["--workers", "1", "--out", "out", "--format", kind, "--format", "csv"]
    assert here("analyse", "club.pbn", *options).status == 0
    for name in ("analysis", "players", "field", "boards", "pairs"):
        path = tmp_path / "out" / f"{name}.{kind}"
        found = read_frame(path)
        written = rows_of(path.with_suffix(".csv"))
        texts = [
            {key: "" if cell is None else str(cell) for key, cell in row.items()} for row in found
        ]
        assert texts == written, name


def test_tables_of_an_earlier_run_in_another_format_go(here: Here, tmp_path: Path) -> None:
    write_club(tmp_path)
    command = ["analyse", "club.pbn", "--workers", "1", "--out", "out"]
    assert here(*command, "--format", "json").status == 0
    (tmp_path / "out" / "own.json").touch()
    assert here(*command).status == 0
    assert [path.name for path in (tmp_path / "out").glob("*.json")] == ["own.json"]
    assert (tmp_path / "out" / "analysis.csv").exists()


def read_frame(path: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]]
    if path.suffix == ".json":
        rows = json.loads(path.read_text())
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    return rows


def test_names_are_no_markup(here: Here, tmp_path: Path) -> None:
    club = FIRST.replace("Club night", "[/x][bold]<b>Night").replace("Ann-Bo", '"[/red]<i>Ann"')
    (tmp_path / "club.pbn").write_text(club)
    ended = here("analyse", "club.pbn", "--workers", "1", "--out", "out")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert "[/x][bold]<b>Night" in ended.output
    assert "[/red]<i>Ann" in ended.output
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<b>Night" not in page
    assert "&lt;i&gt;Ann" in page


def test_a_file_whose_name_is_no_text_is_analysed(here: Here, tmp_path: Path) -> None:
    name = os.fsdecode(b"n\xe4me.pbn")
    (tmp_path / name).write_text(FIRST)
    ended = here("analyse", name, "--workers", "1", "--out", "out")
    assert (ended.status, ended.errors) == (0, ""), ended
    assert rows_of(tmp_path / "out" / "field.csv")[0]["file"] == "n?me.pbn"
    assert "n?me.pbn" in (tmp_path / "out" / "report.html").read_text()


def test_a_bomb_of_tables_is_refused(here: Here, tmp_path: Path) -> None:
    bomb = FIRST.replace("Section;", "Multiplicity;").replace("A ", "99999999999 ")
    (tmp_path / "club.pbn").write_text(bomb)
    ended = here("analyse", "club.pbn", "--workers", "1", "--out", "out")
    assert "club.pbn:10: game 1: ScoreTable: '99999999999' is not a number" in ended.errors
    assert "Not used: 4 rows that cannot be" in ended.output


BAD = {
    "twelve cards": (HEAD.replace("52.J76", "5.J76") + '[Contract "Pass"]\n', "cards"),
    "no declarer": (HEAD + '[Contract "4H"]\n', "declarer"),
    "not held": (OPEN.replace("D3 {lead}", "SA"), "SA"),
    "cut off": (OPEN[: OPEN.index("[Deal") + 30], "eal"),
}


def test_one_bad_game_costs_no_other(here: Here, tmp_path: Path) -> None:
    for name, (game, _) in BAD.items():
        write_games(tmp_path, f"{name}.pbn", OPEN, game, CLOSED)
    files = [f"{name}.pbn" for name in BAD]
    ended = here("analyse", *files, "--out", "out", "--workers", "1")
    assert ended.status == 1
    *lines, last = ended.errors.splitlines()
    for line, (name, (_, words)) in zip(lines, BAD.items(), strict=True):
        assert line.startswith(f"arena: {name}.pbn:")
        assert ": game 2: " in line
        assert words in line
    assert last == "arena: 4 of the games and files have errors, see above"
    rows = rows_of(tmp_path / "out" / "analysis.csv")
    assert [row["dd_tricks"] for row in rows] == ["11", "", "11"] * 4
    assert all(row["note"] for row in rows[1::3])
    # What is known of them is kept.
    known = [[row[name] for name in ("board", "contract", "declarer", "tricks")] for row in rows]
    assert known[1::3] == [
        ["1", "Pass", "", ""],
        ["1", "4H", "", ""],
        ["1", "4H", "E", "10"],
        ["1", "", "", ""],
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it has no game"),
        (bytes(range(256)) * 40, "it is neither PBN nor LIN"),
        (b"<html><body><p>Results</p></body></html>\n", "not a PBN file"),
        (b"pn|a,b,c,d|st||md|3S2H3D4C5,,|\nmb|p|mb|p|\n", "table 1: md: N has 0 cards"),
        (b"pn|a,b,c,d|st||\n", "it has no game"),
    ],
    ids=["empty", "binary", "HTML", "hidden hands", "LIN without a board"],
)
def test_a_file_that_holds_no_board_is_refused(
    here: Here, tmp_path: Path, data: bytes, words: str
) -> None:
    (tmp_path / "odd.pbn").write_bytes(data)
    ended = here("analyse", "odd.pbn", "missing.pbn", "--out", "out")
    assert ended.status == 2
    odd, missing, last = ended.errors.splitlines()
    assert odd.startswith("arena: odd.pbn:")
    assert words in odd
    assert missing == "arena: missing.pbn: cannot be read: No such file or directory"
    assert last == "arena: nothing to analyse: no game could be read"
    assert [path.name for path in tmp_path.iterdir()] == ["odd.pbn"], "it leaves nothing behind"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_analysis_goes_on_where_it_was_stopped(
    here: Here, tmp_path: Path, number: signal.Signals
) -> None:
    write_games(tmp_path, "games.pbn", *map(game_of, range(1, GAMES + 1)))
    command = ["analyse", "games.pbn", "--out", "out", "--workers", "1"]
    with started(tmp_path, *command, environment=stopping_after(3, tmp_path)) as process:
        wait_until(lambda: answered(tmp_path / "out") >= 2, "two deals are solved")
        ended = interrupt(process, number)
    done = answered(tmp_path / "out")
    assert 2 <= done < GAMES
    if number == signal.SIGKILL:
        assert ended.status == -signal.SIGKILL
    else:
        go_on = ended.complaint(3).partition("go on with: ")[2]
        assert shlex.split(go_on) == ["arena", *command]
    ended = here(*command)
    assert ended.status == 0, ended
    assert answered(tmp_path / "out") == GAMES
    assert len(rows_of(tmp_path / "out" / "analysis.csv")) == GAMES


@pytest.mark.slow
def test_a_deal_beyond_the_deadline_is_marked(here: Here, tmp_path: Path) -> None:
    freak = game_of(1).replace(str(Board.dealt(3, 1).deal), str(FREAK_DEAL))
    write_games(tmp_path, "games.pbn", freak, game_of(2))
    command = "analyse games.pbn --out out --workers 1 --deadline 2"
    ended = here(*command.split())
    assert ended.status == 0, ended
    assert "1 not solved in time" in ended.output
    first, second = rows_of(tmp_path / "out" / "analysis.csv")
    assert first["note"] == "no table: no answer from the solver within 2 s of processor time"
    assert second["par_score"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("analyse", "FILE"),
        ("analyse games.pbn --workers 0", "--workers"),
        ("analyse games.pbn --deadline 0", "--deadline"),
        ("analyse games.pbn --workers 1 --dask tcp://localhost:1", "give one"),
        ("analyse games.pbn --out games.pbn", "cannot write games.pbn: File exists"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(
    here: Here, tmp_path: Path, arguments: str, words: str
) -> None:
    write_games(tmp_path, "games.pbn", OPEN)
    assert words in here(*arguments.split()).complaint(2)


def test_an_analysis_does_not_replace_the_report_of_an_event(here: Here, tmp_path: Path) -> None:
    write_games(tmp_path, "games.pbn", OPEN)
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / STORE).touch()
    told = here("analyse", "games.pbn", "--out", "cup").complaint(2)
    assert "cup holds the results of an event: choose another --out" in told


# A Dask cluster.


@pytest.mark.slow
def test_an_analysis_ends_on_a_cluster_that_loses_a_worker(here: Here, tmp_path: Path) -> None:
    """The totals equal those of the same files solved here: nothing is lost or counted twice."""
    pytest.importorskip("distributed")
    write_games(tmp_path, "games.pbn", OPEN, CLOSED, *map(game_of, range(1, 16)))
    with cluster(tmp_path, workers=2) as (address, (first, second)):
        with started(
            tmp_path, "analyse", "games.pbn", "--out", "out", "--dask", address
        ) as process:
            wait_until(lambda: answered(tmp_path / "out") >= 4, "some deals are solved")
            first.kill()
            killed_at = answered(tmp_path / "out")
            output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, ""), output
        assert killed_at < 15
        assert is_alive(second.pid)
    assert answered(tmp_path / "out") == 18
    assert len(rows_of(tmp_path / "out" / "analysis.csv")) == 17

    assert here("analyse", "games.pbn", "--out", "here").status == 0
    for name in ("analysis.csv", "players.csv", "annotated.pbn", "report.html"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.slow
def test_an_address_without_a_cluster_ends_the_analysis_in_one_line(
    here: Here, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    write_games(tmp_path, "games.pbn", OPEN)
    command = "analyse games.pbn --out out --dask tcp://127.0.0.1:1"
    assert here(*command.split()).complaint(2).startswith("no Dask scheduler at tcp:")
