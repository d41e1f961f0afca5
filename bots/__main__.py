"""`python -m bridge_arena.bots NAME|FILE.py:CLASS`: run a bot as a program, as the arena does."""

from __future__ import annotations

import sys

from bridge_arena.base.concurrency import use_one_thread
from bridge_arena.bots.registry import UnknownBotError, parse, starting
from bridge_arena.bots.sdk.client import run


def main() -> None:
    """Run the bot that the command line names. It computes in one thread, as many play at once."""
    use_one_thread()
    try:
        shipped, make_bot = parse(" ".join(sys.argv[1:]))
    except UnknownBotError as error:
        sys.exit(str(error))
    run(starting(shipped, make_bot))


if __name__ == "__main__":
    main()
