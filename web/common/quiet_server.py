"""uvicorn as the arena runs it: beside other work, which hears the signals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


class QuietServer(uvicorn.Server):
    """Leaves signals to whoever started it."""

    def stop(self) -> None:
        """Answer nobody any more."""
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield
