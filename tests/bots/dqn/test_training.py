"""`arena train dqn`, from the command line to the network."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra train")

from bridge_arena.bots.dqn.bot import DqnBot
from bridge_arena.bots.dqn.net import QNet
from bridge_arena.bots.dqn.training import DqnSettings, Steps, Trainer, made_games
from bridge_arena.bots.library.minibridge.games import Games, random_games
from bridge_arena.bots.library.minibridge.states import features
from bridge_arena.commands.main import DONE, INTERRUPTED, UNUSABLE, run


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save checkpoints often, and measure on few games."""
    monkeypatch.setattr("bridge_arena.bots.dqn.training.EVERY", 10)
    monkeypatch.setattr("bridge_arena.bots.dqn.training.TESTED", 5)


def train(*arguments: object) -> int:
    return run(["train", "dqn", *map(str, arguments)])


SIZE = ("--games", 10, "--width", 8)


def test_a_network_is_trained(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert train(*SIZE, "--steps", 25, "--out", out) == DONE
    net = QNet.read(out / "weights.npz")
    assert np.isfinite(net.values(np.array([0, 5], np.uint64))).all()
    assert DqnBot(str(out / "weights.npz")).name == "dqn"
    record = json.loads((out / "record.json").read_text())
    assert record["settings"]["games"] == 10
    assert record["settings"]["device"] == "cpu"
    curve = (out / "curve.csv").read_text().splitlines()
    assert curve[0] == "step,loss,won"
    assert [row.partition(",")[0] for row in curve[1:]] == ["10", "20", "25"]


def test_it_goes_on_to_the_same_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    assert train(*SIZE, "--steps", 30, "--out", whole) == DONE
    learn = Trainer.learn

    def interrupted(self: Trainer) -> float:
        if self.descent.done == 20:
            raise KeyboardInterrupt
        return learn(self)

    monkeypatch.setattr(Trainer, "learn", interrupted)
    assert train(*SIZE, "--steps", 30, "--out", parted) == INTERRUPTED
    assert capsys.readouterr().err.endswith("--device cpu --resume\n")
    monkeypatch.setattr(Trainer, "learn", learn)
    assert train(*SIZE, "--steps", 30, "--out", parted, "--resume") == DONE
    assert (whole / "weights.npz").read_bytes() == (parted / "weights.npz").read_bytes()


def test_a_device_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(*SIZE, "--device", "nowhere", "--out", tmp_path / "run") == UNUSABLE
    assert "torch cannot compute on nowhere" in capsys.readouterr().err


class TestSteps:
    def test_what_comes_after_each_card(self) -> None:
        every = list(islice(random_games(1), 3))
        steps = Steps.of(Games.of(every), "above", "every")
        assert len(steps) == 78
        for number, game in enumerate(every):
            first, last = 26 * number, 26 * number + 25
            assert steps.states[first : last + 1].tolist() == game.states
            assert steps.after[first:last].tolist() == game.states[1:]
            assert steps.cards[first : last + 1].tolist() == game.cards
            assert (steps.rewards[first : last + 1] == game.margin).all()
            legal = [sum(1 << int(card) for card in np.flatnonzero(row)) for row in steps.legal]
            assert legal[first:last] == game.legal[1:]
            assert not steps.legal[last].any()

    def test_reward_at_the_end(self) -> None:
        games = Games.of(list(islice(random_games(1), 2)))
        rewards = Steps.of(games, "made", "end").rewards.reshape(2, 26)
        assert not rewards[:, :25].any()
        assert rewards[:, 25].tolist() == (games.margins + 1).tolist()


@pytest.mark.slow
def test_it_learns_the_rewards_of_what_it_saw() -> None:
    """With discount 0 the values are the rewards, so games can be learned by heart."""
    settings = DqnSettings(games=5, steps=1500, width=64, discount=0.0, kept="all", rate=3e-3)
    steps = Steps.of(made_games(settings), "above", "end")
    trainer = Trainer(settings, steps)
    for _ in range(settings.steps):
        trainer.learn()
    values = trainer.net().values(steps.states)
    played = values[np.arange(len(steps)), steps.cards]
    assert features(steps.states).shape[0] == 130
    assert np.abs(played - steps.rewards).mean() < 0.2
