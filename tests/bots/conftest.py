"""A solver that stops answering."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Lock
from types import ModuleType
from typing import Any, Protocol

import pytest

from tests.patience import PATIENCE


class Stick(Protocol):
    """Make the solver that a module uses, a function of positions, stick after some answers."""

    def __call__(self, module: ModuleType, solver: str, answers: int = 0) -> None: ...


@pytest.fixture
def stick(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stick]:
    """Makes a solver stick until the test is over."""
    release = Event()

    def made(module: ModuleType, solver: str, answers: int = 0) -> None:
        solve = getattr(module, solver)
        tickets, lock = iter(range(answers)), Lock()

        def sticking(position: object) -> Any:
            with lock:
                ticket = next(tickets, None)
            if ticket is None:
                release.wait(PATIENCE)
            return solve(position)

        monkeypatch.setattr(module, solver, sticking)

    yield made
    release.set()
