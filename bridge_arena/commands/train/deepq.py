"""`arena train deepq`: the training of the Q-networks that bid."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.train.options import Device, Out, Resume, Seed, Steps


def deepq(
    out: Out = Path("runs/train-deepq"),
    steps: Steps = 50_000,
    seed: Seed = 1,
    calls: Annotated[
        int, typer.Option(min=2, max=10, help="largest number of calls in an auction")
    ] = 6,
    width: Annotated[int, typer.Option(min=8, help="neurons in a layer")] = 320,
    tricks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="the estimate of tricks; default: the one that ships"
        ),
    ] = None,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks that bid without opponents, on pairs of hands dealt at random.

    Examples:
        arena train deepq --steps 5000 --out runs/deepq
        arena train deepq --steps 5000 --out runs/deepq --resume
    """
    from bridge_arena.commands.train.common import computing_on, estimate_of_tricks, training_run

    net, file = estimate_of_tricks(tricks)
    device = computing_on(device)
    module = import_module("bridge_arena.bots.deepq.training")
    settings = module.DeepQSettings(seed=seed, steps=steps, calls=calls, width=width)
    sizes = {"steps": steps, "seed": seed, "calls": calls, "width": width}
    options = {**sizes, "tricks": tricks, "device": device}
    record = asdict(settings) | {"device": device, "data": {"tricks": file}}
    with training_run("deepq", out, options, record, "cost_of_checked", resume=resume) as (
        run,
        phase,
    ):
        bidden = phase("pairs bid by the result", module.AUCTIONS)
        weights = module.train(run, settings, net, phase("training", steps), bidden)
    print(f"the networks are in {weights}")
