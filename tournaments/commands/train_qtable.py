"""`arena train qtable`: the table of values that bids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bots.qtable.examples import Examples, estimated, joined, of_solved
from bots.qtable.opening import OpeningTableError, read_openings, shipped_openings
from bots.tricks.net import TricksNet, shipped
from oracle.solved_deals import SUFFIX, SolvedDealsError, read
from tournaments.commands.errors import UnusableError
from tournaments.commands.training import Out, Resume, Seed, training_module, training_run, words

_PAIRS = 500_000
"""Random pairs to learn from where no deals are given."""


def qtable(
    out: Out = Path("runs/train-qtable"),
    rounds: Annotated[int, typer.Option(min=1, help="of 250,000 examples")] = 40,
    deals: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH", help="learn from solved deals: a file, or a folder; repeatable"
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(min=400, help="learn from random pairs, by the estimate of tricks"),
    ] = None,
    tricks: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="the estimate of tricks; that which ships if none"),
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="the opening bids; those that ship if none"),
    ] = None,
    rate: Annotated[float, typer.Option(min=0, max=1, help="of learning, at first")] = 0.3,
    exploration: Annotated[
        float, typer.Option(min=0, max=1, help="chance of a random call, at first")
    ] = 0.3,
    seed: Seed = 1,
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the table that bids without opponents.

    It learns from solved deals, from random pairs of hands (500,000 if there is nothing else),
    or from both. One example in 20 is held back to measure it.
    """
    module = training_module("bots.qtable.training")
    settings = training_module("bots.qtable.tiles").Settings(rate=rate, exploration=exploration)
    number = pairs if pairs is not None else 0 if deals else _PAIRS
    table = _openings(openings)
    net = _estimate(tricks) if number else None
    examples = joined(_examples(deals or [], net, number, seed))
    record = asdict(settings) | {
        "seed": seed,
        "rounds": rounds,
        "deals": [path.name for path in deals or []],
        "pairs": number,
        "tricks": (tricks.name if tricks else "shipped") if number else "",
        "openings": openings.name if openings else "shipped",
        "examples": len(examples),
    }
    options: dict[str, object] = {"out": out, "rounds": rounds, "seed": seed}
    options |= {"rate": rate, "exploration": exploration}
    for name, given in (("pairs", pairs), ("tricks", tricks), ("openings", openings)):
        if given is not None:
            options[name] = given
    again = words("qtable", options) + "".join(f" --deals {path}" for path in deals or [])
    with training_run(again, out, record, rounds, resume=resume) as (run, told):
        weights = module.train(run, settings, table, examples, rounds, seed, told)
    print(f"the table is in {weights}")


def _openings(path: Path | None) -> np.typing.NDArray[np.int8]:
    """Raises UnusableError."""
    try:
        return shipped_openings() if path is None else read_openings(path)
    except OpeningTableError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"cannot read {path}: {error.strerror}") from None


def _estimate(path: Path | None) -> TricksNet:
    """Raises UnusableError."""
    try:
        return shipped() if path is None else TricksNet.read(path)
    except (OSError, ValueError, KeyError):
        raise UnusableError(f"cannot read an estimate of tricks from {path}") from None


def _examples(
    deals: list[Path], net: TricksNet | None, pairs: int, seed: int
) -> Iterator[Examples]:
    """Raises UnusableError."""
    files = [file for path in deals for file in _files(path)]
    try:
        if files:
            yield of_solved(read(files))
    except SolvedDealsError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None
    if net is not None:
        yield from estimated(net, np.random.default_rng(seed), pairs)


def _files(path: Path) -> list[Path]:
    """Raises UnusableError where there is nothing."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in (SUFFIX, ".txt"))
    if not found:
        raise UnusableError(f"there are no solved deals in {path}")
    return found
