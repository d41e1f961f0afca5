"""The number of files, and thus connections, that this process may have open at once."""

from __future__ import annotations

from contextlib import suppress

SPARE = 64
"""The number of files for everything but connections: results, log, pipes, libraries."""


def most_connections() -> int:
    """Raise the limit of open files as far as allowed, and return how many connections fit."""
    import resource  # noqa: PLC0415  Windows has none

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems have a lower limit than the one that they report.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(0, soft - SPARE)
