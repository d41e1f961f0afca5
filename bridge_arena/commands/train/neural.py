"""`arena train neural`: the training of the networks that bid against opponents."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bridge_arena.bots.neural import imitation
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import (
    Device,
    Out,
    Resume,
    Seed,
    deal_files,
    recorded,
    solved_deals,
    to_learn_from,
    training_module,
    training_run,
)


def neural(
    deals: Annotated[
        list[Path],
        typer.Option(
            metavar="PATH", help="solved deals to learn from: a file or a folder; repeatable"
        ),
    ],
    check: Annotated[
        Path, typer.Option(metavar="FILE", help="solved deals to measure it on; not learned from")
    ],
    out: Out = Path("runs/train-neural"),
    auctions: Annotated[
        int, typer.Option(min=1, help="boards to learn natural's calls from")
    ] = 30_000,
    imitate: Annotated[int, typer.Option(min=1, help="steps of imitation")] = 1500,
    steps: Annotated[int, typer.Option(min=1, help="steps of self-play")] = 600,
    seed: Seed = 1,
    device: Device = "cpu",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks that bid against opponents, scored double dummy.

    First they learn to imitate natural. The command makes its auctions in DIR/auctions; a board
    takes about 4 ms of a processor. Then they learn from auctions against their past selves.

    Examples:
        arena train neural --deals deals --check check.txt
        arena train neural --deals deals --check check.txt --resume
    """
    module = training_module("bridge_arena.bots.neural.training", device)
    settings = module.NeuralSettings(seed=seed, imitation=imitate, steps=steps)
    checked = deal_files(check)
    files = to_learn_from((file for path in deals for file in deal_files(path)), checked)
    held_back, solved = solved_deals(checked), solved_deals(files)
    how = {"auctions": auctions, "imitate": imitate, "steps": steps, "seed": seed}
    options = {**how, "check": check, "deals": deals, "device": device}
    data = {
        "deals": recorded(files),
        "check": recorded(checked),
        "solved_deals": len(solved),
        "checked_deals": len(held_back),
        "imitated_boards": auctions,
    }
    shards = imitation.shard_paths(out / "auctions", auctions)
    record = asdict(settings) | {"device": device, "data": data}
    steps_of_all = len(shards) + settings.total
    with training_run("neural", out, options, record, steps_of_all, resume=resume) as (run, told):
        imitation.make(shards, seed, told)
        try:
            bidden = imitation.read(shards).rows(np.arange(auctions))
        except imitation.AuctionsError as error:
            raise UnusableError(str(error)) from None
        weights = module.train(
            run, settings, bidden, solved, held_back, lambda done: told(len(shards) + done)
        )
    print(f"the networks are in {weights}")
