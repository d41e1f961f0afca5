"""Measure the speed of tables against bare websocket round trips in the same run.

    python -m benchmarks.table_throughput [--boards 400] [--repeat 3]

Four bots, each in its own process, answer at once: a fixed auction of ten calls, then the lowest
legal card, 62 actions a board. The reference is a ping-pong of msgpack frames of similar size
between two processes over one websocket. The figure to quote is the ratio of actions per second to
bare round trips per second.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Sequence

import msgpack
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from bridge_arena.bots.sdk.client import Bot, run
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import CARD_TEXTS, CARDS, Card
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.session import ClientSession, ServerSession
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer, visible
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.seating import Seating
from bridge_arena.server.supervisor import Supervisor
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import WebsocketPlayer

AUCTION = [Call(text) for text in "1C Pass 1H Pass 1NT Pass 3NT Pass Pass Pass".split()]
ACTIONS = len(AUCTION) + 52
LOWEST_FIRST = {CARD_TEXTS[card]: (card.rank, card.suit) for card in CARDS}
CONTROL = TimeControl(10)
TABLE_COUNTS = (1, 16)


class Instant(Bot):
    """A bot that answers at once."""

    def call(self, view: View) -> Call:
        return AUCTION[len(view.calls)]

    def play(self, view: View) -> Card:
        assert view.turn is not None
        return Card(min(view.turn.legal, key=LOWEST_FIRST.__getitem__))


class LiveInstant(Instant):
    """The same bot with live events."""

    delivery = Delivery.LIVE


def new_table(name: str, number: int) -> Table:
    north, east, south, west = (seat_seed(1, number, seat) for seat in SEATS)
    return Table(name, Board.dealt(1, number), (north, east, south, west), CONTROL)


def place(seat: Seat, index: int, tables: int) -> WebsocketPlayer:
    welcome = Welcome(table=f"t{index}", seat=seat, tables=tables, action_seconds=CONTROL.action)
    return WebsocketPlayer(Viewer(seat), welcome)


async def measure_tables(tables: int, boards: int, client: str) -> float:
    """Return the actions per second with `tables` tables at once, over `boards` boards in all."""
    places = {seat: [place(seat, index, tables) for index in range(tables)] for seat in SEATS}
    seatings = {str(seat): Seating(places[seat]) for seat in SEATS}
    async with Gateway(seatings.get) as gateway, Supervisor() as supervisor:
        for token in seatings:
            environment = {"ARENA_URL": gateway.url, "ARENA_TOKEN": token}
            command = [sys.executable, "-m", "benchmarks.table_throughput", "--client", client]
            await supervisor.start(token, command, environment)
        for seat in SEATS:
            for player in places[seat]:
                await player.seated
        players = [{seat: places[seat][index] for seat in SEATS} for index in range(tables)]
        at_table = boards // tables

        async def play(index: int) -> None:
            for number in range(1, at_table + 1):
                await play_board(new_table(f"t{index}", number), players[index])

        started = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for index in range(tables):
                group.create_task(play(index))
        return at_table * tables * ACTIONS / (time.perf_counter() - started)


def frame_sizes() -> tuple[int, int]:
    """Return the mean bytes of the frames of a board: up (actions) and down (to the bot)."""
    table, bot = new_table("t0", 1), Instant()
    ends = {}
    for seat in SEATS:
        session = ServerSession()
        client = ClientSession("Instant", delivery=Delivery.TURN)
        session.receive(client.hello())
        session.welcome(Welcome(table="t0", seat=seat, action_seconds=CONTROL.action))
        list(client.receive(session.data_to_send() or b""))
        ends[seat] = (session, client)
    ups: list[int] = []
    downs: list[int] = []
    events = table.start(0.0)
    while (turn := table.turn) is not None:
        for event in events:
            for seat, (session, _) in ends.items():
                outgoing = visible(event, Viewer(seat))
                if outgoing is not None:
                    session.send(outgoing.encoded, urgent=outgoing.urgent)
        session, client = ends[turn.player]
        data = session.data_to_send() or b""
        downs.append(len(data))
        list(client.receive(data))
        view = client.view
        assert view is not None
        answer = client.answer(turn, bot.play(view) if view.play else bot.call(view))
        ups.append(len(answer))
        events = table.act(turn.player, session.receive(answer)[0], 0.0)  # type: ignore[arg-type]
    return round(statistics.mean(ups)), round(statistics.mean(downs))


def padded(size: int) -> list[dict[str, str]]:
    """Return a message of about `size` bytes when packed."""
    return [{"type": "x" * max(0, size - 8)}]


def _binary(data: bytes | str) -> bytes:
    assert isinstance(data, bytes)
    return data


async def echo_server(down: int) -> None:
    answer = padded(down)

    async def echo(connection: ServerConnection) -> None:
        async for data in connection:
            msgpack.unpackb(_binary(data))
            await connection.send(msgpack.packb(answer))

    async with serve(echo, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await server.wait_closed()


async def measure_round_trips(up: int, down: int, count: int) -> float:
    """Return the bare round trips per second over one connection between two processes."""
    command = ["-m", "benchmarks.table_throughput", "--echo", str(down)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    port = int(await process.stdout.readline())
    question = padded(up)
    try:
        url = f"ws://127.0.0.1:{port}"
        async with connect(url, compression=None, proxy=None, ping_interval=None) as connection:
            started = time.perf_counter()
            for _ in range(count):
                await connection.send(msgpack.packb(question))
                msgpack.unpackb(_binary(await connection.recv()))
            return count / (time.perf_counter() - started)
    finally:
        process.kill()
        await process.wait()


async def main(boards: int, repeat: int) -> None:
    up, down = frame_sizes()
    print(f"frames: {up} bytes up, {down} bytes down (means over one board)")
    for delivery, client in (("turn", "Instant"), ("live", "LiveInstant")):
        for tables in TABLE_COUNTS:
            rates: list[float] = []
            ratios: list[float] = []
            for _ in range(repeat):
                # Before and after it, as the load by other programs changes by the second.
                before = await measure_round_trips(up, down, 3000)
                rates.append(await measure_tables(tables, boards, client))
                after = await measure_round_trips(up, down, 3000)
                ratios.append(rates[-1] / ((before + after) / 2))
            rate = statistics.median(rates)
            print(
                f"delivery {delivery}, {tables:2} tables: {rate / ACTIONS:6.1f} boards/s, "
                f"{rate:7.0f} actions/s, ratio to bare round trips "
                f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
                flush=True,
            )


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--boards", type=int, default=400, help="boards in each measurement; default: %(default)s"
    )
    parser.add_argument(
        "--repeat",
        type=int,
        default=3,
        help="measurements, whose median is shown; default: %(default)s",
    )
    parser.add_argument("--client", choices=["Instant", "LiveInstant"], help=argparse.SUPPRESS)
    parser.add_argument("--echo", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse()
    if options.client:
        run(Instant if options.client == "Instant" else LiveInstant)
    elif options.echo is not None:
        asyncio.run(echo_server(options.echo))
    else:
        asyncio.run(main(options.boards, options.repeat))
