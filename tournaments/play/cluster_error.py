"""What goes wrong with a cluster, known also where Dask is not installed."""

from __future__ import annotations


class ClusterError(Exception):
    """The cluster cannot be reached, or is gone; one line says which."""
