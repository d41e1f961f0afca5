"""`arena train deals`: random deals with their double-dummy tables, to learn from."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import UnusableError, need_posix, unusable
from bridge_arena.commands.common.options import DaskSolvers, SolverProcesses, given_words
from bridge_arena.recorded.solving import TABLES

if TYPE_CHECKING:
    from bridge_arena.recorded.solving.shards import Series, Shards


def deals(
    count: Annotated[
        int, typer.Argument(min=1, metavar="N", help="make and solve deals 1 to N of the seed")
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="folder for the solved deals; it may have some already"),
    ],
    seed: Annotated[
        int | None, typer.Option(help="seed of the deals; default: that of DIR, or a random one")
    ] = None,
    layouts: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=TABLES,
            metavar="K",
            help="solve each deal K times: as dealt, and with East's and West's cards dealt anew "
            "between them; default: as in DIR, or 1",
        ),
    ] = None,
    workers: SolverProcesses = None,
    dask: DaskSolvers = "",
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz",
            help="also write this file of North's and South's hands, with the mean cost of each "
            "contract over the layouts, in IMPs",
        ),
    ] = None,
) -> None:
    """Make random deals to learn from, and solve them double dummy.

    The table of a deal has the tricks of each declarer in each denomination. It takes about 0.2
    seconds of a processor, and minutes for a freak deal; no deal is left out. The deals are a
    public hash of the seed.

    You may interrupt the command at any time: the same command goes on where it stopped, and one
    with a larger N adds to the deals. docs/training.md describes the files of DIR.

    Examples:
        arena train deals 10000 --out deals --seed 1
        arena train deals 2000 --out pairs --layouts 16 --pairs pairs.npz
    """
    from bridge_arena.base.files import beside, held
    from bridge_arena.bots.library.learning.pairs import write_pairs
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.common.signals import going_on_with
    from bridge_arena.oracle.errors import SolverError
    from bridge_arena.oracle.solved_deals import SolvedDealsError
    from bridge_arena.recorded.solving.shards import Shards, ShardsError, UnsolvedError, pairs_of
    from bridge_arena.tournaments.play.cluster import ClusterError

    if dask and workers is not None:
        raise UnusableError("--workers is for this machine, --dask for a cluster: give one")
    if pairs is not None and not pairs.parent.is_dir():
        raise UnusableError(f"cannot write {pairs}: there is no folder {pairs.parent}")
    if pairs is not None and pairs.is_dir():
        raise UnusableError(f"cannot write {pairs}: it is a folder")
    with unusable(ShardsError, SolvedDealsError, SolverError, writing=out), alone(out):
        series = _series(out, seed, layouts)
        again = ["arena", "train", "deals", str(count), "--out", str(out)]
        again += ["--seed", str(series.seed), "--layouts", str(series.layouts)]
        again += given_words(
            {"--workers": (workers, None), "--dask": (dask, ""), "--pairs": (pairs, None)}
        )
        with (
            going_on_with(again, ClusterError, UnsolvedError),
            nullcontext() if pairs is None else held(beside(pairs), pairs),
        ):
            shards = Shards(out, series)
            _solve(shards, count, workers, dask)
            if pairs is not None:
                write_pairs(pairs, pairs_of(shards.paths(count), series.layouts, count))
    print(f"{plural(count, 'deal')} of {series} in {out}")
    if pairs is not None:
        print(f"{plural(count, 'pair')} of hands in {pairs}")


def _series(folder: Path, seed: int | None, layouts: int | None) -> Series:
    """Return the series that is asked for, with what is not given taken from the folder."""
    import secrets

    from bridge_arena.recorded.solving.shards import Series, series_in

    begun = series_in(folder) or Series(secrets.randbits(64), 1)
    return Series(
        begun.seed if seed is None else seed, begun.layouts if layouts is None else layouts
    )


def _solve(shards: Shards, count: int, workers: int | None, dask: str) -> None:
    from bridge_arena.commands.analyse import solvers_at
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.oracle.table_store import TableStore
    from bridge_arena.recorded.solving.shards import solve_missing

    layouts, done = shards.series.layouts, shards.count(count)
    if done == count:
        return
    if not dask:
        need_posix("solving on this machine")
    # The tables are in files of their own; so many would drive all others out of the store.
    store = TableStore(None)
    with (
        solvers_at(workers, dask, None, store) as solvers,
        LongWork() as work,
    ):
        solving = work.begin("solving", count * layouts, "tables", done * layouts)
        solve_missing(shards, count, solvers, solving.advance)
