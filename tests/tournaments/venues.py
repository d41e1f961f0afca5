"""Venues without bots, for tests of what is played there."""

from __future__ import annotations

from collections.abc import Container, Iterable
from types import TracebackType

from bridge_arena.tournaments.schedule.units import Unit


class FakeVenue:
    """A venue where nobody sits down; subclasses say how units are played."""

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    async def seat(self, units: Iterable[Unit]) -> None:
        pass

    def show(self, finished: Container[int]) -> None:
        pass
