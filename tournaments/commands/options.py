"""Options that several commands share."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

Seed = Annotated[int | None, typer.Option(help="the boards' seed; a random one if none")]


def seed_or_random(seed: int | None) -> int:
    """The seed given, or one too large to be found by trying, which would give away the deals."""
    return secrets.randbits(64) if seed is None else seed
