"""Train the Q-networks of Yeh, Hsieh and Lin (their algorithm 1) on many pairs at once.

The networks bid each pair of hands with exploration. At each turn, the current networks roll every
possible bid to the final contract without exploration; its cost is the penetrative Bellman target.
In the baseline, Bellman's equation goes one bid ahead: a bid's target is the cost of the contract
where partner's best answer ends the auction, and else the least cost that the next network expects.
State and targets go to a memory, from which minibatches are drawn.

Auctions are rolled in half precision and for many pairs at once, so that the networks are a
little older than those that the paper's algorithm would use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from bridge_arena.bots.library.learning.scores import CONTRACTS
from research.papers.yeh_nets import (
    CARDS,
    ILLEGAL,
    INPUTS,
    SCALE,
    QNets,
    bits_of,
    contracts_of,
    of_legal,
)

_CHUNK = 1024
"""Pairs whose bids are rolled at once: what the processor's cache holds."""

_STEP = 8
"""A random bid is higher than the last one by fewer than this."""

_TURN = 64
"""Bids that are chosen between two counts of UCB1."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of a training.

    `explore` is "ucb" or "greedy", with the `amount` α or ε. With the probability `human` the first
    bid is that of the opening table `opening`. `features` are those of partner's hand that the
    networks estimate beside the costs.
    """

    calls: int = 4
    explore: str = "ucb"
    amount: float = 0.1
    penetrative: bool = True
    opening: str = ""
    human: float = 0.0
    features: str = ""

    @property
    def name(self) -> str:
        words = [str(self.calls), f"{self.explore}{self.amount:g}"]
        words += [] if self.penetrative else ["bellman"]
        words += [self.opening, f"{self.human:g}"] if self.human else []
        words += [self.features] if self.features else []
        return "-".join(words)


@dataclass(frozen=True, slots=True)
class Effort:
    """The length and speed of the learning, which the paper leaves open or has otherwise."""

    epochs: int = 6
    batch: int = 1024
    """Pairs that are bid between two rounds of learning."""
    rate: float = 3e-4
    minibatch: int = 256
    reuse: int = 4
    """How often a state is learnt from, on average."""
    best: int = 5
    others: int = 3
    """Bids of a state that are rolled each time: those that seem best, and on average so many
    at random."""
    memory: int = 2048
    """The states that are remembered of each turn."""
    illegal: int = 0
    """1 if answers that are illegal count as well in what a bid leads to."""
    warming: float = 2.0
    """Epochs in which fewer and fewer pairs, from all to none, are bid at random: without, late
    networks never learn to agree, so early ones learn to end the auction themselves."""
    honours: float = 10.0
    """What partner's honours, 0 or 1, are divided by where they are to be estimated."""

    def __post_init__(self) -> None:
        if min(self.epochs, self.best, self.minibatch, self.batch) < 1:
            raise ValueError("epochs, best, minibatch and batch are 1 or more")
        if self.memory < self.batch or self.reuse * self.batch < self.minibatch:
            raise ValueError("memory holds a batch, and reuse times batch a minibatch")
        if self.illegal > 1:
            raise ValueError("illegal is 0 or 1")
        if self.honours < 1:
            raise ValueError("honours is 1 or more")


@dataclass(frozen=True, slots=True)
class Deals:
    """Pairs of hands, n×2×52, and the cost of each contract in IMPs, n×36.

    `openings` has the first bids of an opening table, n. `features` has those of each hand that
    partner is to estimate, n×2×m.
    """

    hands: Tensor
    costs: Tensor
    openings: Tensor | None = None
    features: Tensor | None = None

    def __len__(self) -> int:
        return len(self.hands)


class Memory:
    """The last states of one turn, with the targets of the bids."""

    def __init__(self, size: int, calls: int, outputs: int) -> None:
        self._pairs = torch.zeros(size, dtype=torch.long)
        self._made = torch.full((size, calls), -1)
        self._targets = torch.full((size, outputs), torch.nan)
        self._next = 0
        self._held = 1  # at least a state that tells nothing

    def add(self, pairs: Tensor, made: Tensor, targets: Tensor) -> None:
        at = (self._next + torch.arange(len(pairs))) % len(self._pairs)
        self._pairs[at], self._made[at], self._targets[at] = pairs, made, targets
        self._held = min(len(self._pairs), max(self._held, self._next + len(pairs)))
        self._next = (self._next + len(pairs)) % len(self._pairs)

    def draw(self, number: int) -> tuple[Tensor, Tensor, Tensor]:
        """Draw pairs, with the bids so far as 0 and 1, and the targets."""
        at = torch.randint(self._held, (number,))
        pairs, made = self._pairs.index_select(0, at), self._made.index_select(0, at)
        return pairs, bits_of(made), self._targets.index_select(0, at)


class Trainer:
    """The trainer of the networks, which learn from pairs."""

    def __init__(self, setting: Setting, effort: Effort, deals: Deals, seed: int) -> None:
        torch.manual_seed(seed)
        self.setting, self._effort, self._deals = setting, effort, deals
        more = deals.features.shape[2] if deals.features is not None else 0
        calls = setting.calls
        self.nets = QNets(calls, more)
        self._fast = QNets(calls, more).bfloat16().requires_grad_(requires_grad=False)
        self._hands = [deals.hands[:, which].bfloat16().contiguous() for which in (0, 1)]
        self._optimizer = torch.optim.RMSprop(
            self.nets.parameters(), effort.rate, alpha=0.98, momentum=0.82
        )
        self._rounds = len(deals) // effort.batch  # of an epoch
        steps = effort.epochs * self._rounds
        self._schedule = torch.optim.lr_scheduler.LinearLR(
            self._optimizer, 1.0, 0.01, max(1, steps)
        )
        self._memories = [Memory(effort.memory, calls, CONTRACTS + more) for _ in range(calls)]
        self._counts = torch.ones(calls, CONTRACTS)
        self._batches = 0

    def epoch(self) -> None:
        """Learn from all pairs in random order; pairs that do not fill a batch are left out."""
        order, batch = torch.randperm(len(self._deals)), self._effort.batch
        for start in range(0, len(order) - batch + 1, batch):
            self._bid(order[start : start + batch])
            for _ in range(self._effort.reuse * batch // self._effort.minibatch):
                self._learn()
            self._schedule.step()

    def _learn(self) -> None:
        """Do a step of gradient descent on a minibatch of each turn."""
        number = self._effort.minibatch
        seen = torch.empty(self.setting.calls, number, INPUTS, dtype=torch.bfloat16)
        targets: list[Tensor] = []
        for call, memory in enumerate(self._memories):
            pairs, bits, led_to = memory.draw(number)
            seen[call, :, :CARDS] = self._hands[call % 2].index_select(0, pairs)
            seen[call, :, CARDS:] = bits
            targets.append(led_to)
        with torch.autocast("cpu", torch.bfloat16):
            found = self.nets.forward(seen)
        off = (found.float() - torch.stack(targets)).nan_to_num(0.0)  # NaN: it was not tried
        loss = off.square().sum() / (number * CONTRACTS)
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()

    @torch.no_grad()
    def _bid(self, pairs: Tensor) -> None:
        """Bid pairs with exploration, and put the targets of the bids into the memories."""
        self._fast.load_state_dict(self.nets.state_dict())
        warmed = self._batches / max(1.0, self._effort.warming * self._rounds)
        at_random = torch.rand(len(pairs)) >= warmed
        self._batches += 1
        costs = self._deals.costs[pairs] / SCALE
        made = torch.full((len(pairs), self.setting.calls), -1)
        calls = self.setting.calls
        seen = [self._fast.hand(call, self._hands[call % 2][pairs]) for call in range(calls)]
        for call in range(calls):
            if not len(pairs):
                break
            bits = bits_of(made).bfloat16()
            sums = [seen[later] + bits @ self._fast.bids(later) for later in range(call, calls)]
            found = self._fast.rest(call, sums[0])[:, :CONTRACTS].float()
            last = contracts_of(made)
            if call or self.setting.human < 1:
                targets = self.targets(call, sums[1:], last, costs, self._tried(found))
                self._memories[call].add(pairs, made, self._with_features(call, pairs, targets))
            bid = self._choose(call, found, pairs)
            higher = last.clamp(min=0) + torch.randint(_STEP, (len(pairs),))
            bid = torch.where(at_random, higher.clamp(max=CONTRACTS - 1), bid)
            made[:, call] = bid
            on = torch.nonzero(bid > last)[:, 0]
            pairs, costs, made, at_random = pairs[on], costs[on], made[on], at_random[on]
            seen = [each[on] for each in seen]

    def _with_features(self, call: int, pairs: Tensor, targets: Tensor) -> Tensor:
        """Return targets with those of partner's features; the opener has none."""
        if self._deals.features is None:
            return targets
        theirs = self._deals.features[pairs, 1 - call % 2]
        if call == 0:
            theirs = torch.full_like(theirs, torch.nan)
        return torch.cat([targets, theirs], dim=1)

    def _choose(self, call: int, found: Tensor, pairs: Tensor) -> Tensor:
        """Choose bids by their expected costs, with exploration."""
        if self.setting.explore == "ucb":
            chosen = self._upper_bounds(self._counts[call], found)
        else:
            chosen = found.argmin(dim=1)
            at_random = torch.rand(len(found)) < self.setting.amount
            chosen = torch.where(at_random, torch.randint(CONTRACTS, (len(found),)), chosen)
        if call == 0 and self._deals.openings is not None:
            by_table = torch.rand(len(found)) < self.setting.human
            chosen = torch.where(by_table, self._deals.openings[pairs], chosen)
        return chosen

    def _upper_bounds(self, counts: Tensor, found: Tensor) -> Tensor:
        """Return the bounds of UCB1, by how often this turn's network has chosen each bid."""
        chosen: list[Tensor] = []
        for few in torch.split(found, _TURN):
            total = math.log(float(counts.sum()))
            bonus = self.setting.amount * (2 * total / counts).sqrt()
            chosen.append((bonus - few).argmax(dim=1))
            counts += torch.bincount(chosen[-1], minlength=CONTRACTS)
        return torch.cat(chosen)

    def _tried(self, found: Tensor) -> Tensor:
        """Return which bids are rolled, n×36."""
        if self._effort.best + self._effort.others >= CONTRACTS:
            return torch.ones_like(found, dtype=torch.bool)
        best, others = self._effort.best, self._effort.others
        last = torch.from_numpy(np.partition(found.numpy(), best - 1, axis=1)[:, best - 1])
        at_random = torch.rand_like(found) < others / (CONTRACTS - best)
        return (found <= last[:, None]) | at_random

    def targets(
        self, call: int, sums: list[Tensor], last: Tensor, costs: Tensor, tried: Tensor
    ) -> Tensor:
        """Return the targets of the bids of turn `call`, n×36, in units of `SCALE` IMPs.

        They are NaN for bids that would have to be rolled and are not `tried`. `sums` has the sums
        of the first layer of each later network for the hand and the bids so far, n×128. `last` is
        the last bid, n, with -1 before the first. `costs` are those of the contracts.
        """
        every = torch.arange(CONTRACTS)
        targets = torch.full(costs.shape, ILLEGAL)
        targets[every > last[:, None]] = torch.nan
        ends = every == last[:, None]
        if not sums:
            ends = every >= last[:, None]
        targets[ends] = costs[ends]
        if sums:
            for start in range(0, len(costs), _CHUNK):
                part = slice(start, start + _CHUNK)
                some = [each[part] for each in sums]
                rolled = tried[part] & (every > last[part, None])
                rows, bid = torch.nonzero(rolled, as_tuple=True)
                led = self._rolled if self.setting.penetrative else self._expected
                targets[part].index_put_((rows, bid), led(call + 1, some, rows, bid, costs[part]))
        return targets

    def _rolled(
        self, call: int, sums: list[Tensor], rows: Tensor, bid: Tensor, costs: Tensor
    ) -> Tensor:
        """Return the costs of the contracts reached after `bid` in the auctions of `rows`.

        `call` is the next turn.
        """
        results = torch.full(rows.shape, ILLEGAL)
        at, made, last = torch.arange(len(rows)), [bid], bid
        for later in range(call, self.setting.calls):
            x = self._after(later, sums[later - call], rows, made)
            bid = torch.from_numpy(x.float().numpy().argmin(axis=1))  # far quicker than torch's
            on = bid > last
            over = (bid == last) | on if later == self.setting.calls - 1 else bid == last
            results[at[over]] = costs[rows[over], bid[over]]
            going = torch.nonzero(on)[:, 0]
            at, rows = at.index_select(0, going), rows.index_select(0, going)
            made = [each.index_select(0, going) for each in (*made, bid)]
            last = made[-1]
        return results

    def _expected(
        self, call: int, sums: list[Tensor], rows: Tensor, bid: Tensor, costs: Tensor
    ) -> Tensor:
        """Return the least costs that the next network expects, by Bellman's equation.

        Where that bid ends the auction, it is the cost of the contract, which is then known.
        """
        found = self._after(call, sums[0], rows, [bid]).float()
        expected, then = found.min(dim=1)
        over = then >= bid if call == self.setting.calls - 1 else then == bid
        expected[over] = costs[rows[over], then[over]]
        return expected

    def _after(self, call: int, sums: Tensor, rows: Tensor, made: list[Tensor]) -> Tensor:
        """Return what a network says that each bid costs after some more bids."""
        added = self._fast.bids(call)
        x = sums.index_select(0, rows)
        for bid in made:
            x += added.index_select(0, bid)
        found = self._fast.rest(call, x)[:, :CONTRACTS]
        return found if self._effort.illegal else of_legal(found, made[-1])


def bid_all(nets: QNets, setting: Setting, deals: Deals) -> Tensor:
    """Return the bids of all pairs in the test: legal, without exploration, n×calls."""
    return nets.bid(deals.hands, deals.openings if setting.human >= 1 else None)


def cost_of(nets: QNets, setting: Setting, deals: Deals) -> Tensor:
    """Return the cost of each pair's contract in IMPs, n."""
    contracts = contracts_of(bid_all(nets, setting, deals))
    return deals.costs.gather(1, contracts[:, None])[:, 0]


@dataclass(frozen=True, slots=True)
class Trained:
    """Networks at their best epoch; `curve` has the mean costs of the validation pairs, in IMPs."""

    nets: QNets
    curve: list[float]


def train(
    setting: Setting,
    effort: Effort,
    deals: Deals,
    validation: Deals,
    seed: int,
    told: Callable[[int, float], None],
) -> Trained:
    """Train for all epochs, and return the networks of the epoch with the best validation.

    `told` is called with each epoch and its cost.
    """
    trainer = Trainer(setting, effort, deals, seed)
    best, curve = trainer.nets.state_dict(), list[float]()
    for epoch in range(effort.epochs):
        trainer.epoch()
        cost = float(cost_of(trainer.nets, setting, validation).mean())
        if not curve or cost < min(curve):
            best = {name: value.clone() for name, value in trainer.nets.state_dict().items()}
        curve.append(cost)
        told(epoch + 1, cost)
    trainer.nets.load_state_dict(best)
    return Trained(trainer.nets, curve)
