"""Tell on standard error how far a benchmark has come."""

from __future__ import annotations

import sys


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
