"""A robot written from the document of the interface alone, which can misbehave as real ones do.

It reads requests in its own way, and has a shipped bot decide.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bridge_arena.bots.library.bidding_systems import BiddingBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
)
from bridge_arena.protocol.view import View


class Steady(BiddingBot):
    """Bids natural and plays low: the same at every turn, whatever was before it."""

    name = "steady"

    def __init__(self) -> None:
        super().__init__("natural")

    def play(self, view: View) -> Card:
        return min(view.legal_cards(), key=lambda card: (card.rank, card.suit))


Parameters = dict[str, str]
Misdeed = Callable[["Handler"], None]
"""The misbehaviours of a robot in place of an answer."""


@dataclass
class StandIn:
    """A robot that listens: `misdeeds` are done first, one for each request."""

    bot: Bot = field(default_factory=Steady)
    misdeeds: deque[Misdeed] = field(default_factory=deque)
    # Paths and parameters as they came, and the headers of the last request.
    asked: list[tuple[str, Parameters]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    port: int = 0
    tls: ssl.SSLContext | None = None
    # Set when the stand-in is over, so that what hangs does not.
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def listening(self) -> Iterator[StandIn]:
        """Answers requests in the context, on the same port each time."""
        self.over.clear()
        handler = type("StandInHandler", (Handler,), {"robot": self})
        server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.port = server.server_address[1]
        if self.tls is not None:
            server.socket = self.tls.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            server.shutdown()
            thread.join()
            server.server_close()


class Handler(BaseHTTPRequestHandler):
    """One request; `robot` is set in a subclass."""

    robot: StandIn

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = parse_qs(address.query, keep_blank_values=True, strict_parsing=True)
        parameters = {name: values[0] for name, values in query.items()}
        assert all(len(values) == 1 for values in query.values())
        self.robot.asked.append((address.path, parameters))
        self.robot.headers = {name.lower(): value for name, value in self.headers.items()}
        if self.robot.misdeeds:
            self.robot.misdeeds.popleft()(self)
        else:
            self.tell(decide(self.robot.bot, address.path, parameters))

    def tell(self, answer: object, status: int = 200, **headers: str) -> None:
        self.send(json.dumps(answer).encode(), status, **headers)

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        with suppress(ssl.SSLError):  # nobody who trusts it
            super().handle()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def decide(bot: Bot, path: str, asked: Parameters) -> dict[str, Any]:
    """The answer to a request, by the document."""
    about: dict[str, Any] = {"table": "", "board": 1, "seq": 1}
    dealer, seat = Seat.parse(asked["dealer"]), Seat.parse(asked["seat"])
    vulnerable = {"": "None", "Both": "All"}.get(asked["vul"], asked["vul"])
    start = BoardStart(
        dealer=dealer,
        vulnerability=Vulnerability(vulnerable),
        hand=Hand.parse(asked["hand"].replace("_", ".")),
        seed=0,
        **about,
    )
    view = View(seat, start)
    words = {"P": "Pass", "Db": "X", "Rd": "XX"}
    ctx = asked["ctx"].replace("--", "P")
    for number, word in enumerate(ctx.split("-") if ctx else []):
        text = words.get(word, f"{word}T" if word.endswith("N") else word)
        view.apply(CallMade(seat=SEATS[(dealer + number) % 4], call=Call(text), **about))
    if path == "/bid":
        made = bot.call(view)
        call = made.call if isinstance(made, MadeCall) else made
        return {
            "bid": "PASS" if str(call) == "Pass" else str(call).replace("NT", "N"),
            "explanation": str(made.explanation) if isinstance(made, MadeCall) else "",
            "alert": "True" if str(call) == "2C" else "False",
            "who": "stand-in",
            "candidates": [{"call": str(call).replace("NT", "N"), "insta_score": 0.5}],
            "samples": ["one", "two"],
        }
    contract = view.contract
    assert contract is not None
    if path == "/play" and contract.declarer.partner == seat:
        return {"message": "Called as dummy or with wrong dealer / seat"}
    view.apply(AuctionEnd(contract=str(contract), declarer=contract.declarer, **about))
    played = asked.get("played", "")
    for start_of in range(0, len(played), 2):
        card = Card(played[start_of : start_of + 2])
        view.apply(CardPlayed(seat=view.playing.turn, card=card, **about))
        if start_of == 0:
            dummy = Hand.parse(asked["dummy"])
            view.apply(DummyShown(seat=view.playing.dummy, hand=dummy, **about))
    return {"card": str(bot.play(view)), "who": "stand-in"}


# Misdeeds.


def too_many(handler: Handler) -> None:
    handler.tell({"error": "ratelimit exceeded", "limit": "100 per 1 minute"}, 429, Retry_After="1")


def refusing(handler: Handler) -> None:
    handler.tell({"error": "An error occurred: no model"}, 400)


def message_alone(handler: Handler) -> None:
    handler.tell({"message": "Bidding is over"})


def garbage(handler: Handler) -> None:
    handler.send(b"<html>it works</html>")


def deeply_nested(handler: Handler) -> None:
    handler.send(b"[" * 100_000)


def huge(handler: Handler) -> None:
    handler.send(b" " * (2 << 20))


def packed(handler: Handler) -> None:
    handler.send(b"\x1f\x8b", Content_Encoding="gzip")


def hanging_up(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def never_ending(handler: Handler) -> None:
    """A byte at a time, until nobody reads or the stand-in is over."""
    handler.send_response(200)
    handler.end_headers()
    with_error = False
    while not with_error and not handler.robot.over.wait(0.01):
        try:
            handler.wfile.write(b" ")
        except OSError:
            with_error = True


def silent(handler: Handler) -> None:
    handler.robot.over.wait()


def slow(handler: Handler) -> None:
    """Answer late, as a robot does while its models load."""
    time.sleep(0.3)
    path, parameters = handler.robot.asked[-1]
    handler.tell(decide(handler.robot.bot, path, parameters))


def redirecting_to(url: str) -> Misdeed:
    return lambda handler: handler.send(b"", 302, Location=url)


def saying(answer: object) -> Misdeed:
    return lambda handler: handler.tell(answer)
