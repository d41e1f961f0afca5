"""`arena leaderboard`, from PBN files."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.commands.main import DONE, FAILED, UNUSABLE, run
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.reports.common.tallies import TALLY
from bridge_arena.reports.leaderboard.report import PAGE, SUMMARY, TABLE
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.sealed_deals import Commitment, Sealing
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_files import STORE, header_of
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.store import Store
from bridge_arena.tournaments.store.models import Base
from tests.reports.leaderboard.events import event, play_event, worked_event


def write_pbn(path: Path, results: EventResults) -> str:
    games = "".join(format_game(game_of(each.record)) for each in results.played)
    path.write_bytes((header_of(results.event, results.commitment) + games).encode("latin-1"))
    return str(path)


def test_the_leaderboard_of_two_files_is_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = write_pbn(tmp_path / "one.pbn", worked_event())
    other = play_event(event(Format.MATCH, "beta", "gamma", boards=1, title="Other"))
    two = write_pbn(tmp_path / "two.pbn", other)
    out = tmp_path / "site"
    assert run(["leaderboard", one, two, "--out", str(out)]) == DONE
    printed = capsys.readouterr().out
    assert "Test, Other" in printed
    assert "3 entries, 2 events, 4 boards in two rooms, in 2 matches" in printed
    assert all(name in printed for name in ("alpha", "beta", "gamma"))
    assert {path.name for path in out.iterdir()} == {PAGE, SUMMARY, TABLE, "boards"}


def test_an_event_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_pbn(tmp_path / "one.pbn", worked_event())
    assert run(["leaderboard", source, source]) == UNUSABLE
    assert capsys.readouterr().err == f"arena: Test is there twice: in {source}\n"


def test_the_sources_of_an_event_that_is_there_twice_are_told_before_any_board_is_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = sealed(1)
    sealing = Sealing.of(results.event, DealKey(bytes([1] * 32)))
    folder = tmp_path / "stored"
    folder.mkdir()
    with closing(Store.create(folder / STORE, results.event, sealing=sealing)) as store:
        planned = [match for each in plan(results.event, ()) for match in each.matches]
        units = [unit for match in planned for unit in match.units()]
        store.schedule(planned, {1: GivenBoard(results.played[0].board, ())})
        for unit, each in zip(units, results.played, strict=True):
            store.save(unit, each.record)
    other = write_pbn(tmp_path / "other.pbn", sealed(2))
    same = write_pbn(tmp_path / "same.pbn", results)
    monkeypatch.setattr(Oracle, "play_values", pytest.fail)
    assert run(["leaderboard", str(folder), other, same]) == UNUSABLE
    expected = f"arena: Test is there twice: in {folder} and in {same}\n"
    assert capsys.readouterr().err == expected


def test_an_event_file_may_be_played_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A league plays one file each week: sealed deals are then others each time."""
    week = write_pbn(tmp_path / "one.pbn", sealed(1))
    next_week = write_pbn(tmp_path / "two.pbn", sealed(2))
    assert run(["leaderboard", week, next_week]) == DONE
    assert "2 entries, 2 events, 2 boards in two rooms, in 2 matches" in capsys.readouterr().out
    assert run(["leaderboard", week, next_week, week]) == UNUSABLE
    assert capsys.readouterr().err == f"arena: Test is there twice: in {week}\n"


@pytest.mark.slow
def test_bots_of_one_name_are_told_and_kept_apart_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weeks = []
    for number, bot in enumerate(("random", "natural"), start=1):
        entries = Entrant(bot=bot, name="x"), Entrant(bot="beta=baseline", name="beta")
        teams = event(Format.MATCH, "x", "beta", boards=1, title=f"Week {number}", seed=number)
        results = play_event(teams.model_copy(update={"entries": entries}))
        weeks.append(write_pbn(tmp_path / f"{number}.pbn", results))
    assert run(["leaderboard", *weeks]) == DONE
    printed = " ".join(capsys.readouterr().out.split())
    assert "2 entries, 2 events" in printed
    assert (
        "x is more than one bot, counted as one: `random` in Week 1; `natural` in Week 2."
        in printed
    )
    assert "beta is" not in printed
    out = tmp_path / "site"
    assert run(["leaderboard", *weeks, "--apart", "--out", str(out)]) == DONE
    printed = " ".join(capsys.readouterr().out.split())
    assert "3 entries, 2 events" in printed
    expected = "x (1) is `random` in Week 1; x (2) is `natural` in Week 2."
    assert f"x was more than one bot: {expected}" in printed
    told = json.loads((out / SUMMARY).read_text())
    assert {each["name"] for each in told["entries"]} == {"x (1)", "x (2)", "beta"}
    assert [each["entries"] for each in told["events"]] == [["x (1)", "beta"], ["x (2)", "beta"]]


def test_files_without_an_event_are_told_apart_by_their_boards(tmp_path: Path) -> None:
    """Other programs write none: two matches of the same names have one definition."""
    teams = event(Format.MATCH, "alpha", "beta", boards=1)
    files = [tmp_path / "one.pbn", tmp_path / "two.pbn"]
    for seed, path in enumerate(files, start=1):
        played = play_event(teams.model_copy(update={"seed": seed}))
        games = "".join(format_game(game_of(each.record)) for each in played.played)
        path.write_bytes((HEADER + games).encode("latin-1"))
    assert run(["leaderboard", *map(str, files)]) == DONE
    assert run(["leaderboard", *map(str, files), str(files[0])]) == UNUSABLE


@pytest.mark.parametrize("format_", [Format.MATCH, Format.PAIRS])
def test_games_that_a_file_repeats_count_once(format_: Format, tmp_path: Path) -> None:
    names = ("alpha", "beta", "gamma", "delta")[: 2 if format_ is Format.MATCH else 4]
    scoring = Scoring.IMPS if format_ is Format.MATCH else Scoring.MATCHPOINTS
    results = play_event(event(format_, *names, boards=1, scoring=scoring))
    once = write_pbn(tmp_path / "once.pbn", results)
    twice = write_pbn(
        tmp_path / "twice.pbn", replace(results, played=[*results.played, *results.played[:3]])
    )
    assert figures(once, tmp_path / "one") == figures(twice, tmp_path / "two")


def figures(source: str, out: Path) -> bytes:
    """What the leaderboard of a file is, as JSON."""
    assert run(["leaderboard", source, "--out", str(out)]) == DONE
    return (out / SUMMARY).read_bytes()


def sealed(number: int) -> EventResults:
    """A match of sealed deals, with the deals of one key or another."""
    teams = event(Format.MATCH, "alpha", "beta", boards=1)
    played = play_event(teams.model_copy(update={"seed": number}))
    whole = teams.model_copy(update={"seed": None})
    sealing = Sealing.of(whole, DealKey(bytes([number] * 32)))
    commitment = Commitment(sealing.definition, sealing.digest, "", sealing.key)
    return replace(played, event=whole, commitment=commitment)


def test_no_table_where_no_game_could_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "event.toml"
    path.write_text('[event]\nname = "Test"\nformat = "match"\n', encoding="latin-1")
    assert run(["leaderboard", str(path), "--out", str(tmp_path / "out")]) == UNUSABLE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"arena: {path}:1: game 1: ")
    assert printed.err.endswith("arena: nothing to rank: no game could be read\n")
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_without_out(tmp_path: Path) -> None:
    source = write_pbn(tmp_path / "one.pbn", worked_event())
    assert run(["leaderboard", source]) == DONE
    assert [path.name for path in tmp_path.iterdir()] == ["one.pbn"]


def test_a_source_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.pbn").write_text("not a game\n")
    for source in ("missing.pbn", "empty", "text.pbn"):
        assert run(["leaderboard", str(tmp_path / source)]) == UNUSABLE
        error = capsys.readouterr().err
        assert len(error.splitlines()) == 1
        assert source in error


def test_records_of_another_event_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = worked_event()
    other = event(Format.MATCH, "gamma", "delta", boards=3, title="Other")
    source = write_pbn(tmp_path / "one.pbn", EventResults(other, results.played))
    assert run(["leaderboard", source]) == UNUSABLE
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert error.startswith("arena: Other: match 1/1, board 1: 'alpha' sits where")


def test_a_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_pbn(tmp_path / "one.pbn", worked_event())
    (tmp_path / "file").write_text("")
    assert run(["leaderboard", source, "--out", str(tmp_path / "file")]) == UNUSABLE
    assert capsys.readouterr().err.startswith(f"arena: cannot write {tmp_path / 'file'}")


def with_a_bad_game(folder: Path) -> Path:
    path = folder / "one.pbn"
    write_pbn(path, worked_event())
    path.write_bytes(path.read_bytes() + b'[Event "bad"]\r\n[Board "x"]\r\n\r\n')
    return path


def test_bad_games_are_told_and_the_rest_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = with_a_bad_game(tmp_path)
    assert run(["leaderboard", str(path)]) == FAILED
    captured = capsys.readouterr()
    assert "1 game could not be read" in captured.err
    assert "3 boards in two rooms" in captured.out


def test_bad_games_of_a_file_are_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not again with each file that comes after it."""
    path = with_a_bad_game(tmp_path)
    other = play_event(event(Format.MATCH, "beta", "gamma", boards=1, title="Other"))
    two = write_pbn(tmp_path / "two.pbn", other)
    assert run(["leaderboard", str(path), two]) == FAILED
    first, last = capsys.readouterr().err.splitlines()
    assert "one.pbn" in first
    assert last == "arena: 1 game could not be read, see above"


def test_a_full_disk_is_told_with_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_pbn(tmp_path / "one.pbn", worked_event())
    out = tmp_path / "site"
    out.mkdir()
    (out / f".{SUMMARY}.new").symlink_to("/dev/full")
    assert run(["leaderboard", source, "--out", str(out)]) == UNUSABLE
    expected = f"arena: cannot write {out / SUMMARY}: No space left on device\n"
    assert capsys.readouterr().err == expected


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an event whose cards are valued. Only to be copied."""
    folder = tmp_path_factory.mktemp("analysed")
    results = play_event(event(Format.MATCH, "alpha", "beta", boards=2))
    own = [unit for of_round in plan(results.event, ()) for unit in of_round.matches[0].units()]
    with closing(Store.create(folder / STORE, results.event)) as store:
        boards = {unit.board: each.board for unit, each in zip(own, results.played, strict=True)}
        store.schedule([own[0].match], {n: GivenBoard(board, ()) for n, board in boards.items()})
        for unit, each in zip(own, results.played, strict=True):
            store.save(unit, each.record)
            store.save_analysis(unit.id, each.values)
    return folder


@pytest.fixture(scope="module")
def tallied_before(analysed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of an event whose store has tallies, and what is shown of it. Only to be
    copied."""
    folder = shutil.copytree(analysed, tmp_path_factory.mktemp("tallied") / "cup")
    with redirect_stdout(StringIO()) as printed:
        assert run(["leaderboard", str(folder)]) == DONE
    return folder, printed.getvalue()


@pytest.fixture
def kept(analysed: Path, tmp_path: Path) -> Path:
    """The folder of an event whose store keeps tallies."""
    return Path(shutil.copytree(analysed, tmp_path / "cup"))


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / STORE)) as store, store:
        for statement in statements:
            store.execute(statement)


def shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["leaderboard", str(folder)]) == DONE
    return capsys.readouterr().out


def tallied(folder: Path) -> int:
    with closing(sqlite3.connect(folder / STORE)) as store:
        kept = store.execute("SELECT tables FROM tally").fetchall()
        return sum(len(np.frombuffer(tables, TALLY)) for (tables,) in kept)


def test_tallies_are_kept_and_made_anew_when_asked(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = shown(kept, capsys)
    assert tallied(kept) == 4
    for options in ([], ["--anew"], ["--out", str(kept / "site")], []):
        assert run(["leaderboard", str(kept), *options]) == DONE
        assert capsys.readouterr().out.startswith(printed)
        assert tallied(kept) == 4


def test_tallies_are_made_anew_also_for_a_leaderboard_with_replays(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = shown(kept, capsys)
    change(kept, "UPDATE tally SET times = x''")
    assert run(["leaderboard", str(kept), "--anew", "--out", str(kept / "site")]) == DONE
    assert capsys.readouterr().out.startswith(printed)
    assert shown(kept, capsys) == printed


def test_a_store_of_an_earlier_release_gains_tallies(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = shown(kept, capsys)
    early = {"event", "board", "match", "record", "timing", "thought", "analysis", "deal_value"}
    later = [table.name for table in Base.metadata.sorted_tables if table.name not in early]
    change(
        kept,
        *(f"DROP TABLE {name}" for name in reversed(later)),
        "ALTER TABLE event DROP COLUMN tally_deletions",
        "ALTER TABLE event DROP COLUMN of_file",
        "UPDATE alembic_version SET version_num = '0007'",
    )
    assert run(["leaderboard", str(kept)]) == DONE
    assert capsys.readouterr().out == printed
    assert tallied(kept) == 4


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tally SET tables = substr(tables, 2)",
        "UPDATE tally SET tables = zeroblob(length(tables))",
        "UPDATE tally SET tables = x''",
        "UPDATE tally SET tables = randomblob(length(tables))",
        "UPDATE tally SET tables = 'text'",
        "UPDATE tally SET tables = 5",
        "UPDATE tally SET times = x''",
        "UPDATE tally SET times = zeroblob(9)",
        "UPDATE tally SET faults = x'0909'",
        "UPDATE tally SET model_uses = x'01'",
        "UPDATE event_sums SET summary = '5'",
        "UPDATE event_sums SET summary = json_remove(summary, '$.standings.entries[0]')",
        "UPDATE event_sums SET summary = json_set(summary, '$.standings.entries[0].entry', 7)",
        'UPDATE event_sums SET summary = replace(summary, \'"imps":\', \'"imps": 1e999, "x":\')',
        "UPDATE event_sums SET summary = 'nothing'",
        "UPDATE event_sums SET tables = zeroblob(length(tables))",
        "UPDATE event_sums SET boards = randomblob(length(boards))",
        "UPDATE event_sums SET deals = x''",
        "UPDATE event_sums SET scores = 5",
        "UPDATE tally SET lineups = '\"nothing\"'",
        "UPDATE tally SET lineups = 'nothing'",
        "UPDATE tally SET lineups = '5'",
        "UPDATE tally SET lineups = '[]'",
        'UPDATE tally SET lineups = \'[[[1, 2, 3, 4], "", "", []]]\'',
        'UPDATE tally SET lineups = \'[[["a"], "", "", []]]\'',
        "UPDATE tally SET lineups = replace(hex(zeroblob(9999)), '00', '[')",
        "UPDATE tally SET lineups = x'ff'",
    ],
)
def test_a_broken_tally_is_told_in_a_line_and_made_anew_when_asked(
    statement: str,
    tallied_before: tuple[Path, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, printed = tallied_before
    kept = shutil.copytree(folder, tmp_path / "cup")
    change(kept, statement)
    if "lineups" in statement:  # they are read only where there are no sums
        change(kept, "DELETE FROM event_sums")
    assert run(["leaderboard", str(kept)]) == UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arena: ")
    assert "broken tallies (arena leaderboard --anew makes them anew): " in line
    assert run(["leaderboard", str(kept), "--anew"]) == DONE
    assert capsys.readouterr().out == printed
