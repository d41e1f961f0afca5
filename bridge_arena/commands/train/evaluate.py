"""`arena train evaluate`: the cost of the contracts of a learned bidder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bridge_arena.bots.deepq import FEWEST
from bridge_arena.commands.common.errors import UnusableError


def evaluate(
    bot: Annotated[Literal["deepq"], typer.Argument(help="the bidder: deepq")],
    pairs: Annotated[
        Path, typer.Option(metavar="FILE.npz", help="pairs of hands with the costs of contracts")
    ],
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE.npz", help="its networks; default: those that ship")
    ] = None,
    worlds: Annotated[
        int,
        typer.Option(help=f"hands of South to search in, {FEWEST} or more; 0: no search"),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="seed of the search")] = 1,
) -> None:
    """Bid pairs of hands without opponents, and print the mean cost of the contracts in IMPs.

    North begins. docs/training.md describes the file; arena train deals --pairs makes one.

    Examples:
        arena train evaluate deepq --pairs check.npz
    """
    import numpy as np
    from rich.console import Console

    from bridge_arena.bots.deepq import net
    from bridge_arena.bots.deepq.search import Search
    from bridge_arena.bots.library.learning.arrays import ArraysError
    from bridge_arena.bots.library.learning.hands import spades_first
    from bridge_arena.bots.library.learning.pairs import PairsError, read_pairs
    from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks
    from bridge_arena.commands.common.progress import progress_bar

    try:
        found = read_pairs(pairs)
        nets = net.QNets.read(weights) if weights else net.shipped()
    except PairsError as error:
        raise UnusableError(str(error)) from None
    except ArraysError as error:
        raise UnusableError(f"no networks of {bot}: {error}") from None
    except OSError as error:
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None
    if not len(found):
        raise UnusableError(f"{pairs} holds no pairs")
    hands, partners = (spades_first(found.hands[:, seat] == 1) for seat in (0, 1))
    if worlds:
        try:
            search = Search(nets, shipped_tricks(), worlds)
        except ValueError as error:
            raise UnusableError(str(error)) from None
        with progress_bar(Console(stderr=True)) as progress:
            bidding = search.contracts(hands, partners, np.random.default_rng(seed))
            contracts = np.array(list(progress.track(bidding, total=len(found))))
    else:
        contracts = nets.bid(hands, partners).contracts
    costs = found.costs[np.arange(len(found)), contracts]
    standard_error = costs.std(ddof=1) / np.sqrt(len(costs)) if len(costs) > 1 else float("nan")
    print(
        f"{bot}: {costs.mean():.4f} ± {standard_error:.4f} IMPs (mean ± s.e., {len(costs)} pairs)"
    )
