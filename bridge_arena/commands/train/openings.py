"""`arena train openings`: the training of the net that tells the openings of players."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.train.options import Out, Resume, Seed


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
    from bridge_arena.commands.train.common import known_openings, recorded, training_run

    module = import_module("bridge_arena.bots.library.openings.training")
    known = known_openings(file)
    settings = module.OpeningsSettings(seed=seed)
    record = asdict(settings) | {"data": {"openings": recorded([file]), "hands": len(known)}}
    options = {"openings": file, "seed": seed}
    with training_run("openings", out, options, record, "right", resume=resume) as (run, phase):
        weights = module.train(run, settings, known, phase("nets", module.FOLDS + 1))
        shown = run.latest
    print(
        f"finds {100 * shown['right']:.1f} % of the openings of {len(known):,} hands that it did "
        f"not learn from, at {shown['surprise']:.2f} bits a hand"
    )
    print(f"the net of openings is in {weights}")
