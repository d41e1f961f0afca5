"""Solvers that stop where a test wants it: no signal comes too early or too late."""

from __future__ import annotations

from pathlib import Path

from tests.data import ROOT

STOPPING = """
import pickle
import sys
from itertools import count
from threading import Event

if "bridge_arena.oracle.worker" in sys.orig_argv:
    loads, numbers = pickle.loads, count()

    def taken(request):
        if next(numbers) == {tasks}:
            Event().wait()  # the process ends with its parent
        return loads(request)

    pickle.loads = taken
"""
"""Is imported by each Python process of the command, and changes those of the solver."""


def stopping_after(tasks: int, folder: Path) -> dict[str, str]:
    """Return the environment of a command whose workers each do so many tasks and then none.

    Args:
        tasks: The number of tasks that each process of `oracle.worker` does.
        folder: A folder for what makes them stop.

    Returns:
        The variables.
    """
    place = folder / "stopping"  # apart from the working folder, where other commands would find it
    place.mkdir()
    (place / "sitecustomize.py").write_text(STOPPING.format(tasks=tasks))
    return {"PYTHONPATH": f"{place}:{ROOT}"}
