"""A bot of its own, without the SDK, as a program: `raw_bot.py [VICE]`.

It answers with the first legal call or card, live, at as many tables as the server has. With
a VICE it does one thing wrong.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

VICE = sys.argv[1] if len(sys.argv) > 1 else ""

Wire = dict[str, Any]


class RawBot:
    """A bot at one table."""

    def __init__(self) -> None:
        self.session = ""
        self.turn: Wire | None = None
        self.calls: list[str] = []
        self.cards = 0
        self.answers = 0

    def hello(self) -> Wire:
        return {
            "type": "Hello",
            "version": 2 if VICE == "version" else 1,
            "name": "raw",
            "delivery": "turn" if VICE == "turn" else "live",
            "seat": "N" if VICE == "seat" else os.environ["ARENA_SEAT"],
            "resume": self.session if VICE != "no-resume" else "",
        }

    def take_in(self, message: Wire) -> None:
        kind = message["type"]
        if VICE in ENDS and ENDS[VICE](self, message):
            sys.exit(f"I cannot take {kind}")
        if kind == "Snapshot":
            for event in [] if VICE == "no-snapshot" else message["events"]:
                self.take_in(event)
        elif kind == "YourTurn":
            self.turn = message
        elif kind == "BoardStart":
            self.calls, self.cards, self.turn = [], 0, None
        elif kind == "CallMade":
            self.calls.append(message["call"])
        elif kind == "CardPlayed":
            self.cards += 1

    def answer(self, turn: Wire) -> Wire:
        """Return the answer to a turn."""
        self.answers += 1
        stamp = {key: turn[key] for key in ("table", "board", "seq")}
        legal = turn["legal"]
        if VICE == "seq":
            stamp["seq"] += 1
        if VICE == "table" and self.answers > 20:
            stamp["table"] = "table 1"
        if turn.get("claim"):
            if VICE == "passes-claims":
                return {"type": "MakeCall", **stamp, "call": "Pass"}
            return {"type": "AnswerClaim", **stamp, "accept": True}
        if "Pass" in legal:
            call = "7NT" if VICE == "overbids" else legal[0]
            if VICE == "redoubles" and "XX" in legal:
                call = "X"
            answer = {"type": "MakeCall", **stamp, "call": call}
            if VICE == "explains":
                answer["explanation"] = {"text": "x" * 501}
            return answer
        card = legal[0]
        if VICE == "revokes" and len(legal) == 1:
            card = next(c for c in ("C2", "C3", "D2", "D3") if c not in legal)
        if VICE == "never-dummy" and turn["seat"] != turn["player"]:
            card = "C2" if "C2" not in legal else "C3"
        return {"type": "PlayCard", **stamp, "card": card}


def _is(kind: str, **fields: Any) -> Callable[[RawBot, Wire], bool]:
    """Return whether a message is of a kind and has these values."""
    return lambda _, message: message["type"] == kind and fields.items() <= message.items()


ENDS: dict[str, Callable[[RawBot, Wire], bool]] = {
    "strict": lambda _, message: "x_text" in message,
    "dies-on-error": _is("Error"),
    "dies-on-timeout": _is("Error", code="timeout"),
    "dies-on-substitute": _is("Error", code="substituted"),
    "no-claims": _is("ClaimMade"),
    "no-dummy": _is("ClaimMade", seat="N"),
    "no-abandoned": lambda _, message: message["type"] == "BoardEnd" and "score" not in message,
    "no-passed": lambda bot, message: message["type"] == "BoardEnd" and bot.calls == 4 * ["Pass"],
    "no-bidding-only": lambda bot, message: (
        message["type"] == "BoardEnd" and "tricks" in message and not bot.cards
    ),
    "no-alerts": lambda _, message: message.get("alert", False),
}
"""The conditions that end a bot with some vices."""


def converse(bot: RawBot, connection: ClientConnection) -> bool:
    """Play until Goodbye; return whether it came."""
    send(connection, bot.hello())
    while isinstance(frame := connection.recv(), bytes):
        messages = msgpack.unpackb(frame)
        if VICE == "one-message" and len(messages) > 8:
            sys.exit("so many messages?")
        for message in messages:
            if message["type"] == "Welcome":
                bot.session = message["session"]
                sit_down_at_the_others(message["tables"])
            elif message["type"] == "Goodbye":
                return True
            else:
                bot.take_in(message)
        if bot.turn is not None:
            turn, bot.turn = bot.turn, None
            act(bot, connection, turn)
    return False


def act(bot: RawBot, connection: ClientConnection, turn: Wire) -> None:
    if VICE == "silent" and bot.answers > 5:
        return
    if VICE == "leaves" and bot.answers > 5:
        send(connection, {"type": "Leave", "reason": "no more"})
        return
    if VICE == "rubbish" and bot.answers > 5:
        connection.send(b"\xc1\x1b[2J")
        return
    if VICE == "text" and bot.answers > 5:
        connection.send("Pass")
        return
    if VICE == "long" and bot.answers > 5:
        connection.send(bytes(100_000))
        return
    answer = bot.answer(turn)
    if VICE == "thinks-aloud":
        stamp = {key: turn[key] for key in ("table", "board", "seq")}
        for _ in range(5):
            send(connection, {"type": "Thought", **stamp, "text": "hm"})
    send(connection, answer)
    if VICE == "floods":
        for _ in range(20):
            send(connection, answer)


def send(connection: ClientConnection, message: Wire) -> None:
    connection.send(msgpack.packb([message]))


def sit() -> None:
    """Play at a table; come back when the connection is lost."""
    bot = RawBot()
    while True:
        try:
            with connect(
                os.environ["ARENA_URL"],
                additional_headers={"Authorization": f"Bearer {os.environ['ARENA_TOKEN']}"},
                subprotocols=[Subprotocol("other" if VICE == "subprotocol" else "bridge-arena.v1")],
                compression=None,
                max_size=65536,
                ping_interval=None,
            ) as connection:
                if converse(bot, connection):
                    return
        except ConnectionClosed:
            pass
        if VICE in {"ends-when-cut", "version", "seat"}:
            sys.exit("the connection was lost")
        if VICE == "hangs-when-cut":
            time.sleep(600)


tables: list[threading.Thread] = []
lock = threading.Lock()


def sit_down_at_the_others(count: int) -> None:
    with lock:
        while len(tables) < (1 if VICE == "one-table" else count):
            open_table()


def open_table() -> None:
    def play() -> None:
        try:
            sit()
        except BaseException as error:
            print(f"raw bot: {error}", file=sys.stderr, flush=True)
            os._exit(4)

    tables.append(threading.Thread(target=play, daemon=True))
    tables[-1].start()


def main() -> None:
    if VICE == "never-comes":
        time.sleep(600)
    if VICE == "exits":
        sys.exit("I do not play")
    with lock:
        open_table()
    at = 0
    while at < len(tables):
        tables[at].join()
        at += 1
    if VICE == "lingers":
        time.sleep(600)
    if VICE == "bad-status":
        sys.exit(3)


main()
