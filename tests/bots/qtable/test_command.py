"""`arena train qtable`, from the command line to the table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba")

from bots.learning.hands import random_pairs
from bots.qtable.table import Table
from bots.qtable.training import Learner
from bridge.board import random_deal
from bridge.seats import SEATS
from oracle.solved_deals import Heading, SolvedDeals, write
from tournaments.commands.main import DONE, INTERRUPTED, UNUSABLE, run


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is learned, and little looked at."""
    monkeypatch.setattr("bots.qtable.training.ROUND", 200)
    monkeypatch.setattr("bots.qtable.training.AUCTIONS", 2000)


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Solved deals, but not by a solver: the more points, the more tricks."""
    seats = np.zeros((400, 52), np.uint8)
    for number, row in enumerate(seats, start=1):
        deal = random_deal(1, number)
        for seat in SEATS:
            row[list(deal[seat])] = int(seat)
    tricks = np.random.default_rng(1).integers(4, 11, (400, 5, 4)).astype(np.uint8)
    path = tmp_path / "some.deals"
    write(path, Heading(1, 1, 400, 1, "none"), SolvedDeals(seats, tricks))
    return path


def train(*arguments: object) -> int:
    return run(["train", "qtable", *map(str, arguments)])


def test_a_table_is_trained(deals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert train("--deals", deals, "--rounds", 3, "--out", out) == DONE
    table = Table.read(out / "weights.npz")
    east, west = random_pairs(np.random.default_rng(1), 50)
    assert (table.bid(east, west)[:, 0] >= 0).all()
    record = json.loads((out / "record.json").read_text())
    assert record["settings"]["deals"] == ["some.deals"]
    assert record["settings"]["examples"] == 1600
    assert "numba" in record["versions"]
    curve = (out / "curve.csv").read_text().splitlines()
    assert curve[0] == "step,learning,checked"
    assert len(curve) == 4
    assert (out / "curve.svg").exists()


def test_it_goes_on_to_the_same_table(
    deals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bots.qtable.training.KEPT_EVERY", 1)
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    assert train("--deals", deals, "--rounds", 3, "--out", whole) == DONE
    learn = Learner.learn

    def interrupted(self: Learner, number: int, *rest: object) -> float:
        if number == 2:
            raise KeyboardInterrupt
        return learn(self, number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Learner, "learn", interrupted)
    assert train("--deals", deals, "--rounds", 3, "--out", parted) == INTERRUPTED
    assert f"--out {parted} --rounds 3" in capsys.readouterr().err
    monkeypatch.setattr(Learner, "learn", learn)
    assert train("--deals", deals, "--rounds", 3, "--out", parted, "--resume") == DONE
    assert (whole / "weights.npz").read_bytes() == (parted / "weights.npz").read_bytes()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot read"),
        ("N:no deal 00000000000000000000\n", "mine.txt, line 1"),
        ("", "too few deals"),
    ],
)
def test_unusable_deals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, problem: str
) -> None:
    path = tmp_path / "mine.txt"
    if content is not None:
        path.write_text(content)
    assert train("--deals", path, "--out", tmp_path / "run") == UNUSABLE
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1


def test_unusable_openings(deals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Shape 0\n")
    assert train("--deals", deals, "--openings", path, "--out", tmp_path / "run") == UNUSABLE
    assert "mine.txt, line 1: the columns are not Shape 0 4 7" in capsys.readouterr().err


def test_unusable_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--tricks", tmp_path / "none.npz", "--out", tmp_path / "run") == UNUSABLE
    assert "cannot read an estimate of tricks from" in capsys.readouterr().err
