"""The error of clusters, which can be imported without Dask."""

from __future__ import annotations


class ClusterError(Exception):
    """The cluster cannot be reached, or is gone; the message is one line."""
