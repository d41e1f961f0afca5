"""The option `--dask` of commands whose tables the workers of a cluster play."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import unusable

if TYPE_CHECKING:
    from bridge_arena.tournaments.play.cluster import Cluster

DaskTables = Annotated[
    str,
    typer.Option("--dask", metavar="ADDRESS", help="play on the workers of this Dask scheduler"),
]


def cluster_at(address: str) -> AbstractContextManager[Cluster | None]:
    """Return the cluster at an address, for a context that leaves it; None for "".

    Raises UnusableError.
    """
    if not address:
        return nullcontext()
    from bridge_arena.tournaments.play.cluster import Cluster, ClusterError

    with unusable(ClusterError):
        return Cluster(address)
