"""The pages of an event's director, as routes of an application.

/direct/SECRET   a link that makes the browser in which its button is pressed the director's
/director/       how the event stands, and its rulings
/director/rule   the form of a ruling: `?kind=KIND`, and what is known of its parts; what is sent is
                 checked first, and ruled once that is confirmed

They need the director's cookie, and no key of spectators. All is decided by `tournaments.Director`,
as for the command. The pages tell results of all boards at once, but no cards.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import TypeVar
from urllib.parse import urlencode

from pydantic import TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bridge_arena.reports.common.event_state import headlines, match_states
from bridge_arena.reports.common.rulings import HEADING, shown_rulings
from bridge_arena.tournaments import HOME, Director, Store, StoreError, standings
from bridge_arena.tournaments.schedule.directing import RulingError
from bridge_arena.tournaments.schedule.left_to_play import Remaining
from bridge_arena.tournaments.schedule.rulings import (
    Appeal,
    Decision,
    Line,
    Ruling,
    in_force,
)
from bridge_arena.web.common.doors import Door, SecretLinks, form_page, is_from_here
from bridge_arena.web.common.forms import form_fields
from bridge_arena.web.common.serving import serving_here, static_route
from bridge_arena.web.director.forms import KINDS, Given, decision_of, fields_of, parts_in_words
from bridge_arena.web.live.score import match_text

MOST_WAITING = 4
"""The most requests that wait for another one, as each reads all results."""

Values = dict[str, object]

T = TypeVar("T")

_NAME: TypeAdapter[str] = TypeAdapter(Line)

_STAMP = re.compile(r"([0-9]{1,7})-([0-9]{1,7})-([01])")


class DirectorPages:
    """The handlers of requests by the director.

    Args:
        store: The store of the event.
        address: The address of the server.
        lobby: The address of the lobby, relative to that of the server; None if there is none.
    """

    def __init__(self, store: Store, address: str, lobby: str | None) -> None:
        self._store = store
        self._title = store.event().name
        self._lobby = lobby
        links = SecretLinks()
        # The link for the director, which opens the pages once.
        self.link = f"{address}direct/{links.create()}"
        self._door = Door(links, "director", secure=address.startswith("https:"))
        self._waiting = 0  # the requests that are not answered yet
        self._reading = Lock()

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/direct/{secret}", self.look, methods=["GET"]),
            Route("/direct/{secret}", self.enter, methods=["POST"]),
            Route("/director/", self.state, methods=["GET"]),
            Route("/director/rule", self.form, methods=["GET"]),
            Route("/director/rule", self.rule, methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """Answer with a button, so that a program that only follows links does not use it up."""
        return self._entrance() if self._door.is_good(request) else self._gone(is_link=True)

    async def enter(self, request: Request) -> Response:
        """Make the first browser that asks the director's, by the name that its user gives."""
        if not self._door.is_good(request):
            return self._gone(is_link=True)
        try:
            name = _NAME.validate_python(
                (await form_fields(request, at_secret=True)).get("name", "")
            )
        except ValidationError:
            return self._entrance("Give your name, in a line.", 400)
        return self._door.enter(request, name) or self._gone(is_link=True)

    async def state(self, request: Request) -> Response:
        """Answer with how the event stands."""
        author = self._door.person(request)
        if author is None:
            return self._gone()
        values = await self._read(lambda: _state(Director(self._store), self._store))
        return self._page("director.html", values | {"author": author, "lobby": self._lobby})

    async def form(self, request: Request) -> Response:
        """Answer with the form of a ruling."""
        author = self._door.person(request)
        if author is None:
            return self._gone()
        given = dict(request.query_params)
        kind = _kind(given)
        values = await self._read(lambda: _form_values(Director(self._store), kind, given))
        return self._page("rule.html", values | {"author": author})

    async def rule(self, request: Request) -> Response:
        """Answer with what would follow from a ruling, or make it once that is confirmed."""
        author = self._door.person(request)
        if author is None or not is_from_here(request):
            return self._gone()
        given = await form_fields(request)
        kind = _kind(given)
        answer = await self._read(lambda: self._answer(kind, given, author))
        if isinstance(answer, Ruling):
            return RedirectResponse("./#rulings", status_code=303)
        template, status, values = answer
        return self._page(template, values | {"author": author}, status)

    # Private methods.

    def _answer(
        self, kind: type[Decision], given: Given, author: str
    ) -> Ruling | tuple[str, int, Values]:
        """Return the ruling that was made, or else a page: its template, status and values."""
        director = Director(self._store)
        if given.get("step") == "change":
            return "rule.html", 200, _form_values(director, kind, given)
        is_confirmed = given.get("step") == "rule"
        try:
            decision = decision_of(director.directing, kind, given)
            reason = given.get("reason", "")
            if is_confirmed and (made := _made_already(director, given, decision, author)):
                return made
            now = datetime.now(UTC)
            ruling = director.ruling(decision, author=author, reason=reason, time=now)
        except RulingError as error:
            values = _form_values(director, kind, given) | {"problem": str(error)}
            return "rule.html", 400, values
        if is_confirmed and given.get("known") == _stamp(director):
            # It is not made if there is another one meanwhile, which the page then says.
            return ruling if director.rule(ruling) else self._answer(kind, given, author)
        directing = director.directing
        return (
            "check.html",
            409 if is_confirmed else 200,
            {
                "given": _parts(director, kind, given),
                "known": _stamp(director),
                "number": ruling.number,
                "decision": directing.title(decision),
                "before": directing.stood_before(decision),
                "reason": ruling.reason,
                "lines": list(directing.consequences(ruling)),
                "meanwhile": list(_meanwhile(director, given)) if is_confirmed else [],
            },
        )

    async def _read(self, work: Callable[[], T]) -> T:
        """Do some work on the store in a thread, one at a time. Raises HTTPException."""
        if self._waiting >= MOST_WAITING:
            raise HTTPException(503, "busy: try again\n", {"Retry-After": "5"})

        def work_alone() -> T:
            with self._reading:
                try:
                    return work()
                finally:
                    # The folder may be another command's once the event is over.
                    self._store.close()

        self._waiting += 1
        try:
            return await asyncio.to_thread(work_alone)
        except (StoreError, OSError):
            raise HTTPException(503, "the results cannot be read or written at present\n") from None
        finally:
            self._waiting -= 1

    def _entrance(self, problem: str = "", status: int = 200) -> Response:
        return self._page("door.html", {"problem": problem, "referrer": "no-referrer"}, status)

    def _gone(self, *, is_link: bool = False) -> Response:
        return self._page("gone.html", {"is_link": is_link}, 410 if is_link else 403)

    def _page(self, template: str, values: Values, status: int = 200) -> Response:
        filled = {"title": self._title, "static": "../static/"} | values
        return form_page(Path(__file__).with_name(template), status, **filled)


def serve(store: Store, port: int, on_ready: Callable[[str], None]) -> None:
    """Show the pages to this user until SIGINT, SIGTERM or SIGHUP; `on_ready` is told the link.

    Port 0 is any free one. Raises OSError if the port is not free.
    """
    with socket.create_server(("127.0.0.1", port)) as listener:
        pages = DirectorPages(store, f"http://127.0.0.1:{listener.getsockname()[1]}/", None)
        application = Starlette(routes=[*pages.routes(), static_route()])
        asyncio.run(serving_here(application, listener, lambda: on_ready(pages.link)))


def _kind(given: Given) -> type[Decision]:
    """Return the kind of decision that a request names. Raises HTTPException."""
    kind = KINDS.get(given.get("kind", ""))
    if kind is None:
        raise HTTPException(404)
    return kind


def _state(director: Director, store: Store) -> Values:
    """Return the values of the page of the event."""
    results = director.results
    event, so_far = results.event, results.so_far
    ranked = standings(event, so_far)
    remaining = Remaining(event, director.records, results.rulings)
    states = list(match_states(event, remaining, director.records))
    rounds: dict[int, list[Values]] = {}
    for one in states:
        score = ""
        if event.format.is_teams:
            score = match_text(so_far.outcome(one.match), event.scoring, one.names, HOME)
        rounds.setdefault(one.match.round, []).append({"state": one, "score": score})
    open_rounds = {one.match.round for one in states if one.due}
    size, *lines = headlines(results, states, is_played=store.is_being_played())
    return {
        "lines": [size.removeprefix(f"{event.name}: "), *lines],
        "names": [entrant.name for entrant in event.entries],
        "standings": ranked,
        "rounds": rounds,
        "open_rounds": open_rounds or {max(rounds, default=0)},
        "is_teams": event.format.is_teams,
        "kinds": _kinds(director),
        "heading": HEADING,
        "rulings": shown_rulings(results)[::-1],
        "in_force": {one.number for one in in_force(results.rulings)},
        "appeals": {one.number for one in results.rulings if isinstance(one.decision, Appeal)},
    }


def _kinds(director: Director) -> list[str]:
    """Return the kinds of decision that the event can have, but for those on a ruling."""
    parts = {name: director.directing.parts(kind) for name, kind in KINDS.items()}
    return [name for name, needed in parts.items() if needed and "ruling" not in needed]


def _form_values(director: Director, kind: type[Decision], given: Given) -> Values:
    """Return the values of the page of a form."""
    fields = list(fields_of(director.directing, kind, given))
    names = {field.name for field in fields}
    kept = {name: value for name in ("match", "board", "entry") if (value := given.get(name))}
    return {
        "kind": kind.model_fields["kind"].default,
        "kinds": _kinds(director),
        "kept": urlencode(kept),
        "about": parts_in_words(kind),
        "fields": fields,
        "reason": given.get("reason", ""),
        # The other choices follow from the match.
        "follows": "match" in names and bool(names & {"board", "entry"}),
        "problem": "",
    }


def _parts(director: Director, kind: type[Decision], given: Given) -> dict[str, str]:
    """Return what a form sends of a ruling."""
    names = ("kind", *director.directing.parts(kind), "reason")
    return {name: given.get(name, "") for name in names}


def _stamp(director: Director) -> str:
    """Return how far the event is, as a form keeps it between check and ruling."""
    rulings, last_round, is_revealed = director.known
    return f"{rulings}-{last_round}-{is_revealed:d}"


def _stamped(given: Given) -> tuple[int, int, int]:
    """Return how far the event was when a form was made. Raises HTTPException."""
    stamp = _STAMP.fullmatch(given.get("known", ""))
    if stamp is None:
        raise HTTPException(400)
    rulings, last_round, is_revealed = map(int, stamp.groups())
    return rulings, last_round, is_revealed


def _made_already(
    director: Director, given: Given, decision: Decision, author: str
) -> Ruling | None:
    """Return the ruling of a form that is sent once more; None if it was not made."""
    number = _stamped(given)[0] + 1
    for ruling in director.results.rulings:
        is_same = ruling.decision == decision and ruling.reason == given.get("reason", "").strip()
        if ruling.number == number and ruling.author == author and is_same:
            return ruling
    return None


def _meanwhile(director: Director, given: Given) -> Iterator[str]:
    """Yield what has come between the check of a ruling and its confirmation."""
    rulings, last_round, is_revealed = _stamped(given)
    for ruling in director.results.rulings[rulings:]:
        title = director.directing.title(ruling.decision)
        yield f"ruling {ruling.number} was made by {ruling.author}: {title}"
    if director.known.last_round != last_round:
        yield f"round {director.known.last_round} was drawn"
    if director.known.is_revealed != is_revealed:
        yield "the event is over, and its deals are public"
