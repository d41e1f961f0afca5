"""The completion of the names of shipped bots."""

from __future__ import annotations


def bot_names(incomplete: str) -> list[str]:
    """Return the shipped bots whose names begin as a word does that a shell completes."""
    from bridge_arena.bots.registry import SHIPPED

    return [name for name in SHIPPED if name.startswith(incomplete)]
