"""`arena train` of estimates: `tricks`, `tables`, `hand2vec` and `openings`."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.options import (
    Check,
    Deals,
    Device,
    Estimate,
    Means,
    Out,
    Resume,
    Seed,
    SomeDeals,
    Steps,
)


def tricks(
    check: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="solved deals or mean tricks to measure it on; not learned from"
        ),
    ],
    deals: SomeDeals = None,
    means: Means = None,
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
    from bridge_arena.commands.train import common

    if not deals and not means:
        raise UnusableError("there is nothing to learn from: --deals, --means or both are needed")
    checked = common.deal_files(check)
    is_mean = check.suffix == ".csv"
    shown = common.mean_tricks(checked) if is_mean else of_deals(common.solved_deals(checked))
    solved_files = common.to_learn_from(common.deal_files(*(deals or ())), checked)
    mean_files = common.to_learn_from(means or [], checked)
    solved = of_deals(common.solved_deals(solved_files)) if deals else None
    mean = common.mean_tricks(mean_files) if means else None
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.library.tricks.training")
    settings = module.TricksSettings(seed=seed, steps=steps)
    for known in (solved, mean):
        if known is not None and len(known) < module.LEAST:
            raise UnusableError(
                f"{plural(len(known), 'pair')} of hands: {module.LEAST} or more are needed to "
                "learn from"
            )
    data = {
        "deals": common.recorded(solved_files),
        "means": common.recorded(mean_files),
        "check": common.recorded(checked),
        "solved_pairs": len(solved or ()),
        "mean_pairs": len(mean or ()),
        "checked_pairs": len(shown),
    }
    options = {"steps": steps, "seed": seed, "check": check, "deals": deals, "means": means}
    options |= {"device": device}
    record = asdict(settings) | {"device": device, "data": data}
    with common.training_run("tricks", out, options, record, "error", resume=resume) as run:
        trainer = module.TricksTrainer(settings, solved, mean, shown)
        weights = run.train(trainer, steps, module.EVERY, run.phase("training", steps))
    print(f"the estimate of tricks is in {weights}")


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
    from bridge_arena.commands.train import common

    solved, held_back, data = common.deals_to_learn_from(deals, check)
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.library.tables.training")
    settings = module.TablesSettings(seed=seed, steps=steps)
    options = {"steps": steps, "seed": seed, "check": check, "deals": deals, "device": device}
    record = asdict(settings) | {"device": device, "data": data}
    with common.training_run("tables", out, options, record, "error", resume=resume) as run:
        trainer = module.TablesTrainer(settings, solved, held_back)
        weights = run.train(trainer, steps, module.EVERY, run.phase("training", steps))
    print(f"the estimate of tables is in {weights}")


def hand2vec(
    check: Annotated[
        Path,
        typer.Option(metavar="FILE.csv", help="mean tricks to measure it on; not learned from"),
    ],
    means: Means = None,
    pairs: Annotated[
        int,
        typer.Option(
            min=0, max=10_000_000, help="random pairs to learn from, with estimated tricks"
        ),
    ] = 0,
    tricks: Estimate = None,
    out: Out = Path("runs/train-hand2vec"),
    dimensions: Annotated[int, typer.Option(min=1, max=512, help="numbers in a vector")] = 8,
    steps: Steps = 20_000,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train vectors that stand for hands, by the tricks that two hands take.

    It learns from pairs with mean tricks over several layouts of the other hands, from random
    pairs with estimated tricks, or from both.

    Examples:
        arena train hand2vec --check means.csv --pairs 100000
    """
    from bridge_arena.bots.library.learning.arrays import joined
    from bridge_arena.commands.train import common

    if not means and not pairs:
        raise UnusableError("there is nothing to learn from: --means, --pairs or both are needed")
    shown = common.mean_tricks([check])
    files = common.to_learn_from(means or [], [check])
    given = [common.mean_tricks(files)] if means else []
    number = pairs + sum(map(len, given))
    net, estimate = common.estimate_for(pairs, tricks)
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.library.hand2vec.training")
    settings = module.Hand2VecSettings(seed=seed, steps=steps, dimensions=dimensions)
    if number < module.LEAST:
        raise UnusableError(
            f"{plural(number, 'pair')} of hands: {module.LEAST} or more are needed to learn from"
        )
    data = {
        "means": common.recorded(files),
        "check": common.recorded([check]),
        "tricks": estimate,
        "mean_pairs": number - pairs,
        "random_pairs": pairs,
        "checked_pairs": len(shown),
    }
    options = {"steps": steps, "seed": seed, "dimensions": dimensions, "check": check}
    options |= {"means": means, "pairs": pairs or None, "tricks": tricks, "device": device}
    record = asdict(settings) | {"device": device, "data": data}
    with common.training_run("hand2vec", out, options, record, "error", resume=resume) as run:
        if net is not None:
            on_part = run.phase("estimated pairs", ceil(pairs / module.CHUNK))
            given += common.counted(module.estimated(net, seed, pairs, out / "pairs"), on_part)
        trainer = module.VectorsTrainer(settings, joined(given), shown)
        weights = run.train(trainer, steps, module.EVERY, run.phase("training", steps))
    print(f"the vectors' net is in {weights}")


def openings(
    file: Annotated[
        Path,
        typer.Option(
            "--openings",
            metavar="FILE.csv",
            help="hands with openings: ;PBN;OPENING, a hand a line",
        ),
    ],
    out: Out = Path("runs/train-openings"),
    seed: Seed = 1,
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the net that tells which openings players choose with a hand.

    It learns from hands that were opened, and from hands that were passed. Ten nets, each without a
    tenth of the hands, show how well it tells the openings of hands that it does not know.

    Examples:
        arena train openings --openings openings.csv
    """
    from bridge_arena.commands.train import common

    module = import_module("bridge_arena.bots.library.openings.training")
    known = common.known_openings(file)
    settings = module.OpeningsSettings(seed=seed)
    record = asdict(settings) | {"data": {"openings": common.recorded([file]), "hands": len(known)}}
    options = {"openings": file, "seed": seed}
    with common.training_run("openings", out, options, record, "right", resume=resume) as run:
        on_net = run.phase("nets", module.FOLDS + 1)
        weights = run.train(module.Judges(settings, known), module.FOLDS, 1, on_net)
        on_net(module.FOLDS + 1)
        shown = run.latest
    print(
        f"finds {100 * shown['right']:.1f} % of the openings of {len(known):,} hands that it did "
        f"not learn from, at {shown['surprise']:.2f} bits a hand"
    )
    print(f"the net of openings is in {weights}")
