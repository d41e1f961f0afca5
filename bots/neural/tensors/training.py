"""Self-play in large lessons on one device, then the meanings of the calls.

A lesson has tens of thousands of boards, against the present self, past selves, and now and then
networks that are given. Its turns are learned from once, in large parts (`tensors.lessons`). Most
boards are dealt anew, with tricks drawn by the estimate of tables; some, and all of the last
lessons, are solved.
"""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import average
from bridge_arena.bots.library.learning.device import quick, quickly, tensor
from bridge_arena.bots.library.learning.run import TrainingRun, follow
from bridge_arena.bots.library.many_auctions.boards import in_turn, pars
from bridge_arena.bots.library.tables.net import shipped as tables
from bridge_arena.bots.neural.forcing import learned
from bridge_arena.bots.neural.modules import CallsNet, MeaningsNet, weights
from bridge_arena.bots.neural.net import LENGTHS, POINTS, Nets
from bridge_arena.bots.neural.tensors.boards import Boards, dealt, drawn, estimate_of, imps
from bridge_arena.bots.neural.tensors.lessons import Lesson, bid_out, lesson, match
from bridge_arena.oracle.solved_deals import SolvedDeals

EVERY = 20
"""Lessons between two rows of the curve, and between two checkpoints."""

FIGURES = ("won_in_training", "surprise", "against_start", "from_par")
"""The figures of the curve."""


@dataclass(frozen=True, slots=True)
class LessonsSettings:
    """The settings of the training; temperatures are in IMPs."""

    seed: int = 1
    lessons: int = 500
    boards: int = 32_768
    """The boards of a lesson, each in two rooms."""
    turns: int = 8192
    """The turns of a part of a lesson that is learned from at once."""
    meanings: int = 60
    """Lessons of what calls mean, after the others."""
    bidden: int = 30_000
    """Boards that the result bids, to learn which of its calls partner passes."""
    width: int = 512
    layers: int = 5
    rate: float = 7e-4
    rate_of_meanings: float = 1e-3
    candidates: int = 4
    hot: float = 1.0
    """The temperature of the learner's calls in the first lesson; in the last it is `cold`."""
    cold: float = 0.02
    astray: float = 0.015
    """The probability of a call that nobody expects."""
    level: float = 0.05
    """The weight of the value in the loss, relative to the differences of calls."""
    average: float = 0.998
    """The share of the averaged weights that stays in a step."""
    solved: float = 0.1
    """The share of lessons on solved deals; `solved_at_end` of them, the last, are all so."""
    solved_at_end: float = 0.08
    given: float = 0.2
    """The share of lessons against the networks given, if there are any."""
    past: float = 0.16
    """The share of the others against past selves."""
    kept: int = 60
    """Lessons after which a past self is added to the pool."""
    pool: int = 12
    """The most past selves in the pool."""

    @property
    def total(self) -> int:
        """The number of all lessons."""
        return self.lessons + self.meanings


class Trainer:
    """The networks and the way they learn, lesson by lesson.

    Args:
        start: The networks with which self-play begins; None for networks that know nothing.
    """

    def __init__(
        self,
        settings: LessonsSettings,
        solved: SolvedDeals,
        checked: SolvedDeals,
        start: Nets | None,
        given: Sequence[Nets],
    ) -> None:
        self.settings = settings
        self._solved = solved
        torch.manual_seed(settings.seed)
        self.net = CallsNet.of(start) if start else _ignorant(settings.width, settings.layers)
        self.averaged = copy.deepcopy(self.net)
        self.meanings = MeaningsNet(settings.width // 2, 2)
        self._start = _fast(self.net)
        self._given = [_fast(CallsNet.of(nets)) for nets in given]
        self._estimate = estimate_of(tables())
        boards, tricks = in_turn(checked)
        self._check, self._par = Boards.of(boards, tricks), tensor(pars(boards, tricks))
        self.pool: list[dict[str, Tensor]] = []
        """The weights of past selves, in the type of `quick`."""
        self.done = self._steps = 0
        self._optimizer = torch.optim.Adam(self.net.parameters())
        self._of_meanings = torch.optim.Adam(self.meanings.parameters())

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        state = {name: part.state_dict() for name, part in self._parts().items()}
        data = io.BytesIO()
        torch.save(state | {"pool": self.pool, "done": self.done, "steps": self._steps}, data)
        path.write_bytes(data.getbuffer())

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        for name, part in self._parts().items():
            part.load_state_dict(state[name])
        self.pool, self.done, self._steps = state["pool"], state["done"], state["steps"]

    def learn(self) -> dict[str, float]:
        """Take one lesson and return figures of it."""
        rng = np.random.default_rng([self.settings.seed, self.done])
        torch.manual_seed(int(rng.integers(2**63)))
        figures = self._play(rng) if self.done < self.settings.lessons else self._mean(rng)
        self.done += 1
        return figures

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return a row of the curve: IMPs a board of the averaged weights, in self-play."""
        figures = dict.fromkeys(FIGURES, float("nan")) | means
        if self.done > self.settings.lessons:
            return figures
        net = _fast(self.averaged)
        off = imps(bid_out(self._check, net, net)[0] - self._par).abs()
        return figures | {
            "against_start": float(match(self._check, net, self._start).mean()),
            "from_par": float(off.float().mean()),
        }

    def _play(self, rng: np.random.Generator) -> dict[str, float]:
        settings = self.settings
        share = self.done / settings.lessons
        learner = _fast(self.net)
        found = lesson(
            learner,
            self._opponent(learner, rng),
            self._boards(rng, share),
            temperature=settings.hot * (settings.cold / settings.hot) ** share,
            candidates=settings.candidates,
            astray=settings.astray,
        )
        for part in torch.split(torch.randperm(len(found)), settings.turns):
            self._step(found, part, share)
        if (self.done + 1) % settings.kept == 0:
            self.pool = [*self.pool, _fast(self.averaged).state_dict()][-settings.pool :]
        return {"won_in_training": found.level}

    def _step(self, found: Lesson, part: Tensor, share: float) -> None:
        """Take a step of the calls' network."""
        settings = self.settings
        rise = min(1.0, (self._steps + 1) / 100)
        for group in self._optimizer.param_groups:
            group["lr"] = settings.rate * rise * _fallen(share)
        self._optimizer.zero_grad()
        found.loss(self.net, part, settings.level).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self._optimizer.step()
        self._steps += 1
        average(self.averaged, self.net, self._steps, settings.average)

    def _opponent(self, learner: CallsNet, rng: np.random.Generator) -> CallsNet:
        """Return the opponent of a lesson."""
        if self._given and rng.random() < self.settings.given:
            return self._given[int(rng.integers(len(self._given)))]
        if not self.pool or rng.random() >= self.settings.past:
            return learner
        past = copy.deepcopy(learner)
        past.load_state_dict(self.pool[int(rng.integers(len(self.pool)))])
        return past

    def _boards(self, rng: np.random.Generator, share: float) -> Boards:
        """Return the boards of a lesson."""
        settings = self.settings
        if share >= 1 - settings.solved_at_end or rng.random() < settings.solved:
            return drawn(self._solved, settings.boards)
        return dealt(settings.boards, self._estimate)

    def _mean(self, rng: np.random.Generator) -> dict[str, float]:
        """Learn what calls mean from auctions of the result, against itself or others."""
        settings = self.settings
        own = _fast(self.averaged)
        others = [own, *self._given] if rng.random() < 0.5 else [own]
        boards = dealt(settings.boards, self._estimate)
        _, seen, hands = bid_out(boards, own, others[int(rng.integers(len(others)))])
        held = boards.measures()[hands]
        losses: list[float] = []
        for group in self._of_meanings.param_groups:
            share = (self.done - settings.lessons) / settings.meanings
            group["lr"] = settings.rate_of_meanings * _fallen(share)
        for part in torch.split(torch.randperm(len(seen)), settings.turns):
            with quickly():
                logits = self.meanings.forward(seen[part].to(quick())).float()
            shown = torch.split(logits, [POINTS, *[LENGTHS] * 4], dim=1)
            loss = torch.stack(
                [nn.functional.cross_entropy(x, held[part, at]) for at, x in enumerate(shown)]
            ).sum()
            self._of_meanings.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._of_meanings.step()
            losses.append(float(loss.detach()))
        return {"surprise": float(np.mean(losses))}

    def _parts(self) -> dict[str, nn.Module | torch.optim.Optimizer]:
        return {
            "net": self.net,
            "averaged": self.averaged,
            "meanings": self.meanings,
            "optimizer": self._optimizer,
            "of_meanings": self._of_meanings,
        }


def train(
    run: TrainingRun,
    trainer: Trainer,
    told: Callable[[int], None],
    bidden: Callable[[int], None],
) -> Path:
    """Train the networks in a folder, from the last checkpoint if there is one.

    Args:
        run: The folder of the run, with its curve and checkpoints.
        trainer: What learns.
        told: Called with the number of lessons done, at the start and after every lesson.
        bidden: Called with the number of boards that the result has bid, of `settings.bidden`.

    Returns:
        The file of the weights.
    """
    settings = trainer.settings
    follow(run, trainer, settings.total, EVERY, told, ends=(settings.lessons,))
    path = run.folder / "weights.npz"
    nets = Nets(weights(trainer.averaged, trainer.meanings))
    passed = learned(nets, np.random.default_rng(settings.seed), settings.bidden, bidden)
    write_halved(path, {**nets.weights, **passed})
    return path


def _ignorant(width: int, layers: int) -> CallsNet:
    """Return a network that rates all calls alike."""
    net = CallsNet(width, layers)
    nn.init.zeros_(net.out.weight)
    nn.init.zeros_(net.out.bias)
    return net


def _fast(net: CallsNet) -> CallsNet:
    """Return a copy for play, in the type of `quick`."""
    return copy.deepcopy(net).to(quick()).requires_grad_(requires_grad=False)


def _fallen(share: float) -> float:
    """Return the share of the learning rate after a share of the lessons."""
    return 0.01 + 0.495 * (1 + cos(pi * share))
