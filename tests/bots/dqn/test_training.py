"""`arena train dqn`, from the command line to the network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bridge_arena.bots.dqn.bot import DqnBot
from bridge_arena.commands.main import DONE, UNUSABLE, run
from tests.late_imports import late_imports

with late_imports("torch"):
    from bridge_arena.bots.dqn.training import DqnSettings, DqnTrainer


def train(*arguments: object) -> int:
    return run(["train", "dqn", *map(str, arguments)])


def test_a_network_is_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge_arena.bots.dqn.training.LESSON", 4)
    monkeypatch.setattr("bridge_arena.bots.dqn.training.TESTED", 5)
    out = tmp_path / "run"
    assert train("--lessons", 21, "--width", 8, "--out", out) == DONE
    assert DqnBot(str(out / "weights.npz")).name == "dqn"
    assert json.loads((out / "record.json").read_text())["settings"]["lessons"] == 21
    curve = (out / "curve.csv").read_text().splitlines()
    assert curve[0] == "step,loss,won,margin"
    assert [row.partition(",")[0] for row in curve[1:]] == ["20", "21"]


def test_a_device_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("--device", "nowhere", "--out", tmp_path / "run") == UNUSABLE
    assert "torch cannot compute on nowhere" in capsys.readouterr().err


@pytest.mark.weekly(part="trainings")
def test_training_teaches_the_network_to_make_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A random declarer makes three in ten, and four lessons are enough for more than that."""
    monkeypatch.setattr("bridge_arena.bots.dqn.training.TESTED", 200)
    trainer = DqnTrainer(DqnSettings(lessons=4))
    for _ in range(4):
        trainer.learn()
    assert trainer.row({})["won"] > 0.45
