"""The completion of the names of shipped bots."""

from __future__ import annotations

from bridge_arena.bots.registry import SHIPPED


def bot_names(incomplete: str) -> list[str]:
    """Return the shipped bots whose names begin as a word does that a shell completes."""
    return [name for name in SHIPPED if name.startswith(incomplete)]
