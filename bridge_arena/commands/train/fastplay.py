"""`arena train fastplay`: the training of the net that plays cards."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.commands.train.options import Device, Out, Resume, Seed, Steps


def fastplay(
    out: Out = Path("runs/train-fastplay"),
    boards: Annotated[
        int, typer.Option(min=1, help="boards to learn from, made in files of 250")
    ] = 120_000,
    check: Annotated[
        int, typer.Option(min=1, help="boards to measure it on; not learned from")
    ] = 2000,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="processes that make boards; default: one for each processor"),
    ] = None,
    steps: Steps = 45_000,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the net that estimates the cost of every card.

    It learns from boards that natural bids, and that players of all kinds play. The command makes
    them in DIR/plays, and solves their cards double dummy. A board takes about 0.04 seconds of a
    processor.

    Examples:
        arena train fastplay --boards 5000 --out runs/fastplay
    """
    from bridge_arena.bots.fastplay import making
    from bridge_arena.bots.fastplay.plays import read_plays
    from bridge_arena.bots.library.learning.arrays import ArraysError, joined
    from bridge_arena.commands.train.common import computing_on, training_run
    from bridge_arena.oracle.errors import OracleError

    device = computing_on(device)
    module = import_module("bridge_arena.bots.fastplay.training")
    settings = module.FastPlaySettings(seed=seed, steps=steps)
    how: dict[str, object] = {"boards": boards, "check": check, "steps": steps}
    how |= {"seed": seed, "device": device}
    held_back = making.shard_paths(out / "plays", seed, check)
    paths = making.shard_paths(out / "plays", seed, len(held_back) * making.SHARD + boards)
    record = asdict(settings) | {
        "device": device,
        "data": {"boards": boards, "checked_boards": check},
    }
    options = how | {"workers": workers}
    with training_run("fastplay", out, options, record, "declarer", resume=resume) as (run, phase):
        try:
            making.make(paths, workers, phase("files of boards", len(paths)))
        except OracleError as error:
            raise FailedError(f"boards could not be made: {error}") from None
        try:
            checked = joined(map(read_plays, held_back)).rows(slice(check))
            plays = joined(map(read_plays, paths[len(held_back) :])).rows(slice(boards))
        except ArraysError as error:
            raise UnusableError(f"{error}; without this file it is made again") from None
        weights = module.train(run, settings, plays, checked, phase("training", steps))
    print(f"the net is in {weights}")
