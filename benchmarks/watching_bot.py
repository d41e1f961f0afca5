"""Run a bot of the SDK that keeps every frame that it gets.

    python -m benchmarks.watching_bot --through PORT --seen FOLDER --name NAME [--live]

It connects to its server on this machine through the `benchmarks.bad_network` at `PORT`. Its calls
and cards are random, with passes the likeliest, and as declarer it claims at times. Each process
has a file in `FOLDER`, a msgpack stream: the number of a table's thread with a frame, or with
nothing when it connects.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import msgpack

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk import client, tables
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.messages import ServerMessage
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.view import View

PASSING, CLAIMING = 0.6, 0.02
"""How likely it passes at a turn, and claims where it may."""


class Watcher(RandomBot):
    """A bot that plays at random."""

    name = "watcher"

    def call(self, view: View) -> Call:
        return PASS if self.rng.random() < PASSING else super().call(view)

    def claim(self, view: View) -> int | None:
        if self.rng.random() > CLAIMING:
            return None
        return int(self.rng.random() * (14 - len(view.playing.tricks)))

    def answer_claim(self, view: View) -> bool:
        del view
        return self.rng.random() < 0.5


class LiveWatcher(Watcher):
    """The same bot with live events."""

    delivery = Delivery.LIVE


def watched(file: int) -> type[ClientSession]:
    """Return a kind of session that writes what it receives to an open file.

    Each frame is one write, so that a process that is killed leaves no half of it between others.
    """
    numbers = count()

    class Watched(ClientSession):
        def hello(self) -> bytes:
            self._number = next(numbers)
            os.write(file, msgpack.packb([self._number, None]))
            return super().hello()

        def receive(self, data: bytes | str) -> Iterator[ServerMessage]:
            os.write(file, msgpack.packb([self._number, data]))
            return super().receive(data)

    return Watched


def main() -> None:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--through", type=int, required=True, help="port of the network that it connects through"
    )
    parser.add_argument(
        "--seen", type=Path, required=True, help="folder for the frames that it gets"
    )
    parser.add_argument("--name", required=True, help="name of the bot")
    parser.add_argument(
        "--live", action="store_true", help="get events as they happen, not with the next turn"
    )
    options = parser.parse_args()
    seat = os.environ["ARENA_SEAT"]
    path = options.seen / f"{options.name}-{seat}-{os.getpid()}.seen"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    setattr(tables, "ClientSession", watched(file))  # noqa: B010
    server = urlsplit(os.environ["ARENA_URL"]).port
    url = f"ws://127.0.0.1:{options.through}/{server}"
    client.run(LiveWatcher if options.live else Watcher, url=url)


if __name__ == "__main__":
    main()
