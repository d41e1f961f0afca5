"""Auctions as they are written in the checks."""

from __future__ import annotations

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import MadeCall


def calls(text: str) -> tuple[MadeCall, ...]:
    """Calls divided by blanks; P is Pass."""
    return tuple(MadeCall(Call("Pass" if word == "P" else word)) for word in text.split())
