"""Whether the file of a bot is executed for its class alone.

Most files of bots end in `run(MyBot)`, which plays. It does nothing while the file is read.
"""

from __future__ import annotations

from contextvars import ContextVar

READING = ContextVar("reading", default=False)
"""Set while `bots.registry` executes a file for a class of it."""
