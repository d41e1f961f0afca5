"""`arena boards dataset`, and what the examples make of a dataset."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.board_files.records import read_records
from bridge_arena.envs.decisions import decisions
from bridge_arena.oracle.solved_deals import Heading, write
from bridge_arena.pbn.write.writer import write_records
from bridge_arena.tournaments.play.in_process import play_match
from tests.data import DOCS, ROOT
from tests.end_to_end.conftest import Here
from tests.envs.boards import solved
from tests.late_imports import late_imports

with late_imports("pyarrow"):
    from bridge_arena.recorded.datasets.reading import read_deals, read_tables


def deals_in(folder: Path, number: int = 40) -> None:
    folder.mkdir()
    heading = Heading(seed=9, first=1, number=number, layouts=1, solver="none")
    write(folder / "deals-00000.deals", heading, solved(number))


def example(name: str, *words: str | Path) -> str:
    command = [sys.executable, str(DOCS / "examples" / name), *map(str, words)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_a_dataset_is_made_of_solved_deals(here: Here, tmp_path: Path) -> None:
    deals_in(tmp_path / "deals")
    ended = here(*"boards dataset deals --out new/solved --licence cc0-1.0 --title Deals".split())
    assert (ended.status, ended.errors) == (0, "")
    splits = {name: len(read_deals(tmp_path / "new" / "solved", name)) for name in SPLITS}
    told = ", ".join(f"{count} for {name}" for name, count in splits.items())
    assert ended.output == f"40 deals in new/solved: {told}\n"
    card = (tmp_path / "new" / "solved" / "README.md").read_text()
    assert 'license: "cc0-1.0"' in card
    assert "# Deals\n" in card
    assert "seeds: 9." in card
    assert str(tmp_path) not in card
    assert " IMPs from par on average\n" in example("bid_many.py", tmp_path / "new" / "solved")


def test_a_source_of_a_dataset_may_have_a_name_that_is_not_utf_8(
    here: Here, tmp_path: Path
) -> None:
    games = os.fsdecode(b"caf\xe9.pbn")
    write_records(tmp_path / games, play_match("baseline", "random", 2, seed=1).records)
    ended = here("boards", "dataset", games, "--out", "played")
    assert (ended.status, ended.errors) == (0, "")
    assert "from `caf?`." in (tmp_path / "played" / "README.md").read_text()


def test_an_environment_bids_the_deals_of_a_file_of_boards(tmp_path: Path) -> None:
    write_records(tmp_path / "games.pbn", play_match("baseline", "random", 2, seed=1).records)
    told = example("own_deals.py", tmp_path / "games.pbn")
    assert re.fullmatch(r"2 deals, \d+\.\d IMPs from par on average\n", told)


SPLITS = ("train", "validation", "test")


def test_a_dataset_is_made_of_played_boards_of_files(here: Here, tmp_path: Path) -> None:
    write_records(tmp_path / "games.pbn", play_match("baseline", "random", 8, seed=1).records)
    (tmp_path / "bad.pbn").write_text('[Board "1"]\n[Deal "N:A... - - -"]\n')
    ended = here(*"boards dataset games.pbn bad.pbn --out played".split())
    assert ended.status == 1
    assert "bad.pbn" in ended.errors
    assert ended.errors.splitlines()[-1] == "arena: 1 game left out"
    found = [record for name in SPLITS for record in read_tables(tmp_path / "played", name)]
    kept = {(each.board.number, each.room): each for each in found}
    assert len(found) == len(kept) == 16
    for record in read_records(tmp_path / "games.pbn"):
        again = kept[record.board.number, record.room]
        assert (again.calls, again.cards, again.score) == (
            record.calls,
            record.cards,
            record.score,
        )
    out = tmp_path / "out.npz"
    told = example("imitation.py", tmp_path / "played", "baseline", out)
    with np.load(out) as arrays:
        trained = read_tables(tmp_path / "played")
        count = sum(
            record.players[each.seat] == "baseline"
            for record in trained
            for each in decisions(record)
        )
        assert told == f"{count} decisions of baseline\n"
        assert arrays["observations"].shape == (count, 1032)


def test_a_source_that_is_given_twice_counts_once(here: Here, tmp_path: Path) -> None:
    deals_in(tmp_path / "deals")
    shard = "deals/deals-00000.deals"
    ended = here("boards", "dataset", shard, "deals", "./deals", "--out", "solved")
    assert (ended.status, ended.output[:9]) == (0, "40 deals ")
    given_twice = "it is given twice: counted once\n"
    assert ended.errors == f"arena: {shard}: {given_twice}arena: ./deals: {given_twice}"
    write_records(tmp_path / "games.pbn", play_match("baseline", "random", 2, seed=1).records)
    ended = here(*"boards dataset games.pbn games.pbn --out played".split())
    assert (ended.status, ended.output[:9]) == (0, "4 tables ")
    assert ended.errors == f"arena: games.pbn: {given_twice}"
    assert (tmp_path / "played" / "README.md").read_text().count("`games`") == 1


@pytest.mark.slow
def test_a_dataset_is_made_of_played_boards_of_a_run(here: Here, tmp_path: Path) -> None:
    assert here(*"match baseline random --boards 2 --out runs/first".split()).status == 0
    ended = here(*"boards dataset runs/first runs/first/match.pbn --out played".split())
    told = "arena: runs/first/match.pbn: it is given twice: counted once\n"
    assert (ended.status, ended.errors) == (0, told)
    assert ended.output.startswith("4 tables in played: ")
    found = [record for name in SPLITS for record in read_tables(tmp_path / "played", name)]
    assert {record.room for record in found} == {"Open", "Closed"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("deals games.pbn --out new", "some sources are solved deals and others are not"),
        ("deals --out deals", "deals is there already: choose another --out"),
        ("nowhere.pbn --out new", "nowhere.pbn: cannot be read: No such file or directory"),
        ("nowhere.deals --out new", "cannot read nowhere.deals: No such file or directory"),
        ("bad.deals --out new", "bad.deals: no file of solved deals"),
        ("empty --out new", ""),
        ("deals --out games.pbn/new", "cannot write games.pbn"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_line(
    here: Here, tmp_path: Path, words: str, complaint: str
) -> None:
    deals_in(tmp_path / "deals", 2)
    write_records(tmp_path / "games.pbn", play_match("random", "random", 1, seed=1).records)
    (tmp_path / "bad.deals").write_text("x")
    (tmp_path / "empty").mkdir()
    assert here("boards", "dataset", *words.split()).complaint(2).startswith(complaint)
    assert not (tmp_path / "new").exists()


def test_the_example_of_an_environment_plays_episodes() -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra envs")
    told = example("random_episodes.py")
    assert told.count("Board ") == told.count(" IMPs to North") == 3
