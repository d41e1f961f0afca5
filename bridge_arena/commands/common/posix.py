"""What starts and signals processes as only POSIX systems do."""

from __future__ import annotations

import os

from bridge_arena.commands.common.errors import UnusableError

_IS_POSIX = os.name == "posix"


def need_posix(command: str) -> None:
    """Raises UnusableError on any other system."""
    if not _IS_POSIX:
        raise UnusableError(
            f"{command} needs a POSIX system, as Linux, macOS or the Windows Subsystem for Linux"
        )
