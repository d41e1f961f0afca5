"""A service on this machine that speaks the chat-completions interface, honest or hostile.

It answers each question by a function of the text that the user said; a `Trick` in place of an
answer misbehaves.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bridge_arena.bridge.cards import SUITS, Card, Hand
from bridge_arena.bridge.play import followers


@dataclass(frozen=True)
class Trick:
    """A response that is no answer."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    # The length that the header claims, if it is not that of the body.
    claimed: int | None = None
    # How often the body is sent; forever if 0.
    times: int = 1
    # Whether nothing more comes until the client goes away.
    hangs: bool = False
    echoes: bool = False


def wrong(status: int, message: str = "no", **headers: str) -> Trick:
    body = json.dumps({"error": {"message": message}}).encode()
    return Trick(status, body, {name.replace("_", "-"): each for name, each in headers.items()})


def completion(text: str | None, **more: Any) -> bytes:
    reason = more.pop("finish_reason", "stop")
    message = {"role": "assistant", "content": text}
    found = {
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        **more,
    }
    return json.dumps(found).encode()


Answering = Callable[[str], "str | Trick"]


def scripted(answers: Iterable[str | Trick]) -> Answering:
    """Answer by a list, and honestly after its end."""
    left = iter(answers)
    return lambda question: next(left, None) or honest(question)


def honest(question: str) -> str:
    """The first legal action, with a word about it."""
    if "turn to call" in question:
        return "I pass.\n\nMEANS: less than an opening bid [hcp 0-37]\nCALL: Pass"
    return f"Following suit.\nCARD: {_some_card(question)}"


def _some_card(question: str) -> Card:
    """The lowest card that the position allows."""
    owner = "Dummy, .*?" if "from dummy's hand" in question else "Your hand"
    (held,) = re.findall(rf"^{owner}(?:, holds)?: ?(.*)$", question.replace(" holds:", ":"), re.M)
    suits = re.findall(r"([SHDC]): ([-2-9TJQKA]+)", held)
    hand = Hand.of(Card(suit + rank) for suit, ranks in suits for rank in ranks if rank != "-")
    led = re.search(r"^This trick: [NESW] ([SHDC])", question, re.M)
    suit = None if led is None else next(each for each in SUITS if each.letter == led[1])
    return min(followers(hand, suit))


@dataclass
class StandIn:
    """The service; `asked` has what it was asked, and by which headers."""

    url: str
    answer: Answering
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)

    def last_words(self) -> list[str]:
        """The last message of each question."""
        return [asked["messages"][-1]["content"] for asked in self.asked]


@contextmanager
def stand_in(answer: Answering = honest) -> Iterator[StandIn]:
    """Serve until the context is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "")
            service.asked.append(asked)
            service.keys.append(key)
            told = [each["content"] for each in asked["messages"] if each["role"] == "user"]
            found = service.answer("\n".join(told))
            trick = found if isinstance(found, Trick) else Trick(body=completion(found))
            if trick.echoes:
                trick = wrong(trick.status, f"bad header Authorization: {key}")
            self.send_response(trick.status)
            for name, value in trick.headers.items():
                self.send_header(name, value)
            length = len(trick.body) if trick.claimed is None else trick.claimed
            if trick.times:
                self.send_header("Content-Length", str(length))
            self.end_headers()
            try:
                sent = 0
                while sent < trick.times or not trick.times:
                    self.wfile.write(trick.body)
                    sent += 1
                if trick.hangs:
                    service.gone.wait()
            except OSError:
                pass  # the client went away
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = StandIn(f"http://127.0.0.1:{server.server_port}/v1", answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        service.gone.set()
        server.shutdown()
        thread.join()
        server.server_close()
