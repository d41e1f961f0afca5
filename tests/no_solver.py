"""A machine without a double-dummy solver."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.oracle import dds
from bridge_arena.oracle.errors import SolverError

MISSING = "the double-dummy solver is missing"

_HIDING = """
from ctypes import util as libraries
from importlib import util

find_spec, find_library = util.find_spec, libraries.find_library
util.find_spec = lambda name, *rest: None if name == "endplay" else find_spec(name, *rest)
libraries.find_library = lambda name: None if name == "dds" else find_library(name)
"""


def hide_solver(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Hide the solver from this process, and from the workers that it starts.

    Args:
        monkeypatch: Undoes it.
        folder: An empty folder for the file that hides it from workers.
    """
    (folder / "sitecustomize.py").write_text(_HIDING, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)

    def found() -> tuple[str, str]:
        raise SolverError(f"{MISSING}: nothing here")

    monkeypatch.setattr(dds, "_library", found)
