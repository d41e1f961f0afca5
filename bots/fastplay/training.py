"""Training of the net, with torch: it learns what cards cost, by least squares.

A cost is known double dummy, all hands seen. What the net can tell of it is the mean over the
hands that fit what the player sees: the cards that it says cost least are those that Monte
Carlo players find who solve such hands one by one (`bots.montecarlo`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bridge_arena.bots.fastplay.plays import Plays
from bridge_arena.bots.fastplay.seen import INPUTS, Positions, seen
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import Descent
from bridge_arena.bots.library.learning.device import array, halved, tensor
from bridge_arena.bots.library.learning.rates import rise_and_fall
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.learning.suit_modules import Mix, SuitTrunk

_EVERY = 500
"""Steps between two rows of the curve, and two checkpoints."""

_AT_ONCE = 2000
"""Positions that are looked at without learning."""


@dataclass(frozen=True, slots=True)
class FastPlaySettings:
    """How the net is trained. `deep`: the layers between the first and the last."""

    seed: int = 1
    steps: int = 12_000
    width: int = 192
    deep: int = 3
    batch: int = 512
    rate: float = 1e-3
    decay: float = 0.05
    average: float = 0.999
    """How much of the averaged weights stays in a step."""


class PlayModule(SuitTrunk):
    """What each card costs, n×4×13 from the top of its suit, of what is seen."""

    def __init__(self, width: int, deep: int) -> None:
        super().__init__(INPUTS, width, deep)
        self.cards = Mix(width, 13)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.cards(self.trunk(x))
        return found.float()


@dataclass(frozen=True, slots=True)
class Decisions:
    """Boards, and which of their decisions were looked at: board and place, m×2."""

    plays: Plays
    which: NDArray[np.int64]

    @classmethod
    def of(cls, plays: Plays) -> Decisions:
        return cls(plays, np.argwhere((plays.losses >= 0).any(axis=2)))

    def shown(self, chosen: NDArray[np.integer]) -> tuple[Tensor, Tensor]:
        """What is seen in some of them, and what the cards cost, n×4×13."""
        board, place = self.which[chosen].T
        plays = self.plays.rows(board)
        positions = Positions.of(plays, place)
        see = seen(positions)
        lost = see.by_place(plays.costs(place))
        return tensor(see.suits), tensor(np.ascontiguousarray(lost))


def train(
    run: TrainingRun,
    settings: FastPlaySettings,
    plays: Plays,
    checked: Plays,
    told: Callable[[int], None],
) -> Path:
    """Train in a folder, going on where it was interrupted; the file of the weights.

    `checked`: boards that the curve is measured on. `told`: is told every step.
    """
    torch.manual_seed(settings.seed)
    net = PlayModule(settings.width, settings.deep)
    descent = Descent(
        net,
        torch.optim.AdamW(net.parameters(), settings.rate, weight_decay=settings.decay),
        rise_and_fall(settings.steps, 0.05),
        longest=1.0,
        keep=settings.average,
    )
    run.go_on(descent.read)
    told(descent.done)
    known, held_back = Decisions.of(plays), Decisions.of(checked)
    losses: list[float] = []
    while descent.done < settings.steps:
        # Each step has a stream of its own, so that a resumed run sees the same positions.
        rng = np.random.default_rng([settings.seed, descent.done])
        shown, lost = known.shown(rng.integers(len(known.which), size=settings.batch))
        with halved():
            found = net(shown)
        loss = _off(found, lost)
        descent.step(loss)
        losses.append(float(loss.detach()))
        told(descent.done)
        if descent.done % _EVERY == 0 or descent.done == settings.steps:
            measured = figures(descent.averaged, held_back)
            run.note(descent.done, loss=float(np.mean(losses)), **measured)
            losses = []
            run.save(descent.write)
    run.draw("Cost of cards")
    weights = run.folder / "weights.npz"
    write(descent.averaged, weights)
    return weights


def write(net: PlayModule, path: Path) -> None:
    """The weights as `bots.fastplay.net` reads them, in half precision."""
    write_halved(path, {name: array(each) for name, each in net.state_dict().items()})


def _off(found: Tensor, lost: Tensor) -> Tensor:
    """The squared distance, the mean over the cards of a decision, then over decisions."""
    looked_at = (lost >= 0).float()
    off = ((found - lost).square() * looked_at).sum(dim=(1, 2))
    return (off / looked_at.sum(dim=(1, 2))).mean()


@torch.no_grad()
def figures(net: Callable[[Tensor], Tensor], known: Decisions) -> dict[str, float]:
    """The distance, and the tricks that the cards cost that seem the cheapest: of a decision,
    by those of declarer's side and of the defenders."""
    off: list[float] = []
    paid: list[NDArray[np.float32]] = []
    for start in range(0, len(known.which), _AT_ONCE):
        chosen = np.arange(start, min(start + _AT_ONCE, len(known.which)))
        shown, lost = known.shown(chosen)
        found = net(shown)
        off.append(float(_off(found, lost)) * len(chosen))
        cheapest = found.masked_fill(lost < 0, torch.inf).flatten(1).argmin(dim=1, keepdim=True)
        paid.append(array(lost.flatten(1).gather(1, cheapest)[:, 0]))
    lost_by_choice = np.concatenate(paid)
    board, place = known.which.T
    turn = known.plays.owner[board, known.plays.cards[board, place]]
    of_lead = lost_by_choice[place == 0]
    return {
        "error": sum(off) / len(known.which),
        "lead": float(of_lead.mean()) if len(of_lead) else float("nan"),
        "declarer": float(lost_by_choice[turn % 2 == 0].mean()),
        "defence": float(lost_by_choice[(turn % 2 == 1) & (place > 0)].mean()),
    }
