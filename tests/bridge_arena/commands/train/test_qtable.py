"""`arena train qtable`, from the command line to the table."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.qtable import opening
from bridge_arena.bots.qtable.bidding_table import BiddingTable
from bridge_arena.bots.qtable.examples import estimated
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.commands.main import DONE, INTERRUPTED, UNUSABLE, run
from bridge_arena.oracle.solved_deals import Heading, SolvedDeals, read, write


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn in short rounds, and measure on few auctions."""
    pytest.importorskip("numba", reason="needs the extra train")
    monkeypatch.setattr("bridge_arena.bots.qtable.training.ROUND", 200)
    monkeypatch.setattr("bridge_arena.bots.qtable.training.AUCTIONS", 2000)


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Write deals with made-up solutions: more points take more tricks."""
    seats = np.zeros((400, 52), np.uint8)
    for number, row in enumerate(seats, start=1):
        deal = random_deal(1, number)
        for seat in SEATS:
            row[list(deal[seat])] = int(seat)
    tricks = np.random.default_rng(1).integers(4, 11, (400, 5, 4)).astype(np.uint8)
    path = tmp_path / "some.deals"
    write(path, Heading(1, 1, 400, 1, "none"), SolvedDeals(seats, tricks))
    return path


LINE = (
    "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65 3a3a2b2b767649493737\n"
)


def train(*arguments: object) -> int:
    return run(["train", "qtable", *map(str, arguments)])


@pytest.mark.slow
def test_a_table_is_trained(deals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert train("--deals", deals, "--rounds", 3, "--out", out) == DONE
    table = BiddingTable.read(out / "weights.npz")
    east, west = random_pairs(np.random.default_rng(1), 50)
    assert (table.bid(east, west)[:, 0] >= 0).all()
    record = json.loads((out / "record.json").read_text())
    data = record["settings"]["data"]
    digest = hashlib.sha256(deals.read_bytes()).hexdigest()
    assert data["deals"] == [{"name": "some.deals", "sha256": digest}]
    assert (data["pairs"], data["tricks"]) == (0, None), "no estimate was needed"
    openings = Path(opening.__file__).parent / "tables" / opening.SHIPPED
    digest = hashlib.sha256(openings.read_bytes()).hexdigest()
    assert data["openings"] == {"name": "shipped", "sha256": digest}
    assert "numba" in record["versions"]
    curve = (out / "curve.csv").read_text().splitlines()
    assert curve[0] == "step,learning,checked"
    assert len(curve) == 4
    assert (out / "curve.svg").exists()


@pytest.mark.slow
def test_pairs_are_estimated_within_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is checked first, and an interruption prints how to continue."""
    monkeypatch.setattr("bridge_arena.bots.qtable.examples.CHUNK", 250)
    out = tmp_path / "run"

    def interrupted(*_: object) -> object:
        os.kill(os.getpid(), signal.SIGTERM)
        return estimated(*_)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr("bridge_arena.bots.qtable.examples.estimated", interrupted)
        assert train("--pairs", 600, "--rounds", 2, "--out", out) == INTERRUPTED
        assert capsys.readouterr().err.endswith("--pairs 600 --resume\n")
        patch.setattr("bridge_arena.bots.qtable.examples.estimated", None)
        assert train("--pairs", 600, "--rounds", 2, "--out", out) == UNUSABLE
        assert "holds a training run" in capsys.readouterr().err
    assert train("--pairs", 600, "--rounds", 2, "--out", out, "--resume") == DONE
    assert len((out / "curve.csv").read_text().splitlines()) == 3


@pytest.mark.slow
def test_a_run_does_not_go_on_with_other_deals(
    deals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert train("--deals", deals, "--rounds", 1, "--out", out) == DONE
    assert train("--deals", deals, "--rounds", 1, "--out", out, "--resume") == DONE
    (again,) = read([deals])
    again.tricks[:] = 7
    write(deals, Heading(1, 1, 400, 1, "none"), again)
    assert train("--deals", deals, "--rounds", 1, "--out", out, "--resume") == UNUSABLE
    assert "with other settings: data.deals\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot read"),
        ("N:no deal 00000000000000000000\n", "mine.txt, line 1"),
        ("", "there are no solved deals in"),
        (LINE, "too few deals"),
    ],
)
def test_unusable_deals_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, problem: str
) -> None:
    path = tmp_path / "mine.txt"
    if content is not None:
        path.write_text(content)
    assert train("--deals", path, "--out", tmp_path / "run") == UNUSABLE
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1


def test_unusable_openings_are_told(
    deals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Shape 0\n")
    assert train("--deals", deals, "--openings", path, "--out", tmp_path / "run") == UNUSABLE
    assert "mine.txt, line 1: the columns are not Shape 0 4 7" in capsys.readouterr().err


def test_an_unusable_estimate_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--tricks", tmp_path / "none.npz", "--out", tmp_path / "run") == UNUSABLE
    assert "none.npz: No such file or directory" in capsys.readouterr().err
