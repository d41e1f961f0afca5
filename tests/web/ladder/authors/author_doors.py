"""The doors of authors of a ladder, as a browser and a stranger meet them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, RecordedThought
from bridge_arena.bridge.seats import SEATS
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.authors.authors import Authors
from bridge_arena.tournaments.ladder.authors.permissions import carry_out_for
from bridge_arena.tournaments.ladder.ladder_file import LadderFile, parse_ladder
from bridge_arena.tournaments.ladder.orders import Order, carry_out
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.ladder.authors.author_pages import AuthorPages
from bridge_arena.web.ladder.authors.joining import JoiningPages
from bridge_arena.web.ladder.authors.orders_from_afar import OrderDoor, OrdersFromAfar
from tests.tournaments.ladder.ladders import opened, play, venues
from tests.tournaments.scores import record
from tests.web.live.serving import Answer, ask, served

FILE = """\
[ladder]
name = "Club"
boards = 2
open = "approve"
[[player]]
bot = "baseline"
name = "Mine"
author = "Ann"
[[player]]
bot = "random"
name = "Other"
author = "Bo"
"""


class PowerCutError(Exception):
    """What ends a ladder in the middle of a match."""


def club(keys: str = FILE) -> LadderFile:
    return parse_ladder(keys, Path("club.toml"))


def _told(event: Event, unit: Unit) -> BoardRecord:
    """A board on which everybody takes time, errs and thinks."""
    if event.name == "Club 2" and unit.position > 0:
        raise PowerCutError
    bare = record(event, unit, 0)
    number, names = event.name.split()[-1], bare.players
    return replace(
        bare,
        times=tuple((10.0 * (1 + seat), 20.0) for seat in SEATS),
        faults=tuple(
            Fault(seat, FaultKind.ILLEGAL, 0, f"fault of {names[seat]} in {number}")
            for seat in SEATS
        ),
        thoughts=tuple(
            RecordedThought(seat, 0, f"thought of {names[seat]} in {number}") for seat in SEATS
        ),
    )


def played(folder: Path, other: str = "Other") -> LadderStore:
    """A ladder with match 1 over and match 2 in play, and the log of both."""
    path = folder / "results.sqlite"
    file = club()
    mine, of_bo = file.registrations
    called = replace(of_bo, entrant=of_bo.entrant.model_copy(update={"name": other}))
    opened(path, replace(file, registrations=(mine, called))).close()
    try:
        play(path, venues(_told), None, concurrency=1)
    except PowerCutError:
        lines = [
            {"time": "2026-11-29T11:34:45.460+00:00", "event": event, "match": match} | facts
            for match in (1, 2)
            for name in ("Mine", other)
            for event, facts in (
                ("bot_started", {"bot": f"{name} (N)", "pid": 77777, "command": ["/secret/bot"]}),
                ("bot_output", {"bot": f"{name} (E)", "output": f"output of {name} in {match}"}),
                ("fault", {"entry": name, "seat": "W", "detail": f"log of {name} in {match}"}),
                ("thought", {"entry": name, "seat": "W", "text": f"logged thought of {name}"}),
                ("match_failed", {"why": f"{name} at /secret/bot"}),
            )
        ]
        (folder / "log.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
        return LadderStore.open(path)
    raise AssertionError


@dataclass
class Browser:
    """A browser at the doors, with what it has been given."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str) -> Answer:
        return self._kept(await ask(self.port, "GET", path, self._headers()))

    async def post(self, path: str, form: dict[str, str], **headers: str) -> Answer:
        sent = {
            **self._headers(),
            "content-type": "application/x-www-form-urlencoded",
            "origin": f"http://127.0.0.1:{self.port}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        body = urlencode(form).encode()
        return self._kept(await ask(self.port, "POST", path, sent, body))

    async def sign_in(self, token: str) -> Answer:
        return await self.post("/author/enter", {"token": token})

    async def order(self, **form: str) -> Answer:
        return await self.post("/author/order", form)

    def _headers(self) -> dict[str, str]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"cookie": cookie}

    def _kept(self, answer: Answer) -> Answer:
        if found := re.match(r"([^=]+)=\"?([^;\"]*)", answer.headers.get("set-cookie", "")):
            self.cookies[found[1]] = found[2]
        return answer


@dataclass
class Doors:
    """The doors of authors that are open."""

    port: int
    authors: Authors
    log: list[dict[str, object]]

    def browser(self) -> Browser:
        return Browser(self.port)

    async def author(self, name: str) -> Browser:
        """The browser of an author who has signed in."""
        browser = self.browser()
        token = await asyncio.to_thread(self.authors.make_token, name)
        assert (await browser.sign_in(token)).status == 303
        return browser

    async def give(self, token: str, order: Mapping[str, object]) -> Answer:
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        body = json.dumps(order).encode()
        return await ask(self.port, "POST", "/api/v1/orders", headers, body)


@asynccontextmanager
async def doors(store: LadderStore, folder: Path, for_bots: str = "") -> AsyncIterator[Doors]:
    tokens = folder / "tokens.json"
    lines: list[dict[str, object]] = []
    log = EventLog()
    log.listeners.append(lambda what, **facts: lines.append({"event": what, **facts}))

    async def give(order: Order, author: str) -> str:
        if author:
            return await asyncio.to_thread(carry_out_for, author, order, store, tokens)
        return await asyncio.to_thread(carry_out, order, store, tokens, None)  # type: ignore[arg-type]

    authors, orders = Authors(store, tokens), OrdersFromAfar(give, log, for_bots)
    routes = [
        *OrderDoor(orders, authors).routes(),
        *AuthorPages(store, folder, authors, orders, secure=False).routes(),
        *JoiningPages(store, authors, log, for_bots).routes(),
    ]
    async with served(Starlette(routes=routes), []) as port:
        yield Doors(port, authors, lines)


def token_in(page: str) -> str:
    """The token that a page shows."""
    found = re.search(r"<pre>([^<]+)</pre>", page)
    assert found is not None, page
    return unescape(found[1])
