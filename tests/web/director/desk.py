"""The desk of a director: the pages of an event in its store, on a real server, and browsers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from starlette.applications import Starlette

from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.store import Store
from bridge_arena.web.director.application import DirectorPages
from tests.tournaments.ruled import play_round
from tests.web.live.serving import Answer, ask, served

FORM = "application/x-www-form-urlencoded"

Fields = Mapping[str, str]


@dataclass
class Desk:
    """The director's pages of an event."""

    store: Store
    pages: DirectorPages
    port: int
    cookie: str = ""  # what the director's browser shows once it has used the link

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        """The path of the director's link."""
        return urlsplit(self.pages.link).path

    async def get(self, path: str, cookie: str | None = None) -> Answer:
        shown = self.cookie if cookie is None else cookie
        return await ask(self.port, "GET", path, {"Cookie": shown})

    async def post(
        self,
        fields: Fields | bytes,
        path: str = "/director/rule",
        *,
        cookie: str | None = None,
        origin: str | None = None,
        content: str = FORM,
    ) -> Answer:
        """Send a form, by default as the director's own page does."""
        body = fields if isinstance(fields, bytes) else urlencode(fields).encode()
        headers = {
            "Cookie": self.cookie if cookie is None else cookie,
            "Origin": self.origin if origin is None else origin,
            "Content-Type": content,
        }
        return await ask(self.port, "POST", path, headers, body)

    async def enter(self, name: str = "Dirk") -> None:
        """Use the director's link."""
        answer = await self.post({"name": name}, self.link)
        assert answer.status == 303, answer
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    async def checked(self, fields: Fields) -> dict[str, str]:
        """The form that confirms a ruling, once it is checked."""
        answer = await self.post({"reason": "as it was", "step": "check", **fields})
        assert answer.status == 200, answer.text
        return confirming(answer)

    async def rule(self, fields: Fields) -> None:
        answer = await self.post(await self.checked(fields))
        assert answer.status == 303, answer.text


def confirming(answer: Answer) -> dict[str, str]:
    """What is sent by the button that makes the ruling of a page."""
    hidden = re.findall(r'<input type="hidden" name="(.*?)" value="(.*?)">', answer.text)
    return {name: unescape(value) for name, value in hidden} | {"step": "rule"}


@asynccontextmanager
async def desk(
    folder: Path, event: Event, *, name: str = "Dirk", rounds: int = 1
) -> AsyncIterator[Desk]:
    """The pages of an event of which some rounds are played, open to the director of a name."""
    with closing(Store.create(folder / STORE, event)) as store:
        for number in range(1, rounds + 1):
            play_round(store, number)
        # The port of the link is not known yet, and only its path is used.
        pages = DirectorPages(store, "http://127.0.0.1/", None)
        async with served(Starlette(routes=pages.routes()), ()) as port:
            opened = Desk(store, pages, port)
            if name:
                await opened.enter(name)
            yield opened
