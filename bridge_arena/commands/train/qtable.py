"""`arena train qtable`: the training of the table that bids."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.options import Out, Resume, Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bridge_arena.bots.library.tricks.net import TricksNet
    from bridge_arena.bots.qtable.examples import Examples
    from bridge_arena.oracle.solved_deals import SolvedDeals

_PAIRS = 500_000
"""The number of random pairs to learn from where no deals are given."""


def qtable(
    out: Out = Path("runs/train-qtable"),
    rounds: Annotated[int, typer.Option(min=1, help="rounds of 250,000 examples")] = 40,
    deals: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH", help="solved deals to learn from: a file or a folder; repeatable"
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(min=400, help="random pairs to learn from, with estimated tricks"),
    ] = None,
    tricks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="the estimate of tricks; default: the one that ships"
        ),
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="the opening bids; default: those that ship"),
    ] = None,
    rate: Annotated[float, typer.Option(min=0, max=1, help="learning rate at first")] = 0.3,
    exploration: Annotated[
        float, typer.Option(min=0, max=1, help="probability of a random call at first")
    ] = 0.3,
    seed: Seed = 1,
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the table that bids without opponents.

    It learns from solved deals, from random pairs of hands with estimated tricks, or from both;
    by default from 500,000 random pairs. One example in 20 is held back to measure it.

    Examples:
        arena train qtable --deals deals
        arena train qtable --pairs 100000 --rounds 10
    """
    from bridge_arena.bots.qtable.examples import CHUNK
    from bridge_arena.commands.train.common import (
        deal_files,
        estimate_for,
        recorded,
        solved_deals,
        to_learn_from,
        training_run,
    )

    module = import_module("bridge_arena.bots.qtable.training")
    settings = import_module("bridge_arena.bots.qtable.tiles").TileSettings(
        rate=rate, exploration=exploration
    )
    number = pairs if pairs is not None else 0 if deals else _PAIRS
    table, opened = _openings(openings)
    net, estimate = estimate_for(number, tricks)
    files = to_learn_from((file for path in deals or [] for file in deal_files(path)), ())
    solved = solved_deals(files) if deals else None
    data = {"deals": recorded(files), "pairs": number, "tricks": estimate, "openings": opened}
    record = asdict(settings) | {"seed": seed, "rounds": rounds, "data": data}
    how = {"rounds": rounds, "seed": seed, "rate": rate, "exploration": exploration}
    what: dict[str, object] = {
        "pairs": pairs,
        "deals": deals,
        "tricks": tricks,
        "openings": openings,
    }
    with training_run("qtable", out, how | what, record, "checked", resume=resume) as (run, phase):
        told = phase("estimated pairs", ceil(number / CHUNK))
        examples = _examples(solved, net, number, seed, out / "pairs", told)
        told = phase("rounds", rounds + 1)
        weights = module.train(run, settings, table, examples, rounds, seed, told)
    print(f"the table is in {weights}")


def _openings(path: Path | None) -> tuple[NDArray[np.int8], dict[str, str]]:
    """Return the opening bids, and their file for the run's record. Raises UnusableError."""
    from bridge_arena.bots.qtable.opening import (
        SHIPPED,
        OpeningTableError,
        read_openings,
        shipped_openings,
    )
    from bridge_arena.commands.train.common import recorded, recorded_shipped

    if path is None:
        return shipped_openings(), recorded_shipped("bridge_arena.bots.qtable", "tables", SHIPPED)
    (found,) = recorded([path])
    try:
        return read_openings(path), found
    except OpeningTableError as error:
        raise UnusableError(str(error)) from None


def _examples(
    solved: SolvedDeals | None,
    net: TricksNet | None,
    pairs: int,
    seed: int,
    folder: Path,
    told: Callable[[int], None],
) -> Iterator[Examples]:
    """Yield the examples of solved deals and of random pairs; `told` gets each part's number."""
    import numpy as np

    from bridge_arena.bots.qtable.examples import estimated, of_solved

    if solved is not None:
        yield of_solved([solved])
    if net is not None:
        parts = estimated(net, np.random.default_rng(seed), pairs, folder)
        for done, part in enumerate(parts, start=1):
            told(done)
            yield part
