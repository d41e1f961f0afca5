"""Replays: a bot takes a seat in recorded boards."""

from __future__ import annotations

from enum import StrEnum


class Start(StrEnum):
    """Where the bot takes over: at the first call, or at the opening lead."""

    AUCTION = "auction"
    PLAY = "play"
