"""The check for commands that need a POSIX system, to start and signal processes."""

from __future__ import annotations

import os

from bridge_arena.commands.common.errors import UnusableError

_IS_POSIX = os.name == "posix"


def need_posix(command: str) -> None:
    """Check that this is a POSIX system. Raises UnusableError."""
    if not _IS_POSIX:
        raise UnusableError(
            f"{command} needs a POSIX system, as Linux, macOS or the Windows Subsystem for Linux"
        )
