"""`arena train tricks`: the training of the estimate of the tricks that two hands take."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.options import Device, Out, Resume, Seed, Steps


def tricks(
    check: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="solved deals or mean tricks to measure it on; not learned from"
        ),
    ],
    deals: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH", help="solved deals to learn from: a file or a folder; repeatable"
        ),
    ] = None,
    means: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.csv", help="pairs of hands with mean tricks to learn from; repeatable"
        ),
    ] = None,
    out: Out = Path("runs/train-tricks"),
    steps: Steps = 6_000,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the estimate of the double-dummy tricks that two hands take.

    It learns from solved deals, from pairs with mean tricks over several layouts of the other
    hands, or from both.

    Examples:
        arena train tricks --deals deals --check check.txt
    """
    from bridge_arena.bots.library.tricks.data import of_deals
    from bridge_arena.commands.train.common import (
        computing_on,
        deal_files,
        mean_tricks,
        recorded,
        solved_deals,
        to_learn_from,
        training_run,
    )

    if not deals and not means:
        raise UnusableError("there is nothing to learn from: --deals, --means or both are needed")
    checked = deal_files(check)
    shown = mean_tricks(checked) if check.suffix == ".csv" else of_deals(solved_deals(checked))
    solved_files = to_learn_from(
        (file for path in deals or [] for file in deal_files(path)), checked
    )
    mean_files = to_learn_from(means or [], checked)
    solved = of_deals(solved_deals(solved_files)) if deals else None
    mean = mean_tricks(mean_files) if means else None
    device = computing_on(device)
    module = import_module("bridge_arena.bots.library.tricks.training")
    settings = module.TricksSettings(seed=seed, steps=steps)
    for known in (solved, mean):
        if known is not None and len(known) < module.LEAST:
            raise UnusableError(
                f"{plural(len(known), 'pair')} of hands: {module.LEAST} or more are needed to "
                "learn from"
            )
    data = {
        "deals": recorded(solved_files),
        "means": recorded(mean_files),
        "check": recorded(checked),
        "solved_pairs": len(solved or ()),
        "mean_pairs": len(mean or ()),
        "checked_pairs": len(shown),
    }
    options = {"steps": steps, "seed": seed, "check": check, "deals": deals, "means": means}
    options |= {"device": device}
    record = asdict(settings) | {"device": device, "data": data}
    with training_run("tricks", out, options, record, "error", resume=resume) as (run, phase):
        weights = module.train(run, settings, solved, mean, shown, phase("training", steps))
    print(f"the estimate of tricks is in {weights}")
