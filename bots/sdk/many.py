"""Bots that answer on many boards at once, as the laboratory asks them."""

from __future__ import annotations

from typing import Literal

from bridge_arena.bots.sdk.client import Bot


def answers_many(bot: Bot, what: Literal["call", "play"]) -> bool:
    """Return whether a bot answers on many boards at once, by `call_many` or `play_many`.

    One whose class overrides `call` or `play` alone does not: its parent would answer in its place.

    Args:
        bot: The bot.
        what: What it is asked for.

    Returns:
        Whether it has the method.
    """
    for kind in type(bot).__mro__:
        if kind is Bot or what in vars(kind):
            return f"{what}_many" in vars(kind) and kind is not Bot
        if f"{what}_many" in vars(kind):
            return True
    return False
