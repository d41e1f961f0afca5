"""Sandboxes for tests, on machines that have them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bridge_arena.server.sandbox.sandbox import Sandbox, SandboxError
from bridge_arena.tournaments.play.seating.started_bots import sandbox


@contextmanager
def open_sandbox(hidden: Iterable[Path] = ()) -> Iterator[Sandbox]:
    """One in which nobody answers. Raises SandboxError."""
    with sandbox(hidden) as box:
        yield box


def _why_none() -> str:
    """Why this machine has none; "" where it has."""
    try:
        with open_sandbox() as box:
            asyncio.run(box.check())
    except SandboxError as error:
        return str(error)
    return ""


_WHY_NONE = _why_none()

needs_sandbox = pytest.mark.skipif(bool(_WHY_NONE), reason=_WHY_NONE)
"""The mark of tests that run programs in sandboxes."""
