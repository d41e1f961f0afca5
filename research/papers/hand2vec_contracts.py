"""Measure how well agents guess the contract from one hand: part of `papers.hand2vec`.

The agents learn by the cross-entropy method, as in the paper's section 3.2 and its authors'
program. An agent sees a hand and names a contract that this hand declares, undoubled, not
vulnerable. Its reward is the points of the contract less those of the best, the mean over ten
layouts of the other two hands. In each step it sees 1,000 hands and draws an action for each. It
learns from the 30 per cent with the best rewards; the loss is the cross entropy, less a hundredth
of the entropy, summed over them. There are three layers of 128; the rate of Adam begins at 1e-3,
and falls by a tenth every 100 steps.

There are two differences. The tricks of a layout are drawn from `bots.library.tricks` (mean,
deviation, and the correlation of the denominations), as ten solved layouts of so many hands would
take weeks; and no hand is seen twice. Agents with the same seed see the same hands, so that they
are compared in pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from benchmarks.figures import figure, table
from bridge_arena.bots.library.hand2vec.net import Hand2VecNet
from bridge_arena.bots.library.learning.hands import Hands, random_pairs
from bridge_arena.bots.library.learning.scores import CONTRACTS, points_of, points_table
from bridge_arena.bots.library.tricks.net import TricksNet
from research.page import Curves
from research.papers.hand2vec_features import standard

LAYOUTS = 10
SHOWN = 1000
"""Hands in each step."""

ELITE = 0.3
"""The share of them that teaches."""

TESTED = 10_000
"""Hands that the agents are judged on, without chance."""

EVERY = 20
"""Steps between two judgements."""

_UNDOUBLED = 13
"""Tricks down that are not doubled."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Boards:
    """Hands, n×52, and the reward of each contract, n×36, in points; the best is 0."""

    hands: Hands
    rewards: Array

    def rows(self, chosen: slice) -> Boards:
        return Boards(self.hands[chosen], self.rewards[chosen])


def boards(net: TricksNet, rng: np.random.Generator, number: int) -> Boards:
    """Return random hands with their rewards."""
    hands, partners = random_pairs(rng, number)
    table = points_table(doubled_beyond=_UNDOUBLED)
    mixing = np.linalg.cholesky(net.correlation.astype(np.float64))
    rewards = np.empty((number, CONTRACTS), np.float32)
    for start in range(0, number, SHOWN):
        part = slice(start, start + SHOWN)
        told = net.estimate(hands[part], partners[part])
        off = rng.standard_normal((len(told.mean), LAYOUTS, 5)) @ mixing.T
        tricks = told.mean[:, None, :, 0] + told.deviation[:, None, :, 0] * off
        points = points_of(np.clip(np.rint(tricks), 0, 13).astype(np.int64), table)
        rewards[part] = (points - points.max(axis=2, keepdims=True)).mean(axis=1)
    return Boards(hands, rewards)


def inputs(net: Hand2VecNet) -> dict[str, Callable[[Hands], Array]]:
    """Return what agents see of hands, by name; all numbers but cards are standardised."""
    return {
        "cards": lambda hands: hands.astype(np.float32),
        "vector": net.vectors,
        "points and lengths": standard,
    }


def in_order(every: Boards, seed: int) -> Boards:
    """Return the boards in the order of a seed."""
    order = np.random.default_rng([seed, 7]).permutation(len(every.hands))
    return Boards(every.hands[order], every.rewards[order])


def curves_table(curves: Curves, passing: float) -> str:
    """Return the table of rewards by steps, as markdown.

    It has the mean over the seeds for each input ± its standard error, and the gain over cards,
    seed by seed. `curves` is by input, seed and step.
    """
    steps = [step for step in (20, 40, 60, 100, 200, 300, 400) if step in _of(curves, "cards")[0]]
    rows: list[list[str]] = []
    cards = np.array([[one[step] for step in steps] for one in _of(curves, "cards")])
    for name in curves:
        found = np.array([[one[step] for step in steps] for one in _of(curves, name)])
        rows.append([name, *(figure(each, 1) for each in found.T)])
        if name != "cards":
            more = (figure(each, 1, "+") for each in (found - cards).T)
            rows.append(["… more than cards", *more])
    rows.append(["always Pass", *[f"{passing:.1f}"] * len(steps)])
    return table(["steps", *map(str, steps)], rows)


def _of(curves: Curves, name: str) -> list[dict[int, float]]:
    return [one for _, one in sorted(curves[name].items())]


def learned(
    seen: Callable[[Hands], Array], taught: Boards, tested: Boards, seed: int
) -> dict[int, float]:
    """Return the mean reward of the agent's likeliest actions on `tested`, by steps of learning.

    A step takes the next `SHOWN` boards of `taught`.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 3])
    agent = nn.Sequential(
        *(nn.Linear(seen(taught.hands[:1]).shape[1], 128), nn.ReLU()),
        *(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()),
        nn.Linear(128, CONTRACTS),
    )
    optimizer = torch.optim.Adam(agent.parameters(), 1e-3, weight_decay=1e-5)
    asked = torch.from_numpy(seen(tested.hands))
    steps = len(taught.hands) // SHOWN
    found = {0: _judged(agent, asked, tested)}
    for step in range(steps):
        some = taught.rows(slice(step * SHOWN, (step + 1) * SHOWN))
        shown = torch.from_numpy(seen(some.hands))
        with torch.no_grad():
            chances = agent(shown).softmax(dim=1).numpy().astype(np.float64)
        ladder = chances.cumsum(axis=1)
        drawn = rng.random(len(ladder))[:, None] * ladder[:, -1:]
        actions = (drawn > ladder).sum(axis=1)
        rewards = some.rewards[np.arange(len(actions)), actions]
        elite = rewards > np.quantile(rewards, 1 - ELITE)
        logarithms = agent(shown[elite]).log_softmax(dim=1)
        entropy = -(logarithms.exp() * logarithms).sum()
        loss = nn.functional.nll_loss(logarithms, torch.from_numpy(actions[elite])) - 0.01 * entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 100 == 0:
            for group in optimizer.param_groups:
                group["lr"] *= 0.9
        if (step + 1) % EVERY == 0:
            found[step + 1] = _judged(agent, asked, tested)
    return found


@torch.no_grad()
def _judged(agent: nn.Module, asked: torch.Tensor, tested: Boards) -> float:
    actions = agent(asked).argmax(dim=1).numpy()
    return float(tested.rewards[np.arange(len(actions)), actions].mean())
