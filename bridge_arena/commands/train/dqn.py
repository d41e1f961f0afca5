"""`arena train dqn`: the training of the Q-network that declares at notrump."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.train.common import (
    Device,
    Out,
    Resume,
    Seed,
    Steps,
    training_module,
    training_run,
)
from bridge_arena.commands.train.qplay import (
    Against,
    Discount,
    Fed,
    Games,
    Learned,
    Rewarded,
)


def dqn(
    out: Out = Path("runs/train-dqn"),
    games: Games = 1_000,
    steps: Steps = 5_000,
    seed: Seed = 1,
    width: Annotated[int, typer.Option(min=8, max=4096, help="neurons in a layer")] = 128,
    discount: Discount = 0.9,
    reward: Rewarded = "above",
    when: Fed = "every",
    kept: Learned = "won",
    defence: Against = "follow",
    device: Device = "cpu",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the network that declares at notrump, from games of a random declarer.

    Examples:
        arena train dqn --games 2000 --out runs/dqn
    """
    module = training_module("bridge_arena.bots.dqn.training", device)
    options: dict[str, object] = {
        "games": games,
        "steps": steps,
        "seed": seed,
        "width": width,
        "discount": discount,
        "reward": reward,
        "when": when,
        "kept": kept,
        "defence": defence,
    }
    settings = module.DqnSettings(**options)
    record = asdict(settings) | {"device": device}
    options |= {"device": device}
    with training_run("dqn", out, options, record, steps, resume=resume) as (run, told):
        weights = module.train(run, settings, told)
    print(f"the network is in {weights}")
