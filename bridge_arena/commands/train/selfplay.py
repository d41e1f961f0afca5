"""`arena train selfplay`: self-play of the networks of `neural` in large lessons, for a GPU."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.train.options import Check, Deals, Device, Out, Resume, Seed


def selfplay(
    deals: Deals,
    check: Check,
    out: Out = Path("runs/train-selfplay"),
    lessons: Annotated[int, typer.Option(min=1, help="lessons of self-play")] = 500,
    boards: Annotated[int, typer.Option(min=2, help="boards of a lesson")] = 32_768,
    hot: Annotated[
        float, typer.Option(min=0.02, help="temperature of the first lesson, in IMPs")
    ] = 1.0,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE.npz", help="begin with these networks")
    ] = None,
    opponent: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.npz", help="meet these networks now and then; repeatable"),
    ] = None,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks of neural by self-play alone, in large lessons, on a GPU.

    They begin with no knowledge of bidding, or with those of --start. They learn from auctions
    against their present and past selves, and in one lesson of five against the networks of
    --opponent, scored double dummy by the estimate of tables that ships and on the solved deals.

    Examples:
        arena train selfplay --deals deals --check check.txt
        arena train selfplay --deals deals --check check.txt --start runs/one/weights.npz --hot 0.3
    """
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
    opponents = opponent or []
    given = [net_of(path, Nets.read, "networks to meet") for path in opponents]
    checked = deal_files(check)
    files = to_learn_from((file for path in deals for file in deal_files(path)), checked)
    held_back, solved = solved_deals(checked), solved_deals(files)
    device = computing_on(device)
    module = import_module("bridge_arena.bots.neural.tensors.training")
    how = {"lessons": lessons, "boards": boards, "hot": hot, "seed": seed}
    settings = module.LessonsSettings(**how)
    options = {
        **how,
        **{"start": start, "opponent": opponents, "check": check, "deals": deals},
        "device": device,
    }
    data = {
        "deals": recorded(files),
        "check": recorded(checked),
        "solved_deals": len(solved),
        "checked_deals": len(held_back),
        "start": recorded([start]) if start else None,
        "opponents": recorded(opponents),
        "tables": recorded_shipped("bridge_arena.bots.library.tables", "weights.npz"),
    }
    record = asdict(settings) | {"device": device, "data": data}
    with training_run("selfplay", out, options, record, "from_par", resume=resume) as (run, phase):
        trainer = module.Trainer(settings, solved, held_back, begun, given)
        told = phase("lessons", settings.total)
        bidden = phase("boards bid by the result", settings.bidden)
        weights = module.train(run, trainer, told, bidden)
    print(f"the networks are in {weights}")
