"""`arena train tables`: the training of the estimate of double-dummy tables."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from bridge_arena.commands.train.options import Check, Deals, Device, Out, Resume, Seed, Steps


def tables(
    deals: Deals,
    check: Check,
    out: Out = Path("runs/train-tables"),
    steps: Steps = 8_000,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the estimate of double-dummy tables.

    From all four hands it tells how likely each declarer takes each number of tricks, some
    thousand deals a second.

    Examples:
        arena train tables --deals deals --check check.txt
    """
    from bridge_arena.commands.train.common import (
        computing_on,
        deal_files,
        recorded,
        solved_deals,
        to_learn_from,
        training_run,
    )

    checked = deal_files(check)
    files = to_learn_from((file for path in deals for file in deal_files(path)), checked)
    held_back, solved = solved_deals(checked), solved_deals(files)
    device = computing_on(device)
    module = import_module("bridge_arena.bots.library.tables.training")
    settings = module.TablesSettings(seed=seed, steps=steps)
    data = {
        "deals": recorded(files),
        "check": recorded(checked),
        "solved_deals": len(solved),
        "checked_deals": len(held_back),
    }
    options = {"steps": steps, "seed": seed, "check": check, "deals": deals, "device": device}
    record = asdict(settings) | {"device": device, "data": data}
    with training_run("tables", out, options, record, "error", resume=resume) as (run, phase):
        weights = module.train(run, settings, solved, held_back, phase("training", steps))
    print(f"the estimate of tables is in {weights}")
