"""`arena train tricks`: an estimate of the tricks that two hands take."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bots.tricks.data import Known, PairsError, joined, of_deals, read_means
from oracle.solved_deals import SolvedDealsError, read
from tournaments.commands.errors import UnusableError
from tournaments.commands.training import (
    Out,
    Resume,
    Seed,
    Steps,
    deal_files,
    training_module,
    training_run,
    words,
)


def tricks(
    deals: Annotated[
        list[Path],
        typer.Option(metavar="PATH", help="solved deals: a file, or a folder of them; repeatable"),
    ],
    check: Annotated[
        Path, typer.Option(metavar="FILE", help="solved deals or mean tricks to measure it on")
    ],
    means: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.csv", help="pairs of hands with mean tricks; repeatable"),
    ] = None,
    out: Out = Path("runs/train-tricks"),
    steps: Steps = 12_000,
    seed: Seed = 1,
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the estimate of the double-dummy tricks that two hands take.

    From solved deals, and from pairs with mean tricks over several layouts of the other hands.
    """
    module = training_module("bots.tricks.training")
    settings = module.Settings(seed=seed, steps=steps)
    try:
        solved = _solved([file for path in deals for file in deal_files(path)])
        mean = joined(map(read_means, means)) if means else None
        checked = read_means(check) if check.suffix == ".csv" else _solved(deal_files(check))
    except (PairsError, SolvedDealsError) as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None
    data = {"solved": len(solved), "means": len(mean or ()), "checked": len(checked)}
    options = {"out": out, "steps": steps, "seed": seed, "check": check}
    files = [f" --deals {path}" for path in deals] + [f" --means {path}" for path in means or ()]
    again = words("tricks", options) + "".join(files)
    record = asdict(settings) | {"data": data}
    with training_run(again, out, record, steps, resume=resume) as (run, told):
        weights = module.train(run, settings, solved, mean, checked, told)
    print(f"the estimate of tricks is in {weights}")


def _solved(files: list[Path]) -> Known:
    return joined(of_deals(solved) for solved in read(files))
