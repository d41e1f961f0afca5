"""Training of the network, with torch, in rounds: lessons first, then steps by least squares.

In the first round the learner bids as `natural` does, and any call of the card is tried. In each
later round it bids by the network of the round before, and tries most often what that one is not
sure of. A round begins a new network, which learns from the lessons of all rounds so far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from bridge_arena.bots.disciplined.lessons import Lessons, make_shard, read, shard_paths
from bridge_arena.bots.disciplined.net import INPUTS, WorthNet, features
from bridge_arena.bots.disciplined.system import Disciplined
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.descent import (
    Descent,
    adamw,
    load_state,
    save_state,
    weights_of,
)
from bridge_arena.bots.library.learning.device import tensor
from bridge_arena.bots.library.learning.made_files import make_missing
from bridge_arena.bots.library.many_auctions.boards import SystemCaller, drawn, match
from bridge_arena.bridge.calls import CALLS
from bridge_arena.oracle.solved_deals import SolvedDeals

EVERY = 500  # steps between two rows of the curve, and between two checkpoints

CHECKED = 1000
"""The boards of the match that a row of the curve tells of."""


@dataclass(frozen=True, slots=True)
class DisciplinedSettings:
    """The settings of the training."""

    seed: int = 1
    rounds: int = 1
    boards: int = 240_000  # the boards of a round's lessons
    steps: int = 2500  # how many steps the optimizer takes in a round
    width: int = 256  # the units of each layer
    layers: int = 2  # the layers between the first and the last
    dropped: float = 0.2  # the share of a layer's inputs that is left out in a step
    batch: int = 1024  # the turns of a step
    rate: float = 1e-3  # the learning rate
    decay: float = 0.01  # the weight decay
    average: float = 0.999  # the share of the averaged weights that stays in a step

    @property
    def files(self) -> int:
        """The number of files of lessons in all rounds."""
        return self.rounds * len(shard_paths(Path(), 0, self.boards))


class WorthModule(nn.Module):
    """The network for torch; at first it says that all calls are worth the same."""

    def __init__(self, width: int, layers: int, dropped: float) -> None:
        super().__init__()
        self.first = nn.Linear(INPUTS, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.out = nn.Linear(width, len(CALLS))
        self._drop = nn.Dropout(dropped)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.first(x))
        for layer in self.hidden:
            x = x + torch.relu(layer(self._drop(x)))
        worth: Tensor = self.out(x)
        return worth


class Rounds:
    """The network and the way it learns: a `bots.library.learning.run.Course`.

    Lessons are bid on `solved` deals and kept in `folder`; the curve is measured on those
    `checked`. `workers` processes make them, one for each processor if that is None. `on_file` is
    called with the number of files that are there, of all rounds.
    """

    def __init__(
        self,
        settings: DisciplinedSettings,
        solved: SolvedDeals,
        checked: SolvedDeals,
        folder: Path,
        workers: int | None,
        on_file: Callable[[int], None],
    ) -> None:
        self.settings = settings
        self._solved, self._folder = solved, folder
        self._workers, self._on_file = workers, on_file
        self._checked = drawn(checked, np.random.default_rng(settings.seed), CHECKED)
        self._round = -1
        self._descent: Descent[WorthModule] | None = None
        self._lessons: Lessons | None = None

    @property
    def done(self) -> int:
        """The number of steps done, in all rounds."""
        if self._descent is None:
            return 0
        return self._round * self.settings.steps + self._descent.done

    def learn(self) -> dict[str, float]:
        """Take a step, and make the lessons of its round before the first; return the loss."""
        settings = self.settings
        if self._descent is None or self._descent.done == settings.steps:
            self._begin()
        descent, lessons = self._descent, self._known()
        assert descent is not None
        rng = np.random.default_rng([settings.seed, self.done])
        torch.manual_seed(int(rng.integers(2**63)))
        loss = _loss(descent.net, lessons.rows(rng.integers(len(lessons), size=settings.batch)))
        descent.step(loss)
        return {"loss": float(loss.detach())}

    def row(self, means: dict[str, float]) -> dict[str, float]:
        """Return the loss, and the IMPs a board of the averaged network against `natural`."""
        boards, tricks = self._checked
        system = SystemCaller(Disciplined(self._net()))
        won = match(boards, tricks, system, SystemCaller())
        error = won.std() / len(won) ** 0.5
        return means | {"against_natural": float(won.mean()), "standard_error": float(error)}

    def read(self, path: Path) -> None:
        """Continue from a file that `write` has made."""
        state = load_state(path)
        self._round = int(state["round"])
        self._descent = self._new_descent()
        self._descent.load(state["descent"])

    def write(self, path: Path) -> None:
        """Write a file from which `read` continues."""
        assert self._descent is not None
        save_state(path, {"round": self._round, "descent": self._descent.state()})

    def write_weights(self, path: Path) -> None:
        """Write the averaged weights in half precision, as the bot reads them."""
        write_halved(path, self._net().weights)

    def _begin(self) -> None:
        """Begin the next round: make its lessons, and a new network."""
        net = None if self._descent is None else self._net()
        self._round += 1
        self._make(self._round, net)
        self._lessons = None
        self._descent = self._new_descent()

    def _make(self, part: int, net: WorthNet | None) -> None:
        """Make the lessons of a round that are missing."""
        paths, seed = self._paths(part), (self.settings.seed, part)
        before = part * len(paths)
        make_missing(
            paths,
            partial(make_shard, seed, self._solved, net),
            self._workers,
            lambda there: self._on_file(before + there),
        )

    def _known(self) -> Lessons:
        """Return the lessons of all rounds so far."""
        if self._lessons is None:
            rounds = range(self._round + 1)
            # Whoever deletes a damaged file of the first round has it made again.
            if not all(path.exists() for path in self._paths(0)):
                self._make(0, None)
            self._lessons = read([path for part in rounds for path in self._paths(part)])
        return self._lessons

    def _paths(self, part: int) -> list[Path]:
        return shard_paths(self._folder, part, self.settings.boards)

    def _net(self) -> WorthNet:
        assert self._descent is not None
        return WorthNet(weights_of(self._descent.averaged))

    def _new_descent(self) -> Descent[WorthModule]:
        settings = self.settings
        torch.manual_seed(settings.seed)
        net = WorthModule(settings.width, settings.layers, settings.dropped)
        rate, decay, average = settings.rate, settings.decay, settings.average
        return adamw(net, rate, decay, average, steps=settings.steps, rising=0.1)


def _loss(net: WorthModule, lessons: Lessons) -> Tensor:
    """Return how far the worth of tried calls, less that of those made, is from what they won."""
    worth = net(tensor(features(lessons)))
    tried = tensor(lessons.tried.astype(np.int64))
    made = worth.gather(1, tensor(lessons.made.astype(np.int64))[:, None])
    off = worth.gather(1, tried.clamp(min=0)) - made - tensor(lessons.won.astype(np.float32))
    is_tried = (tried >= 0).float()
    loss: Tensor = (off.square() * is_tried).sum() / is_tried.sum()
    return loss
