"""Training of the Q-networks, with torch.

As in the paper, there is one network for each call of the auction. Its input is the hand and the
bids so far, its output a cost for each of 36 bids. A repeated bid agrees to the last one. The
target of a bid is the cost of the contract that is reached when both partners continue by the
current networks. docs/training/deepq.md explains what differs from the paper: the pairs of hands
are always new and have costs by the estimate of tricks; both partners explore by their estimated
costs at a falling temperature, in the targets too; and the loss weighs the differences between bids
more than their level, which depends on cards that the network does not see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge_arena.bots.deepq.meanings import learned
from bridge_arena.bots.deepq.net import QNets
from bridge_arena.bots.library.learning.descent import Descent, Trainer, rise_and_fall
from bridge_arena.bots.library.learning.device import array, quick, quickly, tensor
from bridge_arena.bots.library.learning.hands import FEATURES, Hands, features, random_pairs
from bridge_arena.bots.library.learning.scores import CONTRACTS, points_table
from bridge_arena.bots.library.tricks.net import TricksNet, suits_of
from bridge_arena.bots.library.tricks.training import Tricks, in_both_orders
from bridge_arena.bridge.scoring import imps

_STEPS = [points for points in range(1, 4001) if imps(points) > imps(points - 1)]
"""The differences in points at which the next IMP begins."""

EVERY = 500
"""Steps between two rows of the curve, and between two checkpoints."""

CHECKED = 20_000
"""Pairs of hands on which the curve is measured."""

AUCTIONS = 500_000
"""Pairs of hands whose auctions show what the bids mean."""

_FORBIDDEN = 1e9


class Labels:
    """The costs of contracts by an estimate of tricks.

    They are those of `bots.library.learning.scores.costs_of`, with the tricks in some layouts of
    the opponents' hands drawn from the estimate in place of solved.
    """

    def __init__(self, net: TricksNet, layouts: int = 8) -> None:
        self._layouts = layouts
        self._net = Tricks.of(net).to(quick()).requires_grad_(requires_grad=False)
        self._mixing = torch.linalg.cholesky(tensor(net.correlation))
        # The points of the seven contracts, by denomination and tricks: 5×14×7.
        table = tensor(points_table()[1:].astype(np.float32))
        self._points = table.reshape(7, 5, 14).permute(1, 2, 0).contiguous()
        self._steps = torch.tensor(_STEPS, dtype=torch.float32)

    @torch.no_grad()
    def costs(self, hands: Hands, partners: Hands) -> Tensor:
        """Return the cost of each contract in IMPs, n×36; torch's generator draws the layouts."""
        mean, deviation = self._tricks(hands, partners)
        number = len(mean)
        off = torch.randn(number, self._layouts, 5) @ self._mixing.T
        tricks = (mean[:, None] + deviation[:, None] * off).round().clamp(0, 13).long()
        by_denomination = self._points[torch.arange(5), tricks]
        bids = by_denomination.transpose(2, 3).reshape(number, -1, CONTRACTS - 1)
        points = torch.cat([torch.zeros_like(bids[..., :1]), bids], dim=2)
        short = points.max(dim=2, keepdim=True).values - points
        return torch.bucketize(short, self._steps, right=True).float().mean(dim=1)

    def _tricks(self, hands: Hands, partners: Hands) -> tuple[Tensor, Tensor]:
        """Return mean and deviation of the tricks of the better declarer of the two, n×5 each."""
        suits = tensor(suits_of(hands, partners)).to(quick())
        of_both, deviation = in_both_orders(self._net, suits)
        mean, declarer = of_both.max(dim=2)
        return mean, deviation.gather(2, declarer[..., None])[..., 0]


@dataclass(frozen=True, slots=True)
class DeepQSettings:
    """The settings of the training; temperatures are in IMPs."""

    seed: int = 1
    steps: int = 50_000
    pairs: int = 512
    calls: int = 6
    width: int = 320
    layers: int = 3
    candidates: int = 6
    rate: float = 2e-3
    hot: float = 1.0
    cold: float = 0.02
    cooled: float = 0.7
    """The share of the steps after which the temperature stays the same."""
    level: float = 0.1
    """The weight of the costs' level in the loss, relative to their differences."""
    average: float = 0.999
    """The share of the averaged weights that stays in a step."""

    def temperature(self, step: int) -> float:
        """Return the temperature of a step, in IMPs."""
        share = min(1.0, step / (self.cooled * self.steps))
        return self.hot * float((self.cold / self.hot) ** share)


class QNet(nn.Module):
    """The network of one call: it estimates the costs of the 36 bids, in IMPs."""

    def __init__(self, settings: DeepQSettings) -> None:
        super().__init__()
        self.hand = nn.Linear(FEATURES, settings.width)
        self.bids = nn.Linear(CONTRACTS, settings.width, bias=False)
        self.hidden = nn.ModuleList(
            nn.Linear(settings.width, settings.width) for _ in range(settings.layers - 1)
        )
        self.out = nn.Linear(settings.width, CONTRACTS)

    def forward(self, held: Tensor, bids: Tensor) -> Tensor:
        """Return the costs of the bids in IMPs, n×36, for what `hand` returns of the hands."""
        x = torch.relu(held + self.bids(bids))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        costs: Tensor = self.out(x)
        return costs


@dataclass
class _States:
    """Auctions in progress: the pair of each, its bids so far, and its last bid."""

    pair: Tensor
    bids: Tensor
    last: Tensor

    def after(self, rows: Tensor, bid: Tensor) -> _States:
        """Return the auctions of some rows, with one more bid each."""
        bids = self.bids[rows].scatter(1, bid[:, None], 1.0)
        return _States(self.pair[rows], bids, bid)

    @staticmethod
    def joined(first: _States, second: _States) -> _States:
        """Return the auctions of both, those of the first before those of the second."""
        return _States(
            torch.cat([first.pair, second.pair]),
            torch.cat([first.bids, second.bids]),
            torch.cat([first.last, second.last]),
        )


@dataclass
class _Lesson:
    """What the network of one call is to learn: states, bids tried there, and their costs."""

    states: _States
    tried: Tensor
    costs: Tensor


class DeepQTrainer(Trainer[nn.ModuleList]):
    """The networks and the way they learn.

    `on_bidden` is called with the number of pairs that the result has bid, of `AUCTIONS`.
    """

    def __init__(
        self,
        settings: DeepQSettings,
        labels: Labels,
        on_bidden: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.settings = settings
        self._on_bidden = on_bidden
        self._labels = labels
        torch.manual_seed(settings.seed)
        nets = nn.ModuleList(QNet(settings) for _ in range(settings.calls))
        super().__init__(
            Descent(
                nets,
                torch.optim.Adam(nets.parameters(), settings.rate),
                rise_and_fall(settings.steps, 0.02),
                longest=10.0,
                keep=settings.average,
            ),
            settings.seed,
        )
        self._fast = nn.ModuleList(QNet(settings) for _ in range(settings.calls)).to(quick())
        self._fast.requires_grad_(requires_grad=False)

    def learn(self) -> dict[str, float]:
        """Take one step and return the mean cost in IMPs of the contracts reached in it."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, self.descent.done])
        torch.manual_seed(int(rng.integers(2**31)))
        hands = random_pairs(rng, settings.pairs)
        costs = self._labels.costs(*hands)
        inputs = [tensor(features(player)) for player in hands]
        self._fast.load_state_dict(self.descent.net.state_dict())
        lessons, reached = self._lessons(inputs, costs)
        loss = torch.zeros(())
        with quickly():
            for call, lesson in enumerate(lessons):
                if len(lesson.costs):
                    loss = loss + self._loss(_net(self.descent.net, call), inputs[call % 2], lesson)
        self.descent.step(loss)
        return {"cost_in_training": reached}

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the costs of contracts in training and on other pairs, and the temperature."""
        hands, partners, costs = self._checked
        costs_reached = costs[np.arange(CHECKED), self.bid(hands, partners)]
        temperature = self.settings.temperature(self.done)
        return means | {"cost_of_checked": float(costs_reached.mean()), "temperature": temperature}

    @cached_property
    def _checked(self) -> tuple[Hands, Hands, NDArray[np.float32]]:
        """The pairs on which the curve is measured, with the costs of their contracts."""
        settings = self.settings
        pairs = random_pairs(np.random.default_rng([settings.seed, settings.steps]), CHECKED)
        torch.manual_seed(settings.seed)
        return *pairs, array(self._labels.costs(*pairs))

    def _loss(self, net: QNet, inputs: Tensor, lesson: _Lesson) -> Tensor:
        made = net.hand(inputs)[lesson.states.pair]
        estimated = net.forward(made, lesson.states.bids).gather(1, lesson.tried).float()
        off = estimated - lesson.costs
        level = off.mean(dim=1, keepdim=True)
        return (off - level).square().mean() + self.settings.level * level.square().mean()

    @torch.no_grad()
    def _lessons(self, inputs: list[Tensor], costs: Tensor) -> tuple[list[_Lesson], float]:
        """Bid a batch of pairs and try other bids on the way; return lessons and mean cost."""
        settings = self.settings
        temperature = settings.temperature(self.descent.done)
        number = len(costs)
        start = _States(
            torch.arange(number),
            torch.zeros(number, CONTRACTS),
            torch.zeros(number, dtype=torch.long),
        )
        # The batch's own auctions come first, then those that tried bids have led to.
        states, mine = start, number
        # For each auction of a tried bid, the place in `results` of its cost.
        slots = torch.zeros(0, dtype=torch.long)
        results = torch.zeros(0)
        taught: list[tuple[_States, Tensor, int]] = []
        reached = torch.zeros(number)
        for call in range(settings.calls):
            estimated = self._costs(call, inputs, states)
            bid = _chosen(estimated, temperature)
            ended = self._ended(call, bid, states.last)
            cost = costs[states.pair, bid]
            # Auctions of tried bids that end with this call.
            over = ended[mine:]
            results[slots[over]] = cost[mine:][over]
            going = torch.nonzero(~ended[mine:])[:, 0] + mine
            others, slots = states.after(going, bid[going]), slots[~over]
            # The batch's own auctions: the bids to try in each.
            own = _States(states.pair[:mine], states.bids[:mine], states.last[:mine])
            tried = _candidates(estimated[:mine], own.last, settings.candidates)
            first = len(results)
            results = torch.cat([results, torch.full((tried.numel(),), torch.nan)])
            taught.append((own, tried, first))
            flat, rows = tried.reshape(-1), torch.arange(mine).repeat_interleave(tried.shape[1])
            stops = self._ended(call, flat, own.last[rows])
            slot = torch.arange(first, first + len(flat))
            results[slot[stops]] = costs[own.pair[rows[stops]], flat[stops]]
            branches = own.after(rows[~stops], flat[~stops])
            # The batch's own auctions continue with the bids that were chosen.
            reached[own.pair[ended[:mine]]] = cost[:mine][ended[:mine]]
            on = torch.nonzero(~ended[:mine])[:, 0]
            going_on = own.after(on, bid[:mine][on])
            states = _States.joined(going_on, _States.joined(others, branches))
            slots = torch.cat([slots, slot[~stops]])
            mine = len(on)
        lessons = [
            _Lesson(own, tried, results[first : first + tried.numel()].reshape(tried.shape))
            for own, tried, first in taught
        ]
        return lessons, float(reached.mean())

    def _ended(self, call: int, bid: Tensor, last: Tensor) -> Tensor:
        """Return whether a bid ends the auction: it agrees to the last bid or is the last call."""
        if call == 0:
            return torch.zeros_like(bid, dtype=torch.bool)
        return (bid == last) | (call == self.settings.calls - 1)

    def _costs(self, call: int, inputs: list[Tensor], states: _States) -> Tensor:
        """Return the costs as the networks estimate them, with forbidden bids out of reach."""
        net = _net(self._fast, call)
        made = net.hand(inputs[call % 2].to(quick()))[states.pair]
        estimated = net.forward(made, states.bids.to(quick())).float()
        return estimated.masked_fill(torch.arange(CONTRACTS) < states.last[:, None], _FORBIDDEN)

    @torch.no_grad()
    def bid(self, hands: Hands, partners: Hands) -> NDArray[np.int64]:
        """Return the contracts that the averaged networks reach with pairs of hands, n."""
        inputs = [tensor(features(player)) for player in (hands, partners)]
        number = len(hands)
        bids, last = torch.zeros(number, CONTRACTS), torch.zeros(number, dtype=torch.long)
        over = torch.zeros(number, dtype=torch.bool)
        for call in range(self.settings.calls):
            net = _net(self.descent.averaged, call)
            estimated = net.forward(net.hand(inputs[call % 2]), bids)
            estimated = estimated.masked_fill(torch.arange(CONTRACTS) < last[:, None], _FORBIDDEN)
            bid = torch.where(over, last, estimated.argmin(dim=1))
            over |= self._ended(call, bid, last)
            bids, last = bids.scatter(1, bid[:, None], 1.0), bid
        return array(last)

    def write_weights(self, path: Path) -> None:
        """Write the weights in half precision, and beside them the meanings of the bids."""
        super().write_weights(path)
        rng = np.random.default_rng(self.settings.seed)
        meanings = learned(QNets.read(path), rng, AUCTIONS, self._on_bidden)
        meanings.write(path.with_name("meanings.npz"))


def _net(nets: nn.ModuleList, call: int) -> QNet:
    net = nets[call]
    assert isinstance(net, QNet)
    return net


def _chosen(costs: Tensor, temperature: float) -> Tensor:
    """Return a bid for each row, more likely the less it costs (Boltzmann)."""
    noise = -(-torch.rand_like(costs).clamp_min(1e-30).log()).log()
    return (noise * temperature - costs).argmax(dim=1)


def _candidates(costs: Tensor, last: Tensor, number: int) -> Tensor:
    """Return the bids to try in each row: the best ones and one other bid at random."""
    # Where there are not as many legal bids, the last bid fills the row.
    best = costs.topk(number - 1, dim=1, largest=False).indices
    rest = torch.rand_like(costs).masked_fill(costs >= _FORBIDDEN, -1).scatter(1, best, -2)
    tried = torch.cat([best, rest.argmax(dim=1, keepdim=True)], dim=1)
    return torch.where(costs.gather(1, tried) >= _FORBIDDEN, last[:, None], tried)
