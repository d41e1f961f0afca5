"""A point of the check."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bridge_arena.conformance.exam import Exam

Check = Callable[[Exam], Awaitable[str]]
"""Tries a point: what there is to say of it, "" as a rule. Raises NotHeldError,
UnsupportedError and NotPossibleError."""


@dataclass(frozen=True, slots=True)
class Point:
    """`needs`: points that must not have failed for this one to tell anything. `informs`: it
    only says something. `goes_on`: afterwards the next board must be played as well."""

    id: str
    title: str
    check: Check
    needs: tuple[str, ...] = ()
    informs: bool = False
    goes_on: bool = True
