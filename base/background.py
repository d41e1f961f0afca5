"""Processes in the background, which give way to others.

Linux shares processors among sessions first, and then among the processes of a session: a process
in the background has a session of its own.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

BACKGROUND = 10
"""How nice a process in the background is. Where others use all processors it gets about a tenth of
what one of them gets: whoever waits for its answer does not wait for ever."""

_TRY_SECONDS = 0.1
"""Linux weighs ten sessions a second."""


def give_way() -> None:
    """Have this process and its session give way to others."""
    os.nice(BACKGROUND)
    while not weigh_session(os.getpid(), BACKGROUND):
        time.sleep(_TRY_SECONDS)


def weigh_session(process: int, nice: int) -> bool:
    """Weigh a process's session among all others; False if the system was asked too often."""
    try:
        Path(f"/proc/{process}/autogroup").write_text(str(nice))
    except BlockingIOError:
        return False
    except OSError:
        pass  # sessions are nothing to this system
    return True
