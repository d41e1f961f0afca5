"""The points of the check."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bridge_arena.conformance.exam import Exam

Check = Callable[[Exam], Awaitable[str]]
"""Tries a point, and returns a remark on it, which is usually empty. It raises NotHeldError,
UnsupportedError and NotPossibleError."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the check.

    Attributes:
        id: Its name.
        title: What the bot does, in words.
        check: The function that tries it.
        needs: The points that must not have failed for this one to be tried.
        informs: Whether it only informs, and cannot fail.
        goes_on: Whether the next board must be played afterwards.
    """

    id: str
    title: str
    check: Check
    needs: tuple[str, ...] = ()
    informs: bool = False
    goes_on: bool = True
