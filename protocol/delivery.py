"""The time at which events reach a bot, as it chooses in `Hello`."""

from __future__ import annotations

from enum import StrEnum


class Delivery(StrEnum):
    """The time at which events reach a bot."""

    LIVE = "live"  # as they happen
    TURN = "turn"  # together with the bot's next turn: fewer frames, faster tables
