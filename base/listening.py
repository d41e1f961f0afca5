"""How a server says that it cannot listen."""

from __future__ import annotations

import os
from errno import errorcode


def cannot_listen(place: object, error: OSError) -> str:
    """Return the line that says why nothing can listen on a place.

    Args:
        place: The place: a host and port, or a path.
        error: The error.

    Returns:
        The line.
    """
    # The error's own text may repeat the address, but only it explains a name that is not found.
    is_known = error.errno in errorcode
    reason = os.strerror(error.errno or 0) if is_known else error.strerror or str(error)
    return f"cannot listen on {place}: {reason}"
