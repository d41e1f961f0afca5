"""`arena train qplay` and `arena train sarsa`, from the command line to the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bridge_arena.bots.library.minibridge.games import random_games
from bridge_arena.bots.qplay.bot import QPlayBot
from bridge_arena.bots.qplay.card_table import CardTable
from bridge_arena.bots.qplay.learning import Learner, QPlaySettings
from bridge_arena.commands.main import DONE, UNUSABLE, run


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save checkpoints often, and measure on few games."""
    monkeypatch.setattr("bridge_arena.bots.qplay.training.EVERY", 10)
    monkeypatch.setattr("bridge_arena.bots.qplay.training.TESTED", 5)


def train(name: str, *arguments: object) -> int:
    return run(["train", name, *map(str, arguments)])


@pytest.mark.parametrize(("name", "rule"), [("qplay", "qlearning"), ("sarsa", "sarsa")])
def test_a_table_is_trained(name: str, rule: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert train(name, "--games", 25, "--seed", 3, "--least", 1, "--out", out) == DONE
    learner = Learner(QPlaySettings(rule=rule))  # type: ignore[arg-type]
    games = random_games(3)
    for _ in range(25):
        game = next(games)
        learner.learn(game.states, game.cards, game.margin)
    table = CardTable.read(out / "weights.npz").nested()
    assert table.keys() == learner.values.keys()
    for state, row in learner.values.items():
        assert table[state] == pytest.approx(row, rel=1e-3, abs=1e-6)
    record = json.loads((out / "record.json").read_text())
    assert record["trains"] == name
    assert record["settings"]["rule"] == rule
    assert record["settings"]["games"] == 25
    curve = (out / "curve.csv").read_text().splitlines()
    assert curve[0] == "step,won,known"
    assert [row.partition(",")[0] for row in curve[1:]] == ["10", "20", "25"]
    assert (out / "curve.svg").exists()
    assert QPlayBot(str(out / "weights.npz")).name == "qplay"


def test_states_that_came_once_are_left_out(tmp_path: Path) -> None:
    assert train("qplay", "--games", 20, "--least", 2, "--out", tmp_path / "often") == DONE
    assert train("qplay", "--games", 20, "--least", 1, "--out", tmp_path / "all") == DONE
    often = CardTable.read(tmp_path / "often" / "weights.npz").nested()
    every = CardTable.read(tmp_path / "all" / "weights.npz").nested()
    assert 0 < len(often) < len(every)
    assert often.items() <= every.items()


def test_a_run_does_not_go_on_with_other_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert train("qplay", "--games", 5, "--out", out) == DONE
    assert train("qplay", "--games", 5, "--spread", 0, "--out", out, "--resume") == UNUSABLE
    assert "with other settings: spread 0.8, not 0.0\n" in capsys.readouterr().err
    (out / "checkpoint").write_bytes(b"nothing")
    assert train("qplay", "--games", 5, "--out", out, "--resume") == UNUSABLE
    assert "checkpoint is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("--hands", "seen"), ("--games", 0), ("--spread", 2), ("--defence", "strong")]
)
def test_unusable_options_are_refused(
    words: tuple[object, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("qplay", *words, "--out", tmp_path / "run") == UNUSABLE
    assert str(words[0]) in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
