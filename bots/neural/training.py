"""Training, with torch: self-play, after imitation of `natural` if asked for; then the meanings.

Imitation makes the ratings of calls logarithms of their probabilities. Taken as IMPs, these are the
start of self-play; without it, self-play begins with networks that are given or with one that rates
all calls alike. In self-play the differences between the ratings of calls that were tried at one
turn are trained towards the differences in IMPs that they led to (`bots.neural.selfplay`). Most
boards are dealt anew, with tricks drawn by the estimate of tables; some, and all of the last
lessons, are solved. The opponents are the present self, past selves, and now and then other
networks or bidding systems, and some that always pass. Finally a second network learns from
auctions of the result which hands make which calls.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, pi
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import Descent, load_state, save_state
from bridge_arena.bots.library.learning.device import quick, quickly, tensor
from bridge_arena.bots.library.learning.hands import features
from bridge_arena.bots.library.many_auctions.boards import Caller, SystemCaller, in_turn, pars
from bridge_arena.bots.library.tables.net import shipped as tables
from bridge_arena.bots.neural.forcing import learned
from bridge_arena.bots.neural.imitation import Bidden, turns
from bridge_arena.bots.neural.modules import CallsNet, MeaningsNet, weights
from bridge_arena.bots.neural.net import LENGTHS, POINTS, Nets
from bridge_arena.bots.neural.selfplay import (
    Batch,
    Opponent,
    Silent,
    below_best,
    bid_out,
    dealt,
    drawn,
    estimate_of,
    imps,
    lesson,
    match,
)
from bridge_arena.oracle.solved_deals import SolvedDeals

SYSTEMS: tuple[SystemName, ...] = ("natural", "qtable", "deepq")
"""The bidding systems that `arena train neural` meets now and then."""

_FIGURES = (
    *("imitated", "won_in_training", "surprise"),
    *("against_start", "against_natural", "standard_error", "from_par", "below_best"),
)
"""The figures of the curve."""

_IMITATING = ("imitated", "against_natural", "standard_error")
"""Those of a training that imitates or meets bidding systems."""

_AGAINST_NATURAL = 500
"""Boards of the check that `natural` itself bids, in both rooms."""


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """The settings, by default those of `arena train selfplay`; temperatures are in IMPs."""

    seed: int = 1
    every: int = 20
    """Steps and lessons between two rows of the curve, and between two checkpoints."""
    imitation: int = 0
    """Steps of imitation before self-play, of `auctions` auctions each."""
    auctions: int = 256
    rate_of_imitation: float = 1e-3
    lessons: int = 500
    boards: int = 32_768
    """The boards of a lesson, each in two rooms."""
    boards_of_systems: int = 128
    """The boards of a lesson against a bidding system, which takes far longer for a call."""
    passes: int = 1
    """How often a lesson is learned from."""
    turns: int = 8192
    """The turns of a part of a lesson that is learned from at once."""
    meanings: int = 60
    """Lessons of what calls mean, of `dealt` boards each, after the others."""
    dealt: int = 32_768
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
    silent: float = 0.0
    """The share of lessons against opponents who always pass."""
    given: float = 0.2
    """The share of lessons against the opponents given, if there are any."""
    past: float = 0.16
    """The share of the others against past selves."""
    kept: int = 60
    """Lessons after which a past self is added to the pool."""
    pool: int = 12
    """The most past selves in the pool."""

    @property
    def total(self) -> int:
        """The number of all steps and lessons."""
        return self.imitation + self.lessons + self.meanings

    @property
    def ends(self) -> tuple[int, int]:
        """The last step of imitation and of self-play."""
        return self.imitation, self.imitation + self.lessons


def imitating(seed: int, imitation: int, lessons: int, start: Nets | None) -> SelfPlaySettings:
    """Return the settings of `arena train neural`: imitation, and small lessons for a processor."""
    # With networks to start from there is no imitation; the meanings begin with theirs, and need
    # fewer steps. What has been learned goes on at a lower rate.
    settings = SelfPlaySettings(
        seed=seed,
        every=200,
        imitation=imitation,
        lessons=lessons,
        boards=512,
        passes=2,
        turns=1000,
        meanings=1500,
        dealt=512,
        layers=3,
        rate=5e-4,
        candidates=3,
        hot=0.1,
        average=0.999,
        solved=0.4,
        solved_at_end=0.1,
        given=0.3,
        past=0.3,
        kept=100,
        pool=10,
    )
    if start is None:
        return settings
    return replace(settings, imitation=0, meanings=settings.meanings // 3, rate=3e-4)


class SelfPlay:
    """The networks and the way they learn: a `bots.library.learning.run.Course`.

    Some lessons are of `solved` deals, and the curve is measured on those `checked`. Self-play
    begins with `start`, or with networks that know nothing, and meets `opponents` besides past
    selves; `auctions`, if any, are imitated before.
    `on_bidden` is called with the number of boards that the result has bid, of `settings.bidden`.
    """

    def __init__(
        self,
        settings: SelfPlaySettings,
        solved: SolvedDeals,
        checked: SolvedDeals,
        start: Nets | None = None,
        opponents: Sequence[Nets | SystemName] = (),
        auctions: Bidden | None = None,
        on_bidden: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.settings = settings
        self._on_bidden = on_bidden
        self._solved = solved
        self._auctions = auctions
        torch.manual_seed(settings.seed)
        net = CallsNet.of(start) if start else CallsNet(settings.width, settings.layers)
        if not start and not settings.imitation:
            # All calls are rated alike.
            nn.init.zeros_(net.out.weight)
            nn.init.zeros_(net.out.bias)
        meanings = MeaningsNet.of(start) if start else MeaningsNet(settings.width // 2, 2)
        self._opponents: list[CallsNet | Caller] = [
            SystemCaller(given) if isinstance(given, str) else _fast(CallsNet.of(given))
            for given in opponents
        ]
        self._estimate = estimate_of(tables())
        boards, tricks = in_turn(checked)
        self._checked, self._par = Batch.of(boards, tricks), tensor(pars(boards, tricks))
        self.done = 0
        self.pool: list[dict[str, Tensor]] = []
        """The weights of past selves, in the type of `quick`."""
        self._start = _fast(net)
        """The network with which self-play begins; before it, what was to imitate."""
        self.calls = self._descent(net)
        self.meanings = Descent(
            meanings,
            torch.optim.Adam(meanings.parameters(), settings.rate_of_meanings),
            lambda _: _fallen((self.played - settings.lessons) / settings.meanings),
            longest=10.0,
            keep=settings.average,
        )

    @property
    def played(self) -> int:
        """The lessons of self-play so far; negative before it, too many after it."""
        return self.done - self.settings.imitation

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        state = {"calls": self.calls.state(), "meanings": self.meanings.state()}
        others = {"pool": self.pool, "start": self._start.state_dict(), "done": self.done}
        save_state(path, state | others)

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        state = load_state(path)
        self.pool, self.done = state["pool"], state["done"]
        self._start.load_state_dict(state["start"])
        self.calls = self._descent(self.calls.net)
        self.calls.load(state["calls"])
        self.meanings.load(state["meanings"])

    def write_weights(self, path: Path) -> None:
        """Write both networks in half precision, with how likely calls are passed."""
        settings, nets = self.settings, Nets(weights(self.calls.averaged, self.meanings.net))
        rng = np.random.default_rng(settings.seed)
        passed = learned(nets, rng, settings.bidden, self._on_bidden)
        write_halved(path, {**nets.weights, **passed})

    def learn(self) -> dict[str, float]:
        """Take one step of imitation, or a lesson, and return figures of it."""
        # Each has its own random numbers, so a resumed run goes on as if it had not stopped.
        rng = np.random.default_rng([self.settings.seed, self.done])
        torch.manual_seed(int(rng.integers(2**63)))
        if self.played < 0:
            figures = self._imitate(rng)
        elif self.played < self.settings.lessons:
            figures = self._play(rng)
        else:
            figures = self._mean(rng)
        self.done += 1
        if self.settings.imitation and self.played == 0:
            # Another loss, so the optimizer's memory of the old one would only mislead it.
            self.calls = self._descent(self.calls.averaged)
            self._start = _fast(self.calls.net)
        return figures

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return a row of the curve: IMPs a board of the averaged weights, in self-play."""
        meets_natural = bool(self.settings.imitation) or any(
            isinstance(opponent, SystemCaller) for opponent in self._opponents
        )
        left_out = () if meets_natural else _IMITATING
        if not self.settings.silent:
            left_out = (*left_out, "below_best")
        names = [name for name in _FIGURES if name not in left_out]
        figures = dict.fromkeys(names, float("nan")) | means
        if not 0 <= self.played <= self.settings.lessons:
            return figures
        net, batch = _fast(self.calls.averaged), self._checked
        alone = bid_out(batch, net, net, torch.zeros(len(batch))).points
        figures["from_par"] = float(imps(alone - self._par).abs().float().mean())
        if self.settings.silent:
            figures["below_best"] = float(below_best(batch, net).mean())
        figures["against_start"] = float(match(batch, net, self._start).mean())
        if meets_natural:
            won = match(batch.rows(slice(_AGAINST_NATURAL)), net, SystemCaller())
            figures["against_natural"] = float(won.mean())
            figures["standard_error"] = float(won.std() / len(won) ** 0.5)
        return figures

    def _descent(self, net: CallsNet) -> Descent[CallsNet]:
        """Return the descent of the part of the training, imitation or self-play, that it is in."""
        settings = self.settings
        imitates = self.played < 0
        return Descent(
            net,
            torch.optim.Adam(
                net.parameters(), settings.rate_of_imitation if imitates else settings.rate
            ),
            self._rate,
            longest=10.0,
            keep=settings.average,
        )

    def _rate(self, step: int) -> float:
        """Return the share of the rate in a step: it rises at first, and falls to the end."""
        settings = self.settings
        if self.played < 0:
            rising, share = 50, self.done / settings.imitation
        else:
            rising, share = 100, self.played / settings.lessons
        return min(1.0, (step + 1) / rising) * _fallen(share)

    def _imitate(self, rng: np.random.Generator) -> dict[str, float]:
        """Learn the calls that `natural` meant in some auctions."""
        assert self._auctions is not None
        chosen = self._auctions.rows(rng.integers(len(self._auctions), size=self.settings.auctions))
        hand, known, meant = turns(chosen)
        with quickly():
            held = self.calls.net.hand(tensor(features(chosen.boards.hands.reshape(-1, 52)[hand])))
            ratings, _ = self.calls.net.forward(held, tensor(known).to(quick()))
        target = tensor(meant)
        self.calls.step(nn.functional.cross_entropy(ratings.float(), target))
        return {"imitated": float((ratings.argmax(dim=1) == target).float().mean())}

    def _play(self, rng: np.random.Generator) -> dict[str, float]:
        """Play a lesson, and learn from it in parts."""
        settings = self.settings
        share = self.played / settings.lessons
        learner = _fast(self.calls.net)
        opponent = self._opponent(learner, rng)
        is_quick = isinstance(opponent, CallsNet | Silent)
        number = settings.boards if is_quick else min(settings.boards, settings.boards_of_systems)
        # Against silent opponents each table wins 0 IMPs of itself, so there is no value to learn.
        level = 0.0 if isinstance(opponent, Silent) else settings.level
        learned_from = lesson(
            learner,
            opponent,
            self._boards(rng, share, number),
            temperature=settings.hot * (settings.cold / settings.hot) ** share,
            candidates=settings.candidates,
            astray=settings.astray,
        )
        for _ in range(settings.passes):
            for part in torch.split(torch.randperm(len(learned_from)), settings.turns):
                self.calls.step(learned_from.loss(self.calls.net, part, level))
        if (self.played + 1) % settings.kept == 0:
            self.pool = [*self.pool, _fast(self.calls.averaged).state_dict()][-settings.pool :]
        return {} if isinstance(opponent, Silent) else {"won_in_training": learned_from.level}

    def _opponent(self, learner: CallsNet, rng: np.random.Generator) -> Opponent:
        """Return the opponent of a lesson."""
        if self.settings.silent and rng.random() < self.settings.silent:
            return Silent()
        if self._opponents and rng.random() < self.settings.given:
            return self._opponents[int(rng.integers(len(self._opponents)))]
        if not self.pool or rng.random() >= self.settings.past:
            return learner
        return self._past(learner, rng)

    def _past(self, present: CallsNet, rng: np.random.Generator) -> CallsNet:
        past = copy.deepcopy(present)
        past.load_state_dict(self.pool[int(rng.integers(len(self.pool)))])
        return past

    def _boards(self, rng: np.random.Generator, share: float, number: int) -> Batch:
        """Return the boards of a lesson."""
        settings = self.settings
        # The estimate has faults that calls learn to use; the last word is that of solved deals.
        if share >= 1 - settings.solved_at_end or rng.random() < settings.solved:
            return drawn(self._solved, number)
        return dealt(number, self._estimate)

    def _mean(self, rng: np.random.Generator) -> dict[str, float]:
        """Learn what calls mean from auctions of the result, against itself or others."""
        settings = self.settings
        own = _fast(self.calls.averaged)
        others = [net for net in self._opponents if isinstance(net, CallsNet)]
        if rng.random() < 0.5 and others:
            opponent = [own, *others][int(rng.integers(len(others) + 1))]
        elif self.pool and rng.random() < 0.5:
            opponent = self._past(own, rng)
        else:
            opponent = own
        batch = dealt(settings.dealt, None)  # no result is looked at
        # Each side in turn: only the dealer's side opens first, only the other overcalls that.
        auctions = bid_out(batch, own, opponent, torch.arange(len(batch)) % 2)
        held = batch.measures()[auctions.hand]
        losses: list[float] = []
        for part in torch.split(torch.randperm(len(held)), settings.turns):
            with quickly():
                logits = self.meanings.net.forward(auctions.known[part].to(quick())).float()
            shown = torch.split(logits, [POINTS, *[LENGTHS] * 4], dim=1)
            loss = torch.stack(
                [nn.functional.cross_entropy(x, held[part, at]) for at, x in enumerate(shown)]
            ).sum()
            self.meanings.step(loss)
            losses.append(float(loss.detach()))
        return {"surprise": float(np.mean(losses))}


def _fast(net: CallsNet) -> CallsNet:
    """Return a copy for play, in the type of `quick`."""
    return copy.deepcopy(net).to(quick()).requires_grad_(requires_grad=False)


def _fallen(share: float) -> float:
    """Return the share of the learning rate after a share of the lessons."""
    return 0.01 + 0.495 * (1 + cos(pi * share))
