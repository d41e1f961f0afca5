"""The pages of an author of a ladder, which nobody else sees.

/author/                        the door, or the author's players, tests and webhook
/author/enter, /author/leave    sign in by the token, and out
/author/order                   an order, by a form
/author/players/N/              a player of the author's: versions, alerts, matches
/author/players/N/matches/M/    a match of it that is over: times, faults, thoughts, log; `?board=B`
/author/players/N/matches/M/messages.jsonl  what its bots were sent in it, and have sent

The cookie stands for the token: it is worth nothing once the token is replaced. What is shown comes
from `tournaments.ladder.authors.author_records`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.authors.author_records import (
    own_match,
    own_matches,
    own_messages,
    own_players,
    own_tests,
)
from bridge_arena.tournaments.ladder.authors.authors import Authors
from bridge_arena.tournaments.ladder.orders import LONGEST_TEXT, ORDER, MakeToken, Order, reason_of
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome
from bridge_arena.web.common.doors import Door, SecretLinks, form_page
from bridge_arena.web.common.forms import form_fields
from bridge_arena.web.common.rate_limit import RateLimit
from bridge_arena.web.ladder.authors.orders_from_afar import OrdersFromAfar, RefusedOrderError
from bridge_arena.web.ladder.pages import minute
from bridge_arena.web.ladder.reading import NUMBER, number_in_path, numbers_in_query, unreadable

LATEST = 20
"""The most matches, and tests that are over, on a page."""

LONGEST_THOUGHT = 2000
"""The most characters of a thought that are shown."""

MOST_BROWSERS = 8
"""The most browsers in which an author is signed in by one token."""

LOOKS_AT_ONCE, LOOKS_A_SECOND = 20, 1
"""The pages of players and matches that one author may ask for, as a log is searched for them."""

SEARCHES = 2
"""The searches of logs at once, of all authors; others wait."""


Values = dict[str, object]

T = TypeVar("T")


class AuthorPages:
    """The pages of authors.

    Args:
        store: The store of the ladder.
        folder: The folder of its logs.
        authors: The authors.
        orders: Where orders are carried out.
        secure: Whether the pages are reached by TLS.
    """

    def __init__(
        self,
        store: LadderStore,
        folder: Path,
        authors: Authors,
        orders: OrdersFromAfar,
        *,
        secure: bool,
    ) -> None:
        self._store = store
        self._folder = folder
        self._authors = authors
        self._orders = orders
        # A browser's person is the hash of the token that its user has pasted.
        self._door = Door(SecretLinks(MOST_BROWSERS), "author", secure=secure)
        self._looks = RateLimit(LOOKS_A_SECOND, LOOKS_AT_ONCE)  # by author
        self._reading: set[str] = set()  # the authors for whom something is read now
        self._readers = ThreadPoolExecutor(thread_name_prefix="authors")
        self._searchers = ThreadPoolExecutor(SEARCHES, thread_name_prefix="logs")

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        player = "/author/players/{number}/"
        return [
            Route("/author/", self.home, methods=["GET"]),
            Route("/author/enter", self.enter, methods=["POST"]),
            Route("/author/leave", self.leave, methods=["POST"]),
            Route("/author/order", self.order, methods=["POST"]),
            Route(player, self.player, methods=["GET"]),
            Route(f"{player}matches/{{match}}/", self.match, methods=["GET"]),
            Route(f"{player}matches/{{match}}/messages.jsonl", self.messages, methods=["GET"]),
        ]

    async def home(self, request: Request) -> Response:
        """Answer with the author's players, or with the door."""
        author = self._author(request)
        if author is None:
            return self._entrance()
        values = await self._read(author, lambda: _home_values(self._store, author))
        return _page("author.html", author, values | {"for_bots": self._orders.for_bots})

    async def enter(self, request: Request) -> Response:
        """Let the author of a token in."""
        token = (await form_fields(request)).get("token", "").strip()
        hashed = self._authors.hash_if_author(token)
        if hashed is None:
            return self._entrance("No author of this ladder has this token.", 403)
        answer = RedirectResponse("./", status_code=303)
        self._door.admit(request, answer, hashed)
        return answer

    async def leave(self, request: Request) -> Response:
        """Let an author go."""
        await form_fields(request)
        answer = RedirectResponse("./", status_code=303)
        self._door.leave(request, answer)
        return answer

    async def order(self, request: Request) -> Response:
        """Carry out an order of a form."""
        author = self._author(request)
        if author is None:
            raise HTTPException(403)
        fields = await form_fields(request)
        try:
            self._orders.admit(author)
            order = _order(fields)
            done = await self._orders.give(order, author)
        except ValidationError as error:
            return _page("author_done.html", author, {"problem": reason_of(error)}, status=400)
        except RefusedOrderError as error:
            return _page("author_done.html", author, {"problem": str(error)}, status=error.status)
        token_of = order.player if isinstance(order, MakeToken) else ""
        values: Values = {"problem": "", "done": done, "token_of": token_of}
        return _page("author_done.html", author, values | {"for_bots": self._orders.for_bots})

    async def player(self, request: Request) -> Response:
        """Answer with a player of the author's."""
        author, number = self._author_and_number(request)
        (before,) = numbers_in_query(request, "before")

        def values() -> Values:
            return _player_values(self._store, _own(self._store, author, number), before)

        shown = await self._read(author, values) | {"for_bots": self._orders.for_bots}
        return _page("author_player.html", author, shown, depth=3)

    async def match(self, request: Request) -> Response:
        """Answer with a match of a player of the author's that is over."""
        author, number = self._author_and_number(request)
        match = number_in_path(request, "match")
        (board,) = numbers_in_query(request, "board")

        def values() -> Values:
            player = _own(self._store, author, number)
            shown = own_match(self._store, self._folder, player, match)
            if shown is None or board not in (None, *(table.board for table in shown.tables)):
                raise HTTPException(404)
            return {
                "title": f"Match {match}: {player.name}",
                "player": player,
                "shown": shown,
                "board": board,
                "longest": LONGEST_THOUGHT,
            }

        shown = await self._read(author, values, self._searchers)
        return _page("author_match.html", author, shown, depth=5)

    async def messages(self, request: Request) -> Response:
        """Answer with what a player's bots were sent in a match that is over, and have sent."""
        author, number = self._author_and_number(request)
        match = number_in_path(request, "match")

        def parts() -> Iterator[str]:
            player = _own(self._store, author, number)
            messages = own_messages(self._store, self._folder, player, match)
            if messages is None:
                raise HTTPException(404)
            return messages

        name = f"match-{match}-messages.jsonl"
        # Read as it is sent: whoever reads nothing of many answers fills no memory.
        return StreamingResponse(
            await self._read(author, parts),
            media_type="application/jsonl",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    # Private methods.

    def _author(self, request: Request) -> str | None:
        """Return the author whose browser asks; None if there is none."""
        hashed = self._door.person(request)
        return None if hashed is None else self._authors.of_hash(hashed)

    def _author_and_number(self, request: Request) -> tuple[str, int]:
        """Return who asks, and the number of the player. Raises HTTPException."""
        author = self._author(request)
        if author is None:
            raise HTTPException(403)
        number = number_in_path(request)
        if (wait := self._looks.admit(author)) > 0:
            raise HTTPException(429, headers={"retry-after": str(1 + int(wait))})
        return author, number

    async def _read(
        self, author: str, work: Callable[[], T], threads: ThreadPoolExecutor | None = None
    ) -> T:
        """Do some work on the store for an author in a thread, one at a time. Raises HTTPException.

        Args:
            author: The author.
            work: The work.
            threads: Where it is done; None for where it does not wait for searches of logs.
        """
        if author in self._reading:
            raise HTTPException(429, headers={"retry-after": "1"})
        self._reading.add(author)
        reading = (threads or self._readers).submit(work)
        # Who goes away meanwhile ends no work.
        reading.add_done_callback(lambda _: self._reading.discard(author))
        try:
            return await asyncio.wrap_future(reading)
        except (StoreError, OSError):
            raise unreadable() from None

    def _entrance(self, problem: str = "", status: int = 200) -> Response:
        return _page(
            "author_door.html", "", {"title": "For authors", "problem": problem}, status=status
        )


def _page(
    template: str, author: str, values: Values, *, depth: int = 1, status: int = 200
) -> Response:
    """Return a page, which is so many folders below the leaderboard."""
    home = "../" * depth
    return form_page(
        Path(__file__).with_name(template),
        status,
        author=author,
        home=home,
        static=f"{home}static/",
        minute=minute,
        longest_text=LONGEST_TEXT,
        **{"title": "Your players", **values},
    )


def _own(store: LadderStore, author: str, number: int) -> Player:
    """Return a player of an author's. Raises HTTPException, the same for other authors' players."""
    player = store.players().get(number)
    if player is None or player.author != author:
        raise HTTPException(404)
    return player


def _order(fields: dict[str, str]) -> Order:
    """Return the order of a form. Raises ValidationError."""
    given: dict[str, object] = dict(fields)
    if NUMBER.fullmatch(fields.get("number", "")):
        given["number"] = int(fields["number"])
    if fields.get("order") == "add":
        given["bot"] = f"remote:{given.pop('name', '')}"
    return ORDER.validate_python(given)


def _home_values(store: LadderStore, author: str) -> Values:
    players = own_players(store, author)
    everybody, versions = store.players(), store.versions()
    names = {player.name for player in players}

    return {
        "players": [
            (player, versions[player.version] if player.version is not None else None)
            for player in players
        ],
        "alerts": [alert for alert in store.alerts.in_force() if alert.subject in names],
        "tests": [
            (test, text, test.outcome is Outcome.OPEN)
            for test, text in own_tests(store, author, LATEST)
        ],
        "testable": [player.name for player in players if player.stays],
        "others": [player.name for player in everybody.values() if player.stays],
        "webhook": store.authors.webhook(author),
        "last_post": store.authors.last_post(author),
        "quota": store.definition().players_of_author,
    }


def _player_values(store: LadderStore, player: Player, before: int | None) -> Values:
    players, versions = store.players(), store.versions()
    news = store.authors.news()
    own = [one for one in reversed(versions.values()) if one.player == player.number]
    matches = own_matches(store, player, LATEST, before)

    def opponent(teams: tuple[int, int]) -> str:
        numbers = [versions[team].player for team in teams]
        return players[numbers[numbers[0] == player.number]].name

    return {
        "title": player.name,
        "player": player,
        "versions": [(one, news.get(one.number, "")) for one in own],
        "news": "" if player.version is None else news.get(player.version, ""),
        "alerts": [one for one in store.alerts.in_force() if one.subject == player.name],
        "bots": sorted(player.remote_seats),
        "matches": [
            (
                match,
                opponent(match.versions),
                match.imps if versions[match.versions[0]].player == player.number else -match.imps,
            )
            for match in matches
        ],
        "before": before,
        "latest": LATEST,
    }
