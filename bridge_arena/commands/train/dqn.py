"""`arena train dqn`: the training of the Q-network that declares at notrump."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.train.options import Device, Out, Resume, Seed


def dqn(
    out: Out = Path("runs/train-dqn"),
    lessons: Annotated[
        int, typer.Option(min=1, help="lessons of 512 games, from which it learns in 20 steps")
    ] = 400,
    seed: Seed = 1,
    width: Annotated[int, typer.Option(min=8, max=4096, help="neurons in a layer")] = 128,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the network that declares at notrump, by Q-learning from games of its own.

    Examples:
        arena train dqn --lessons 40 --out runs/dqn
    """
    from bridge_arena.commands.train.common import computing_on, training_run

    device = computing_on(device)
    module = import_module("bridge_arena.bots.dqn.training")
    settings = module.DqnSettings(seed=seed, lessons=lessons, width=width)
    options = {"lessons": lessons, "seed": seed, "width": width, "device": device}
    record = asdict(settings) | {"device": device}
    with training_run("dqn", out, options, record, "won", resume=resume) as (run, phase):
        weights = module.train(run, settings, phase("lessons", lessons))
    print(f"the network is in {weights}")
