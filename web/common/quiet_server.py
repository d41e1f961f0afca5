"""uvicorn as the arena runs it: beside other work, which handles the signals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


class QuietServer(uvicorn.Server):
    """A server that leaves signals to the code that started it."""

    def stop(self) -> None:
        """Stop answering requests."""
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield
