"""`python -m bridge_arena.bots.forking`: the process that the programs of bots are forked from.

It has imported what every bot needs, and built the models of the protocol's messages.
"""

from __future__ import annotations

import sys
from contextlib import suppress

import bridge_arena.bots.sdk.tables  # noqa: F401 (every bot plays at tables)
from bridge_arena.base.concurrency import use_one_thread
from bridge_arena.base.warm_process import forked
from bridge_arena.bots.__main__ import main as play
from bridge_arena.protocol.codec import build


def main() -> None:
    """Fork programs until the arena ends; in each of them, run the bot that it names."""
    build()
    name_process("forking")
    use_one_thread()
    words = forked()
    if words is None:
        return
    sys.argv[1:] = words
    name_process(*words)
    play()


def name_process(*words: str) -> None:
    """Have the list of processes show what this one does, where that can be set.

    The first call must come while the environment is still where the process found it.
    """
    with suppress(ModuleNotFoundError):
        from setproctitle import setproctitle  # noqa: PLC0415

        setproctitle(" ".join(("arena bot:", *words)))


if __name__ == "__main__":
    main()
