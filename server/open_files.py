"""How many files, connections among them, this process may have open at once."""

from __future__ import annotations

from contextlib import suppress

SPARE = 64
"""How many are kept for all else than connections: results, log, pipes, libraries."""


def most_connections() -> int:
    """How many connections there may be, once as many files as the system lets this process
    have may be open."""
    import resource  # noqa: PLC0415  Windows has none

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems have a lower limit of their own than the one that they tell.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(0, soft - SPARE)
