"""Training, with torch: imitation of `natural`, then self-play, then the meanings of the calls.

Imitation makes the ratings of calls logarithms of their probabilities. Taken as IMPs, these are the
start of self-play. There the differences between the ratings of calls that were tried at one turn
are trained towards the differences in IMPs that they led to (`bots.neural.selfplay`). Most boards
are dealt anew, with tricks drawn by the estimate of tables; the others, and all of the last tenth,
are solved. The opponents are the present self, past selves, and now and then bots of other systems.
Finally a second network learns from auctions of the result which hands make which calls.
"""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import average
from bridge_arena.bots.library.learning.device import quick, quickly, tensor
from bridge_arena.bots.library.learning.hands import features
from bridge_arena.bots.library.learning.run import TrainingRun, follow
from bridge_arena.bots.library.many_auctions.boards import (
    Boards,
    Caller,
    Tricks,
    Whole,
    bid_out,
    drawn,
    imps,
    in_turn,
    match,
    pars,
)
from bridge_arena.bots.library.tables import net as tables
from bridge_arena.bots.neural.field import SystemCaller
from bridge_arena.bots.neural.forcing import learned
from bridge_arena.bots.neural.imitation import Bidden, turns
from bridge_arena.bots.neural.modules import CallsNet, MeaningsNet, weights
from bridge_arena.bots.neural.net import LENGTHS, POINTS, Nets
from bridge_arena.bots.neural.selfplay import Lesson, lesson, shown
from bridge_arena.oracle.solved_deals import SolvedDeals

EVERY = 200
"""Steps between two rows of the curve, and between two checkpoints."""

FIELD: tuple[SystemName, ...] = ("natural", "qtable", "deepq")
"""The bidding systems that are met now and then."""

_AGAINST_NATURAL = 500
"""Boards of the check that `natural` itself bids, in both rooms."""

_FIGURES = (
    *("imitated", "won_in_training", "surprise"),
    *("against_start", "against_natural", "standard_error", "from_par"),
)
"""The figures of the curve."""


@dataclass(frozen=True, slots=True)
class NeuralSettings:
    """The settings of the training; temperatures are in IMPs."""

    seed: int = 1
    imitation: int = 1500
    """Steps of imitation, of `auctions` auctions each."""
    auctions: int = 256
    steps: int = 700
    """Steps of self-play, of `boards` boards each in two rooms."""
    boards: int = 512
    estimated: float = 0.6
    """The share of steps whose boards are dealt anew and scored by the estimate of tables."""
    solved_at_end: float = 0.1
    """The share of steps at the end without such boards."""
    passes: int = 2
    """How often a lesson is learned from, in parts of `turns` turns."""
    turns: int = 1000
    meanings: int = 1500
    """Steps of learning what calls mean, of `dealt` boards each."""
    dealt: int = 512
    bidden: int = 30_000
    """Boards that the result bids, to learn which of its calls partner passes."""
    width: int = 512
    layers: int = 3
    rate: float = 1e-3
    rate_of_play: float = 5e-4
    candidates: int = 3
    hot: float = 0.1
    cold: float = 0.02
    astray: float = 0.015
    """The probability of a call that nobody expects."""
    level: float = 0.05
    """The weight of the value in the loss, relative to the differences of calls."""
    average: float = 0.998
    """The share of the averaged weights that stays in a step of imitation."""
    average_of_play: float = 0.99
    field: float = 0.3
    """The share of steps against `FIELD`; `latest` is that against the present self."""
    boards_of_field: int = 128
    """The boards of these steps: their opponents take many times as long for a call."""
    latest: float = 0.5
    kept: int = 100
    """Steps after which a past self is added to the pool."""
    pool: int = 10
    """The most past selves in the pool."""

    @property
    def total(self) -> int:
        """The number of all steps."""
        return self.imitation + self.steps + self.meanings

    def temperature(self, played: int) -> float:
        """Return the temperature after a number of steps of self-play, in IMPs."""
        return self.hot * float((self.cold / self.hot) ** (played / self.steps))


def starting(settings: NeuralSettings, start: Nets) -> NeuralSettings:
    """Return the settings of a training that begins with networks, without imitation.

    The meanings begin with those of the networks, and need fewer steps. What has been learned goes
    on at a lower rate.
    """
    net = CallsNet.of(start)
    return replace(
        settings,
        imitation=0,
        meanings=settings.meanings // 3,
        rate_of_play=settings.rate_of_play * 0.6,
        width=net.out.in_features,
        layers=len(net.hidden),
    )


class Trainer:
    """The networks and the way they learn, step by step.

    Args:
        auctions: The auctions that are imitated; None if there is a start.
    """

    def __init__(
        self,
        settings: NeuralSettings,
        auctions: Bidden | None,
        solved: SolvedDeals,
        checked: SolvedDeals,
        start: Nets | None = None,
    ) -> None:
        self.settings = settings
        self._auctions = auctions
        self._solved = solved
        self._check = checked
        torch.manual_seed(settings.seed)
        self.net = CallsNet.of(start) if start else CallsNet(settings.width, settings.layers)
        self.averaged = copy.deepcopy(self.net)
        self.meanings = MeaningsNet.of(start) if start else MeaningsNet(settings.width // 2, 2)
        self._field = [SystemCaller(name) for name in FIELD]
        self.pool: list[dict[str, Tensor]] = []
        """The weights of past selves, in the type of `quick`; the first began self-play."""
        self.done = 0
        self._begin()

    @property
    def played(self) -> int:
        """The steps of self-play so far; negative before it."""
        return self.done - self.settings.imitation

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        state = {
            "net": self.net.state_dict(),
            "averaged": self.averaged.state_dict(),
            "meanings": self.meanings.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "pool": self.pool,
            "step": self.done,
        }
        # Into memory first: torch's own errors do not say what is wrong with a disk.
        data = io.BytesIO()
        torch.save(state, data)
        path.write_bytes(data.getbuffer())

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.done = state["step"]
        self.pool = state["pool"]
        self.net.load_state_dict(state["net"])
        self.averaged.load_state_dict(state["averaged"])
        self.meanings.load_state_dict(state["meanings"])
        self._begin()
        self._optimizer.load_state_dict(state["optimizer"])

    def learn(self) -> dict[str, float]:
        """Take one step and return figures of it."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, self.done])
        if self.played < 0:
            losses = self._imitate(rng)
        elif self.played < settings.steps:
            losses = self._play(rng)
        else:
            losses = self._mean(rng)
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate()
        told: dict[str, float] = {}
        for loss, figures in losses:
            told = figures
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self._trained.parameters(), 10.0)
            self._optimizer.step()
        self.done += 1
        if self._trained is self.net:
            self._average()
        if self.played in (0, settings.steps):
            self._begin()
        return told

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return a row of the curve: IMPs a board of the averaged weights, in self-play."""
        figures = dict.fromkeys(_FIGURES, float("nan")) | means
        if not 0 <= self.played <= self.settings.steps:
            return figures
        boards, tricks, best = self._checked
        net = Nets(weights(self.averaged, self.meanings))
        start = copy.deepcopy(self.net)
        start.load_state_dict(self.pool[0])
        first = Nets(weights(start, self.meanings))
        few = slice(0, _AGAINST_NATURAL)
        won = match(boards.rows(few), tricks[few], net, SystemCaller())
        off = imps(bid_out(boards, net, net).points(boards, tricks) - best)
        return figures | {
            "against_start": float(match(boards, tricks, net, first).mean()),
            "against_natural": float(won.mean()),
            "standard_error": float(won.std(ddof=1) / np.sqrt(len(won))),
            "from_par": float(np.abs(off).mean()),
        }

    @cached_property
    def _checked(self) -> tuple[Boards, Tricks, Whole]:
        """The boards on which the curve is measured, with their tricks and par."""
        boards, tricks = in_turn(self._check)
        return boards, tricks, pars(boards, tricks)

    @property
    def _trained(self) -> nn.Module:
        return self.net if self.played < self.settings.steps else self.meanings

    def _begin(self) -> None:
        """Begin a part of the training, from the averaged weights of the one before."""
        if self.played == 0 and not self.pool:
            self.net.load_state_dict(self.averaged.state_dict())
            self.pool = [_fast_weights(self.averaged)]
        self._fast = _fast(self.net, self.averaged.state_dict())
        self._opponent = copy.deepcopy(self._fast)
        self._optimizer = torch.optim.Adam(self._trained.parameters())

    def _rate(self) -> float:
        """Return the learning rate, which in each part rises and then falls to a fiftieth."""
        settings = self.settings
        if self.played < 0:
            done, of, rate = self.done, settings.imitation, settings.rate
        elif self.played < settings.steps:
            done, of, rate = self.played, settings.steps, settings.rate_of_play
        else:
            done, of, rate = self.played - settings.steps, settings.meanings, settings.rate
        share = done / of
        return rate * min(1.0, (done + 1) / 50) * (0.02 + 0.49 * (1 + float(np.cos(np.pi * share))))

    def _average(self) -> None:
        settings = self.settings
        if self.played < 0:
            average(self.averaged, self.net, self.done, settings.average)
        else:
            average(self.averaged, self.net, self.played, settings.average_of_play)

    def _imitate(self, rng: np.random.Generator) -> Iterator[tuple[Tensor, dict[str, float]]]:
        assert self._auctions is not None
        chosen = rng.integers(len(self._auctions), size=self.settings.auctions)
        loss, right = _imitation(self.net, self._auctions.rows(chosen))
        yield loss, {"imitated": right}

    def _play(self, rng: np.random.Generator) -> Iterator[tuple[Tensor, dict[str, float]]]:
        settings = self.settings
        opponent = self._opposing(rng)
        in_field = not isinstance(opponent, CallsNet)
        number = settings.boards_of_field if in_field else settings.boards
        boards, tricks = self._boards(rng, number)
        self._fast.load_state_dict(self.net.state_dict())
        if self.played and self.played % settings.kept == 0:
            kept = self.pool[1:][-settings.pool + 1 :]
            self.pool = [self.pool[0], *kept, _fast_weights(self.averaged)]
        found = lesson(
            self._fast,
            opponent,
            boards,
            tricks,
            rng,
            temperature=settings.temperature(self.played),
            candidates=settings.candidates,
            astray=settings.astray,
        )
        figures = {"won_in_training": found.level}
        for _ in range(settings.passes):
            order = rng.permutation(len(found.hand))
            for part in np.array_split(order, -(-len(order) // settings.turns)):
                yield self._lesson_loss(boards, found, part), figures

    def _opposing(self, rng: np.random.Generator) -> CallsNet | Caller:
        """Return the opponent of a step of self-play."""
        settings = self.settings
        which, past = rng.random(), int(rng.integers(len(self.pool)))
        if which < settings.field:
            return self._field[int(rng.integers(len(self._field)))]
        is_present = which < settings.field + settings.latest
        self._opponent.load_state_dict(self.net.state_dict() if is_present else self.pool[past])
        return self._opponent

    def _boards(self, rng: np.random.Generator, number: int) -> tuple[Boards, Tricks]:
        """Return the boards of a step of self-play, with their tricks."""
        settings = self.settings
        left = 1 - self.played / settings.steps
        if left <= settings.solved_at_end or rng.random() >= settings.estimated:
            return drawn(self._solved, rng, number)
        boards = Boards.random(rng, number)
        return boards, tables.drawn(tables.shipped().chances(boards.hands), rng)

    def _lesson_loss(self, boards: Boards, found: Lesson, part: NDArray[np.int64]) -> Tensor:
        """Return how far ratings and values of some turns are from what the calls led to."""
        ratings, value = _ratings(self.net, boards, found.hand[part], found.seen[part])
        rated = ratings.gather(1, tensor(found.tried[part]))
        won, tried = tensor(found.won[part]), tensor(found.is_tried[part])
        number = tried.sum(dim=1, keepdim=True)
        off = (rated - won) * tried
        off = (off - off.sum(dim=1, keepdim=True) / number) * tried
        level = value - won[:, 0]
        return off.square().sum() / tried.sum() + self.settings.level * level.square().mean()

    def _mean(self, rng: np.random.Generator) -> Iterator[tuple[Tensor, dict[str, float]]]:
        """Yield the loss of the meanings in auctions of the result, alone or with its start."""
        boards = Boards.random(rng, self.settings.dealt)
        self._fast.load_state_dict(self.averaged.state_dict())
        against = self.pool[0] if rng.random() < 0.5 else self.averaged.state_dict()
        self._opponent.load_state_dict(against)
        seen, held = shown(self._fast, self._opponent, boards)
        with quickly():
            logits = self.meanings.forward(tensor(seen).to(quick()))
        target = tensor(held.astype(np.int64))
        parts = torch.split(logits.float(), [POINTS, *[LENGTHS] * 4], dim=1)
        losses = [nn.functional.cross_entropy(part, target[:, at]) for at, part in enumerate(parts)]
        loss = torch.stack(losses).sum()
        yield loss, {"surprise": float(loss.detach())}


def _ratings(
    net: CallsNet, boards: Boards, hand: NDArray[np.int64], seen: NDArray[np.uint8]
) -> tuple[Tensor, Tensor]:
    """Return ratings and values of hands, given by their rows, 4 for each board."""
    cards = tensor(features(boards.hands.reshape(-1, 52)[hand]))
    with quickly():
        held = net.hand(cards)
        ratings, value = net.forward(held, tensor(seen).to(quick()))
    return ratings.float(), value.float()


def _imitation(net: CallsNet, auctions: Bidden) -> tuple[Tensor, float]:
    """Return the loss, and the share of the calls that the network would have made."""
    hand, seen, meant = turns(auctions)
    ratings, _ = _ratings(net, auctions.boards, hand, seen)
    target = tensor(meant)
    loss = nn.functional.cross_entropy(ratings, target)
    return loss, float((ratings.argmax(dim=1) == target).float().mean())


def train(
    run: TrainingRun,
    settings: NeuralSettings,
    auctions: Bidden | None,
    solved: SolvedDeals,
    checked: SolvedDeals,
    told: Callable[[int], None],
    bidden: Callable[[int], None],
    start: Nets | None = None,
) -> Path:
    """Train the networks in a folder, from the last checkpoint if there is one.

    Args:
        run: The folder of the run, with its curve and checkpoints.
        settings: The settings of the training.
        auctions: The auctions that are imitated; None if there is a start.
        solved: The deals of self-play.
        checked: The deals on which the curve is measured.
        told: Called with the number of steps done, at the start and after every step.
        bidden: Called with the number of boards that the result has bid, of `settings.bidden`.
        start: The networks from which self-play begins; see `Trainer`.

    Returns:
        The file of the weights.
    """
    trainer = Trainer(settings, auctions, solved, checked, start)
    ends = (settings.imitation, settings.imitation + settings.steps)
    follow(run, trainer, settings.total, EVERY, told, ends=ends)
    path = run.folder / "weights.npz"
    nets = Nets(weights(trainer.averaged, trainer.meanings))
    passed = learned(nets, np.random.default_rng(settings.seed), settings.bidden, bidden)
    write_halved(path, {**nets.weights, **passed})
    return path


def _fast(net: CallsNet, state: dict[str, Tensor]) -> CallsNet:
    """Return a copy for play, in the type of `quick`."""
    fast = copy.deepcopy(net).to(quick())
    fast.requires_grad_(requires_grad=False)
    fast.load_state_dict(state)
    return fast


def _fast_weights(net: CallsNet) -> dict[str, Tensor]:
    return {name: value.detach().to(quick(), copy=True) for name, value in net.state_dict().items()}
