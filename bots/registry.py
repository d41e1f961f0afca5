"""The bots that ship, by name.

A bot is written `name` or `name:option=value,option=value`; its options are the
keyword parameters of its class.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from importlib import import_module

from bots.client import Bot


class UnknownBotError(ValueError):
    """No bot of that name ships, or it has no such option."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A bot that ships: where its class is, and what to know of it. A `cheat` must be
    shown the whole deal."""

    name: str
    path: str
    does: str
    strength: str
    cost: str
    cheat: bool = False

    def load(self) -> type[Bot]:
        module, _, name = self.path.partition(":")
        kind: type[Bot] = getattr(import_module(module), name)
        return kind


SHIPPED = {
    bot.name: bot
    for bot in (
        Shipped(
            "random",
            "bots.random.bot:RandomBot",
            "every legal action equally likely",
            "none: the floor under every ranking",
            "nothing",
        ),
        Shipped(
            "baseline",
            "bots.baseline.bot:BaselineBot",
            "simple natural bidding; takes a trick when it can, else plays low",
            "a beginner's",
            "under a millisecond an action",
        ),
        Shipped(
            "oracle",
            "bots.oracle.bot:OracleBot",
            "sees all four hands: plays double dummy, bids as baseline does",
            "perfect play: a yardstick, not a competitor",
            "0.1 s a board",
            cheat=True,
        ),
    )
}


def parse(spec: str) -> tuple[Shipped, Callable[[], Bot]]:
    """The shipped bot that `spec` names, and what makes one with its options.

    Raises UnknownBotError.
    """
    name, _, text = spec.partition(":")
    shipped = SHIPPED.get(name)
    if shipped is None:
        alike = get_close_matches(name, SHIPPED, n=1)
        hint = f", did you mean {alike[0]}?" if alike else ""
        raise UnknownBotError(f"unknown bot {name!r}{hint} (shipped: {', '.join(SHIPPED)})")
    if not text:
        return shipped, shipped.load()
    kind = shipped.load()
    known = set(inspect.signature(kind).parameters)
    options: dict[str, str] = {}
    for item in text.split(","):
        option, equals, value = item.partition("=")
        if not equals or option not in known:
            takes = f"takes {', '.join(sorted(known))}" if known else "takes no options"
            raise UnknownBotError(f"bot {name!r} {takes}, not {item!r}")
        options[option] = value
    return shipped, partial(kind, **options)
