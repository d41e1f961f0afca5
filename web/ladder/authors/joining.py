"""The pages by which one becomes an author of a ladder.

/join/                    a request, if the ladder takes some: it waits for the administrator
/join/requests/SECRET     what came of a request; once it is approved, the token is shown, once
/join/SECRET              an invitation, which makes an author once

A link shows a form, and only its button does something: programs that follow links use nothing up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bridge_arena.tournaments import EventLog
from bridge_arena.tournaments.ladder.authors.authors import LONGEST_NAME, LONGEST_WORDS, Authors
from bridge_arena.tournaments.ladder.orders import LONGEST_TEXT
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.common.doors import form_page
from bridge_arena.web.common.forms import form_fields
from bridge_arena.web.common.rate_limit import RateLimit, address_of_client
from bridge_arena.web.ladder.reading import reading

REQUESTS_AT_ONCE, REQUESTS_AN_HOUR = 5, 5
"""The requests of one address, in short order and after that."""

ALL_AT_ONCE, ALL_AN_HOUR = 50, 20
"""Those of all addresses."""

LOOKS_AT_ONCE, LOOKS_A_SECOND = 30, 1
"""The pages that one address may ask for."""

T = TypeVar("T")


class JoiningPages:
    """The pages by which one becomes an author.

    Args:
        store: The store of the ladder.
        authors: Its authors.
        log: The log, which has who came how.
        for_bots: The address for bots that connect by themselves; "" if it is not known.
        now: Returns the time in seconds.
    """

    def __init__(
        self,
        store: LadderStore,
        authors: Authors,
        log: EventLog,
        for_bots: str = "",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._authors = authors
        self._log = log
        self._for_bots = for_bots
        self._requests = RateLimit(REQUESTS_AN_HOUR / 3600, REQUESTS_AT_ONCE, now)
        self._all_requests = RateLimit(ALL_AN_HOUR / 3600, ALL_AT_ONCE, now)
        self._looks = RateLimit(LOOKS_A_SECOND, LOOKS_AT_ONCE, now)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        request = "/join/requests/{secret}"
        return [
            Route("/join/", self.form, methods=["GET"]),
            Route("/join/", self.ask, methods=["POST"]),
            Route(request, self.request, methods=["GET"]),
            Route(request, self.collect, methods=["POST"]),
            Route("/join/{secret}", self.invitation, methods=["GET"]),
            Route("/join/{secret}", self.accept, methods=["POST"]),
        ]

    async def form(self, request: Request) -> Response:
        """Answer with the form of a request."""
        return self._form({}) if await self._is_open(request) else _closed()

    async def ask(self, request: Request) -> Response:
        """Take a request."""
        given = await form_fields(request)
        if not await self._is_open(request):
            return _closed()
        author, program, home, words = (
            given.get(key, "").strip() for key in ("author", "program", "home", "words")
        )
        facts = author, program, home, " ".join(words.split())
        try:
            await reading(self._authors.check_request, *facts)
            if (wait := self._count(address_of_client(request))) > 0:
                text = "Too many requests have come: try again later."
                answer = self._form(given, text, 429)
                answer.headers["retry-after"] = str(1 + int(wait))
                return answer
            waiting, secret = await reading(self._authors.ask, *facts)
        except LadderError as error:
            return self._form(given, str(error), 400)
        self._log.write("author_asked", author=waiting.author, request=waiting.number)
        return RedirectResponse(f"requests/{secret}", status_code=303)

    async def request(self, request: Request) -> Response:
        """Answer with what came of a request."""
        self._look(request)
        secret = request.path_params["secret"]
        own = await reading(self._authors.request, secret)
        if own is None:
            return _gone("../../")
        return _page("join_request.html", "Your request", home="../../", request=own)

    async def collect(self, request: Request) -> Response:
        """Show the token of an approved request, once."""
        self._look(request)
        await form_fields(request)
        secret = request.path_params["secret"]
        made = await reading(self._authors.collect, secret)
        return _gone("../../") if made is None else self._joined(*made, "../../", "request")

    async def invitation(self, request: Request) -> Response:
        """Answer with the form of an invitation."""
        self._look(request)
        secret = request.path_params["secret"]
        invited = await reading(self._authors.invited, secret)
        return _gone("../") if invited is None else _invitation(invited)

    async def accept(self, request: Request) -> Response:
        """Make an author of who has an invitation, and show the token, once."""
        self._look(request)
        secret = request.path_params["secret"]
        name = (await form_fields(request)).get("author", "").strip()
        try:
            made = await reading(self._authors.accept, secret, name)
        except LadderError as error:
            return _invitation("", name, str(error), 400)
        return _gone("../") if made is None else self._joined(*made, "../", "invitation")

    # Private methods.

    def _joined(self, author: str, token: str, home: str, by: str) -> Response:
        self._log.write("author_came", author=author, by=by)
        values = {"joined": author, "token": token, "for_bots": self._for_bots}
        return _page("joined.html", "Welcome", home=home, **values)

    def _count(self, address: str) -> float:
        """Count a request, and return 0; or the seconds after which it may come again."""
        return self._requests.admit(address) or self._all_requests.admit("")

    def _look(self, request: Request) -> None:
        """Count a look at a page. Raises HTTPException if there are too many."""
        wait = self._looks.admit(address_of_client(request))
        if wait > 0:
            raise HTTPException(429, headers={"retry-after": str(1 + int(wait))})

    async def _is_open(self, request: Request) -> bool:
        """Return whether the ladder takes requests. Raises HTTPException."""
        self._look(request)
        definition = await reading(self._store.definition)
        return definition.open == "approve"

    def _form(self, given: dict[str, str], problem: str = "", status: int = 200) -> Response:
        shown = dict.fromkeys(("author", "program", "home", "words"), "") | given
        return _page("join.html", "Become an author", status, given=shown, problem=problem)


def _invitation(author: str, given: str = "", problem: str = "", status: int = 200) -> Response:
    return _page(
        "invitation.html", "Your invitation", status, invited=author, given=given, problem=problem
    )


def _closed() -> Response:
    return _page("join_gone.html", "Become an author", 404, is_closed=True)


def _gone(home: str) -> Response:
    return _page("join_gone.html", "No such link", 410, home=home, is_closed=False)


def _page(
    template: str, title: str, status: int = 200, /, *, home: str = "../", **values: object
) -> Response:
    return form_page(
        Path(__file__).with_name(template),
        status,
        title=title,
        home=home,
        static=f"{home}static/",
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
        longest_words=LONGEST_WORDS,
        **({"author": ""} | values),
    )
