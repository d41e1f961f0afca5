"""Auctions in the notation of the checks."""

from __future__ import annotations

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import MadeCall


def calls(text: str) -> tuple[MadeCall, ...]:
    """Return the calls of a text, divided by spaces; P is Pass."""
    return tuple(MadeCall(Call("Pass" if word == "P" else word)) for word in text.split())
