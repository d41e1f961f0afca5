"""`arena train neural`: the training of the networks that bid against opponents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.options import Check, Deals, Device, Out, Resume, Seed

if TYPE_CHECKING:
    from bridge_arena.bots.neural import imitation


def neural(
    deals: Deals,
    check: Check,
    out: Out = Path("runs/train-neural"),
    auctions: Annotated[
        int, typer.Option(min=1, help="boards to learn natural's calls from")
    ] = 30_000,
    imitate: Annotated[int, typer.Option(min=1, help="steps of imitation")] = 1500,
    start: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="begin self-play with these networks, without imitation"
        ),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="steps of self-play")] = 700,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks that bid against opponents, scored double dummy.

    First they learn to imitate natural. The command makes its auctions in DIR/auctions; a board
    takes about 4 ms of a processor. Then they learn from auctions against their present and past
    selves, and against natural, qtable and deepq, on the solved deals and on deals scored by the
    estimate of tables that ships.

    Examples:
        arena train neural --deals deals --check check.txt
        arena train neural --deals deals --check check.txt --resume
        arena train neural --deals deals --check check.txt --start weights.npz --out more
    """
    from bridge_arena.bots.neural import imitation
    from bridge_arena.bots.neural.net import Nets
    from bridge_arena.commands.train.common import (
        computing_on,
        deal_files,
        net_of,
        recorded,
        recorded_shipped,
        solved_deals,
        to_learn_from,
        training_run,
    )

    begun = net_of(start, Nets.read, "networks to start from") if start else None
    checked = deal_files(check)
    files = to_learn_from((file for path in deals for file in deal_files(path)), checked)
    held_back, solved = solved_deals(checked), solved_deals(files)
    device = computing_on(device)
    module = import_module("bridge_arena.bots.neural.training")
    settings = module.NeuralSettings(seed=seed, imitation=imitate, steps=steps)
    if begun:
        settings = module.starting(settings, begun)
    how = {"auctions": auctions, "imitate": imitate, "steps": steps, "seed": seed}
    options = {**how, "start": start, "check": check, "deals": deals, "device": device}
    data = {
        "deals": recorded(files),
        "check": recorded(checked),
        "solved_deals": len(solved),
        "checked_deals": len(held_back),
        "start": recorded([start]) if start else None,
        "imitated_boards": 0 if start else auctions,
        "tables": recorded_shipped("bridge_arena.bots.library.tables", "weights.npz"),
    }
    shards = [] if start else imitation.shard_paths(out / "auctions", auctions)
    record = asdict(settings) | {"device": device, "data": data}
    with training_run("neural", out, options, record, "from_par", resume=resume) as (run, phase):
        told = phase("files of auctions", len(shards))
        imitated = _auctions(shards, auctions, seed, told) if shards else None
        told = phase("training", settings.total)
        bidden = phase("boards bid by the result", settings.bidden)
        weights = module.train(run, settings, imitated, solved, held_back, told, bidden, begun)
    print(f"the networks are in {weights}")


def _auctions(
    shards: list[Path], number: int, seed: int, told: Callable[[int], None]
) -> imitation.Bidden:
    """Make the auctions that are imitated, and read them."""
    import numpy as np

    from bridge_arena.bots.neural import imitation

    imitation.make(shards, seed, told)
    try:
        return imitation.read(shards).rows(np.arange(number))
    except imitation.AuctionsError as error:
        raise UnusableError(str(error)) from None
