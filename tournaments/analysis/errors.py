"""What an analysis cannot go on without."""

from __future__ import annotations


class ClusterError(Exception):
    """The cluster cannot be reached, or is gone; one line says which."""
