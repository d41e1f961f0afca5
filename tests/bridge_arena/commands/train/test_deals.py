"""Tests of `arena train deals` when nothing is left to solve: its output and its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.library.learning.pairs import read_pairs
from bridge_arena.commands.common.folders import alone
from bridge_arena.commands.main import run
from bridge_arena.recorded.solving.shards import Series, Shards, solve_missing
from tests.recorded.solving.solvers import Instant

FIRST = "deals-00000.deals"


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the first three deals of seed 7, two layouts of each, to work in."""
    (tmp_path / "begun").mkdir()
    shards = Shards(tmp_path / "begun", Series(7, 2))
    solve_missing(shards, 3, Instant(), lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(words: str) -> int:
    return run(["train", "deals", *words.split()])


@pytest.mark.parametrize("options", ["", "--seed 7", "--layouts 2", "--seed 7 --layouts 2"])
def test_the_folder_knows_its_seed_and_layouts(
    begun: Path, capsys: pytest.CaptureFixture[str], options: str
) -> None:
    before = (begun / "begun" / FIRST).read_bytes()
    assert train(f"3 --out begun {options}") == 0
    assert capsys.readouterr().out == "3 deals of seed 7 with 2 layouts a deal in begun\n"
    assert (begun / "begun" / FIRST).read_bytes() == before


def test_fewer_deals_than_there_are_take_nothing_away(
    begun: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (begun / "begun" / FIRST).read_bytes()
    assert train("1 --out begun --pairs one.npz") == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 deal of seed 7 with 2 layouts a deal in begun",
        "1 pair of hands in one.npz",
    ]
    assert len(read_pairs(begun / "one.npz")) == 1
    assert (begun / "begun" / FIRST).read_bytes() == before, "nothing is taken away"


def test_the_same_pairs_are_the_same_file(begun: Path) -> None:
    for name in ("one.npz", "two.npz"):
        assert train(f"3 --out begun --pairs {name}") == 0
    assert (begun / "one.npz").read_bytes() == (begun / "two.npz").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "N"),
        ("0 --out new", "N"),
        ("5", "--out"),
        ("5 --out new --layouts 0", "--layouts"),
        ("5 --out new --layouts 1001", "--layouts"),
        ("5 --out new --workers 0", "--workers"),
        ("5 --out new --workers 1 --dask tcp://localhost:1", "give one"),
        ("5 --out file", "cannot write file: File exists"),
        ("5 --out file/new", "cannot write file/new: Not a directory"),
        ("5 --out new --pairs no/pairs.npz", "cannot write no/pairs.npz: there is no folder no"),
        ("1 --out begun --pairs begun", "cannot write begun: it is a folder"),
        (
            "5 --out begun --seed 8",
            f"begun/{FIRST} holds seed 7 with 2 layouts a deal, expected seed 8 with 2 layouts",
        ),
        ("5 --out begun --layouts 1", "expected seed 7 with 1 layout a deal"),
        ("5 --out damaged", f"damaged/{FIRST}: no file of solved deals; without this file its"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(
    begun: Path, capsys: pytest.CaptureFixture[str], arguments: str, words: str
) -> None:
    (begun / "file").touch()
    (begun / "damaged").mkdir()
    (begun / "damaged" / FIRST).write_bytes(bytes(100))
    assert train(arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said


def test_a_folder_of_deals_is_for_one_command_at_a_time(
    begun: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with alone(begun / "begun"):
        assert train("5 --out begun") == 2
    assert capsys.readouterr().err == "arena: begun is in use by another run\n"


@pytest.mark.usefixtures("begun")
def test_an_address_of_no_scheduler_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    assert train("5 --out begun --dask here") == 2
    assert "'here' is no scheduler's address" in capsys.readouterr().err
