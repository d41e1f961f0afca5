"""Options that several commands share."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

Seed = Annotated[int | None, typer.Option(help="the boards' seed; a random one if none")]


def seed_or_random(seed: int | None) -> int:
    """The seed given, or one that nobody could foresee."""
    return secrets.randbelow(2**31) if seed is None else seed
