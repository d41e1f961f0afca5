"""Measure how late many spectators of a table see what happens, and what they cost the play.

    python -m benchmarks.spectators [--spectators 5000] [--pace 0.05] [--boards 4] [--repeat 3]

A process with one processor to itself plays boards, whose players answer after `--pace` seconds,
and serves the table's page as `--web` does. Another process has `--spectators` connections to the
stream of that table, and records when each change arrives. The same boards are played without
spectators before. The report has the seconds from the table's event to the spectator's, and how
much longer the play took; then the same at full speed, where players answer at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import select
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.figures import table as markdown
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import CARD_TEXTS, CARDS, Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import Thinker
from bridge_arena.protocol.messages import Answer, Thinking, Thought, Welcome, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import most_connections
from bridge_arena.server.driver import play_board
from bridge_arena.server.feed import Feed
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from bridge_arena.tournaments import Entrant, Event, Format, plan
from bridge_arena.web.event_pages import EventPages
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.seat.people import Offers, PeopleSeats

AUCTION = [Call(text) for text in "1C Pass 1H Pass 1NT Pass 3NT Pass Pass Pass".split()]
LOWEST_FIRST = {CARD_TEXTS[card]: (card.rank, card.suit) for card in CARDS}
NUMBER = re.compile(rb'\[(\d+),\{"')
"""The number of a change, in what a stream sends."""


ALL_PROCESSORS = os.sched_getaffinity(0)


class Fixed(Thinker):
    """A bot that bids to 3NT, plays its lowest cards, and sends a line of thought."""

    thoughts: tuple[Thinking, ...] = ()

    def call(self, view: View) -> Call:
        self.thoughts = (Thinking(text="The auction is fixed.", layouts=1),)
        return AUCTION[len(view.calls)]

    def play(self, view: View) -> Card:
        assert view.turn is not None
        return Card(min(view.turn.legal, key=LOWEST_FIRST.__getitem__))

    def claim(self, view: View) -> int | None:
        del view
        return None

    def answer_claim(self, view: View) -> bool:
        del view
        return False


class Paced(LocalPlayer):
    """A player that answers after some seconds."""

    def __init__(self, seat: Seat, pace: float) -> None:
        super().__init__(Viewer(seat), Fixed())
        self._pace = pace

    async def act(self, turn: YourTurn) -> Answer | Thought:
        await asyncio.sleep(self._pace)
        return await super().act(turn)


# The process that plays and serves.


async def play(boards: int, pace: float) -> None:
    """Print the table's address, play when told, and print the times of changes and the seconds."""
    entries = (Entrant(bot="natural", name="home"), Entrant(bot="natural", name="visitors"))
    event = Event(name="Benchmark", format=Format.MATCH, seed=1, entries=entries, boards=boards)
    seats = PeopleSeats(event, "", print)
    arena = LiveArena(event, seats)
    units = [unit for match in plan(event, [])[0].matches for unit in match.units()]
    feed = Feed(Welcome(table="table 1"))
    shown: list[tuple[int, float]] = []
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
        async with EventPages(arena, seats, listener, "", None, Offers()).serving():
            arena.opened([feed])
            channel = arena.rooms[0].channel
            tell = channel.change

            def note(change: Any) -> None:
                tell(change)
                shown.append((channel.number, time.monotonic()))

            channel.change = note  # type: ignore[method-assign]
            print(listener.getsockname()[1], flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            began, cpu = time.monotonic(), time.process_time()
            for unit in units[::2]:
                board = Board.dealt(1, unit.board)
                feed.begin(unit.board)
                arena.begun(0, unit, board)
                table = Table("table 1", board, (1, 2, 3, 4), TimeControl(60.0))
                players = {seat: Paced(seat, pace) for seat in SEATS}
                await play_board(table, players, kibitzers=[feed])
                arena.ended(unit, replace(table.record(("", "", "", "")), room=unit.room))
            seconds, spent = time.monotonic() - began, time.process_time() - cpu
            watching = channel.watching
            await asyncio.sleep(1.0)  # what is on its way
    print(
        json.dumps({"shown": shown, "seconds": seconds, "cpu": spent, "watching": watching}),
        flush=True,
    )


# The process of the spectators.


@dataclass(frozen=True)
class Run:
    """The result of one run; `delays` has the seconds of every change at every spectator."""

    seconds: float
    cpu: float
    delays: list[float]
    missing: int


def run(spectators: int, boards: int, pace: float) -> Run:
    """Play boards before a number of spectators."""
    command = [sys.executable, "-m", "benchmarks.spectators", "--boards", str(boards)]
    # The crowd is no part of what is measured, and takes another processor.
    first, *others = sorted(ALL_PROCESSORS)
    os.sched_setaffinity(0, {first})
    with subprocess.Popen(
        [*command, "--pace", str(pace), "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        os.sched_setaffinity(0, others or {first})
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline())
            crowd = Crowd(port, spectators)
            server.stdin.write("go\n")
            server.stdin.flush()
            crowd.watch(server.stdout.fileno())
            report = json.loads(server.stdout.readline())
        finally:
            server.kill()
    assert report["watching"] == spectators, f"{report['watching']} of {spectators} still watch"
    shown = dict(map(tuple, report["shown"]))
    delays, missing = crowd.delays(shown)
    return Run(report["seconds"], report["cpu"], delays, missing)


class Crowd:
    """Connections to the stream of table 1, which record when data arrives."""

    def __init__(self, port: int, count: int) -> None:
        self._poll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._heard: dict[int, list[tuple[float, bytes]]] = {}
        request = f"GET /tables/1/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.sendall(request)
            while b"data: " not in connection.recv(1 << 16):
                pass
            connection.settimeout(0)
            number = connection.fileno()
            self._sockets[number] = connection
            self._heard[number] = []
            self._poll.register(number, select.EPOLLIN)

    def watch(self, until: int) -> None:
        """Record what arrives until a file can be read."""
        self._poll.register(until, select.EPOLLIN)
        while True:
            for number, _ in self._poll.poll():
                if number == until:
                    return
                data = self._sockets[number].recv(1 << 18)
                self._heard[number].append((time.monotonic(), data))
                if not data:
                    self._poll.unregister(number)

    def delays(self, shown: dict[int, float]) -> tuple[list[float], int]:
        """Return the delay of each change, and the number of changes that never came."""
        delays: list[float] = []
        for heard in self._heard.values():
            for at, data in heard:
                delays += [
                    at - shown[number]
                    for number in map(int, NUMBER.findall(data))
                    if number in shown
                ]
        for stream in self._sockets.values():
            stream.close()
        # A change that another board made superfluous is sent to nobody.
        sent = {
            number
            for heard in self._heard.values()
            for _, data in heard
            for number in map(int, NUMBER.findall(data))
        }
        return delays, len(self._sockets) * len(sent & shown.keys()) - len(delays)


def figures(spectators: int, boards: int, pace: float, repeat: int) -> list[str]:
    """Return a row of the table, from runs alone and with the crowd in turn."""
    alone: list[Run] = []
    crowded: list[Run] = []
    for _ in range(repeat):
        alone.append(run(0, boards, pace))
        crowded.append(run(spectators, boards, pace))
    delays = sorted(delay for run in crowded for delay in run.delays)
    in_time = sum(delay <= 0.25 for delay in delays) / len(delays)
    slower = [
        with_.seconds / without.seconds for with_, without in zip(crowded, alone, strict=True)
    ]
    cpu = sum(run.cpu for run in crowded) / sum(run.seconds for run in crowded)
    return [
        f"{spectators:,}",
        f"{1000 * pace:g} ms",
        f"{len(delays):,}",
        f"{100 * in_time:.2f} %",
        *(f"{1000 * delays[int(share * (len(delays) - 1))]:.0f}" for share in (0.5, 0.99, 1.0)),
        f"{min(slower):.3f} to {max(slower):.3f}",
        f"{100 * cpu:.0f} %",
        str(sum(run.missing for run in crowded)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--spectators", type=int, default=5000, help="number of spectators; default: %(default)s"
    )
    parser.add_argument(
        "--pace",
        type=float,
        default=0.05,
        help="seconds that a player takes for an action; default: %(default)s",
    )
    parser.add_argument(
        "--boards", type=int, default=4, help="boards in each measurement; default: %(default)s"
    )
    parser.add_argument(
        "--repeat", type=int, default=3, help="number of measurements; default: %(default)s"
    )
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    most_connections()
    if arguments.serve:
        asyncio.run(play(arguments.boards, arguments.pace))
        return
    heads = [
        *("spectators", "an action", "changes seen", "within 250 ms"),
        *("median, ms", "99 %", "all", "play takes", "processor", "never seen"),
    ]
    row = figures(arguments.spectators, arguments.boards, arguments.pace, arguments.repeat)
    print(markdown(heads, [row]))


if __name__ == "__main__":
    main()
