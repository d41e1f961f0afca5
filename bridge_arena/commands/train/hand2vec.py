"""`arena train hand2vec`: the training of the net that turns hands into vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.options import Device, Out, Resume, Seed, Steps

if TYPE_CHECKING:
    from bridge_arena.bots.library.tricks.data import Known


def hand2vec(
    check: Annotated[
        Path,
        typer.Option(metavar="FILE.csv", help="mean tricks to measure it on; not learned from"),
    ],
    means: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.csv", help="pairs of hands with mean tricks to learn from; repeatable"
        ),
    ] = None,
    pairs: Annotated[
        int,
        typer.Option(
            min=0, max=10_000_000, help="random pairs to learn from, with estimated tricks"
        ),
    ] = 0,
    tricks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="the estimate of tricks; default: the one that ships"
        ),
    ] = None,
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
    from bridge_arena.commands.train.common import (
        computing_on,
        estimate_for,
        mean_tricks,
        recorded,
        to_learn_from,
        training_run,
    )

    if not means and not pairs:
        raise UnusableError("there is nothing to learn from: --means, --pairs or both are needed")
    shown = mean_tricks([check])
    files = to_learn_from(means or [], [check])
    given = [mean_tricks(files)] if means else []
    number = pairs + sum(map(len, given))
    net, estimate = estimate_for(pairs, tricks)
    device = computing_on(device)
    module = import_module("bridge_arena.bots.library.hand2vec.training")
    settings = module.Hand2VecSettings(seed=seed, steps=steps, dimensions=dimensions)
    if number < module.LEAST:
        raise UnusableError(
            f"{plural(number, 'pair')} of hands: {module.LEAST} or more are needed to learn from"
        )
    data = {
        "means": recorded(files),
        "check": recorded([check]),
        "tricks": estimate,
        "mean_pairs": number - pairs,
        "random_pairs": pairs,
        "checked_pairs": len(shown),
    }
    options = {"steps": steps, "seed": seed, "dimensions": dimensions, "check": check}
    options |= {"means": means, "pairs": pairs or None, "tricks": tricks, "device": device}
    record = asdict(settings) | {"device": device, "data": data}
    with training_run("hand2vec", out, options, record, "error", resume=resume) as (run, phase):
        if net is not None:
            told = phase("estimated pairs", ceil(pairs / module.CHUNK))
            given += _told_each(module.estimated(net, seed, pairs, out / "pairs"), told)
        told = phase("training", steps)
        weights = module.train(run, settings, joined(given), shown, told)
    print(f"the vectors' net is in {weights}")


def _told_each(parts: Iterator[Known], told: Callable[[int], None]) -> Iterator[Known]:
    """Yield the parts, and call `told` before each with its number."""
    for done, part in enumerate(parts, start=1):
        told(done)
        yield part
