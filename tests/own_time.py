"""How long work takes by itself, whatever else goes on in the process of its test."""

from __future__ import annotations

import gc
from time import thread_time
from typing import Self


class OwnTime:
    """Measures the seconds of a processor that a `with` block takes.

    Other threads do not count, nor does a garbage collection, which looks through all that earlier
    tests of the process have left.
    """

    seconds: float

    def __enter__(self) -> Self:
        gc.disable()
        self._began = thread_time()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = thread_time() - self._began
        gc.enable()
