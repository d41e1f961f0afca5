"""A bot that may do anything, as a program: `chaos_bot.py SEED`."""

from __future__ import annotations

import os
import random
import sys
import time
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

Wire = dict[str, Any]

RNG = random.Random(f"{sys.argv[1]} {os.getpid()}")


def answer(turn: Wire) -> Wire:
    stamp = {key: turn[key] for key in ("table", "board", "seq")}
    if turn.get("claim"):
        return {"type": "AnswerClaim", **stamp, "accept": RNG.random() < 0.5}
    if "Pass" in turn["legal"]:
        return {"type": "MakeCall", **stamp, "call": RNG.choice(turn["legal"])}
    return {"type": "PlayCard", **stamp, "card": RNG.choice(turn["legal"])}


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def misbehave(connection: ClientConnection, good: Wire) -> None:  # noqa: PLR0912, PLR0915
    packed = msgpack.packb([good])
    stamp = {key: good[key] for key in ("table", "board", "seq")}
    match RNG.randrange(23):
        case 0:
            connection.send(RNG.randbytes(RNG.randrange(40)))
        case 1:
            connection.send("\x1b[2J[]")
        case 2:
            connection.send(b"")
        case 3:
            connection.send(bytes(70_000))
        case 4:
            connection.send(b"\x91" * 900 + b"\x01")
        case 5:
            connection.send(msgpack.packb([{**good, "x": nested(400)}]))
        case 6:
            connection.send(msgpack.packb([{**good, "seq": 2**63}]))
        case 7:
            connection.send(msgpack.packb([{**good, "seq": float("nan")}]))
        case 8:
            connection.send(msgpack.packb([{**good, b"\xff": {1: msgpack.Timestamp(1)}}]))
        case 9:
            connection.send(msgpack.packb([{**good, "explanation": {"hcp": [40, 2]}}]))
        case 10:
            connection.send(msgpack.packb([{"type": "Leave", "reason": "\x1b[31mno"}]))
        case 11:
            connection.send(msgpack.packb([{"type": "Hello", "name": "again"}]))
        case 12:
            connection.send(msgpack.packb([{"type": "Claim", **stamp, "tricks": 13}]))
        case 13:
            connection.send(msgpack.packb([{"type": "Explain", **stamp, "call": 0}]))
        case 14:
            connection.send(msgpack.packb([{"type": "AnswerClaim", **stamp, "accept": True}]))
        case 15:
            connection.send(msgpack.packb([{"type": "MakeCall", **stamp, "call": "7NT"}]))
        case 16:
            connection.send(msgpack.packb([good] * 50))
        case 17:
            for _ in range(300):
                connection.send(packed)
        case 18:
            connection.close(RNG.choice([1000, 1011, 4000]), "x" * 100)
        case 19:
            connection.socket.close()
        case 20:
            thought = {"type": "Thought", **stamp, "text": "hm", "candidates": {"SA": 1.0}}
            connection.send(msgpack.packb([thought] * RNG.randrange(8)))
            connection.send(msgpack.packb([{**thought, "candidates": {"SA": "<b>"}}]))
        case 21:
            print("\x1b[2J\x00" + "x" * 10_000, flush=True)
            os._exit(RNG.randrange(3))
        case _:
            time.sleep(0.8)
            connection.send(packed)


def converse(connection: ClientConnection) -> bool:
    connection.send(msgpack.packb([{"type": "Hello", "version": 1, "name": "\x1b[2Jchaos"}]))
    while isinstance(frame := connection.recv(), bytes):
        turn: Wire | None = None
        for message in msgpack.unpackb(frame):
            if message["type"] == "Goodbye":
                return True
            if message["type"] == "YourTurn":
                turn = message
        if turn is not None and RNG.random() < 0.01:
            misbehave(connection, answer(turn))
        elif turn is not None:
            connection.send(msgpack.packb([answer(turn)]))
    return False


while True:
    try:
        with connect(
            os.environ["ARENA_URL"],
            additional_headers={"Authorization": f"Bearer {os.environ['ARENA_TOKEN']}"},
            subprotocols=[Subprotocol("bridge-arena.v1")],
            compression=None,
            ping_interval=None,
            close_timeout=0.2,
        ) as server:
            if converse(server):
                break
    except (ConnectionClosed, OSError):
        time.sleep(0.02)
