"""The lines that the SDK prints for the user: its log, on standard error."""

from __future__ import annotations

import logging
import os

from bridge_arena.base.one_line import one_line

LOG_LEVEL = "ARENA_LOG"
"""The environment variable with the least level of the lines that are shown."""

LEVELS = ("debug", "info", "warning", "error")


class LogLevelError(ValueError):
    """The environment asks for a level that does not exist; the message is one line."""


def show_log() -> None:
    """Show the SDK's log on standard error, unless the program has set up logging itself.

    Raises:
        LogLevelError: ARENA_LOG is not a level.
    """
    level = os.environ.get(LOG_LEVEL, "info")
    if level.lower() not in LEVELS:
        expected = f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}"
        raise LogLevelError(f"{LOG_LEVEL} is {level!r}, expected {expected}")
    # The logger above those of the modules.
    log = logging.getLogger(__package__)
    if log.hasHandlers():
        return
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    log.addHandler(handler)
    log.setLevel(level.upper())


class _OneLine(logging.Formatter):
    """A formatter for messages that contain texts of a server, which may be anybody's."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message as one line."""
        return one_line(super().format(record))
