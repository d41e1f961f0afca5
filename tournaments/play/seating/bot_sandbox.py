"""The sandbox of the bots that are started here."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import bridge_arena
from bridge_arena import base, bots, bridge, oracle, pbn, protocol
from bridge_arena.oracle.table_store import shared_store
from bridge_arena.server.sandbox.sandbox import Sandbox

SECRETS = (
    *("*.key.json", "*.tokens.json"),
    *("runs", "*results.sqlite*", "log.jsonl", "match.pbn", "event.pbn"),
    *("*board-*.html", "*board-*.js"),  # replays
)
"""Files that other events may have left in the folder of a bot: their keys, tokens and results."""


def sandbox(hidden: Iterable[Path]) -> Sandbox:
    """Return a sandbox with what the bots that ship, and others that use the SDK, need.

    They never see the store of double-dummy answers: it has hands of boards that are being played.

    Args:
        hidden: Paths that no bot may see, even in the bot's own folder.

    Returns:
        The sandbox.
    """
    rooms = [Path(*room.__path__) for room in (base, bots, bridge, oracle, pbn, protocol)]
    shown = [Path(sys.prefix), Path(sys.base_prefix), Path(bridge_arena.__file__), *rooms]
    return Sandbox(shown, [*hidden, *shared_store().files], SECRETS)
