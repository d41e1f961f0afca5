"""The requests that a robot answers, as a Starlette application.

    /bid      hand seat dealer vul ctx                  a call
    /lead     hand seat dealer vul ctx                  the opening lead
    /play     hand dummy seat dealer vul ctx played     a card, also of dummy, asked for declarer
    /claim    as /play, and tricks                      whether declarer takes them for sure
    /explain  dealer vul ctx                            what the calls mean by the bot's system

All answers are JSON. With `details=true` a call or card comes with the candidates. A request that
makes no sense gets status 400 and the reason in `error`.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from ipaddress import ip_address
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.sdk.claims import sure_tricks
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.http_robot.answer import (
    player_number,
    write_bid,
    write_card,
    write_details,
    write_meanings,
)
from bridge_arena.protocol.http_robot.position import (
    Kind,
    ParameterError,
    Position,
    auction_of,
    position_of,
)
from bridge_arena.web.common.serving import local_hosts, serving
from bridge_arena.web.robot.bot_decider import BotError, BusyError, Decision

LONGEST_QUERY = 4096
"""The most bytes of a query; an auction and 51 cards take a third of it."""

MOST_WAITING = 32
"""The most requests at once, worked at or waiting."""

_TRICKS = re.compile("[0-9]{1,2}", re.ASCII)


Decide = Callable[[Position], Awaitable[Decision]]
"""A function that returns a decision, and raises BusyError and BotError."""


class RobotRequests:
    """The handlers of requests to a bot, which answers call `who`.

    `system` is the bidding system by which it explains calls; None if it has none.
    """

    def __init__(self, decide: Decide, who: str, system: System | None = None) -> None:
        self._decide = decide
        self._who = who
        self._system = system
        # Long auctions take their time, so only one is explained at a time.
        self._explaining = asyncio.Lock()
        self._open = 0  # the number of requests that are not answered yet

    def application(self, origins: Sequence[str] = ()) -> Starlette:
        """Return the application; pages of the sites `origins` may read the answers."""
        routes = [
            *(Route(f"/{kind}", self._decided(kind), methods=["GET"]) for kind in Kind),
            Route("/claim", self._answered(self._claim), methods=["GET"]),
            Route("/explain", self._answered(self._explain), methods=["GET"]),
        ]
        allowed = Middleware(CORSMiddleware, allow_origins=list(origins), allow_methods=["GET"])
        return Starlette(
            routes=routes,
            middleware=[allowed] if origins else [],
            exception_handlers=dict.fromkeys(
                (HTTPException, ParameterError, BusyError, BotError), _failed
            ),
        )

    def _decided(self, kind: Kind) -> Callable[[Request], Coroutine[Any, Any, JSONResponse]]:
        """Return the handler of requests for a call or card."""

        async def decide(parameters: dict[str, str]) -> dict[str, Any]:
            position = position_of(kind, parameters)
            decision = await self._decide(position)
            has_details = parameters.get("details", "").lower() == "true"
            details = write_details(decision.thoughts) if has_details else {}
            return {**self._written(position, decision), **details}

        return self._answered(decide)

    def _written(self, position: Position, decision: Decision) -> dict[str, Any]:
        action = decision.action
        if not isinstance(action, Card):
            return write_bid(action, self._who)
        answer = write_card(action, self._who)
        if position.kind is Kind.PLAY:
            play = position.view().playing
            answer["player"] = player_number(play.turn, play.declarer)
        return answer

    async def _claim(self, parameters: dict[str, str]) -> dict[str, Any]:
        """Return whether declarer takes as many tricks however the defenders' cards lie."""
        view = position_of(Kind.PLAY, parameters).view()
        play = view.playing
        if view.seat != play.declarer:
            raise ParameterError("seat", f"only claims of declarer ({play.declarer}) are judged")
        left = 13 - len(play.cards) // 4
        text = parameters.get("tricks") or str(left)
        if not _TRICKS.fullmatch(text) or int(text) > left:
            raise ParameterError("tricks", f"{text[:9]!r} is no number from 0 to {left}")
        held: list[Hand] = [view.held(seat) or view.unseen for seat in SEATS]
        sure = sure_tricks(play, held)
        if int(text) <= sure:
            result = f"Contract: {play.contract} Accepted declarer's claim of {text} tricks"
        else:
            result = f"Declarer claimed {text} tricks - rejected, {sure} are sure"
        return {"tricks": int(text), "result": result}

    async def _explain(self, parameters: dict[str, str]) -> dict[str, Any]:
        """Return what each call of an auction means, for which no hand is needed."""
        if self._system is None:
            raise HTTPException(404, f"{self._who} has no bidding system that explains calls")
        auction, vulnerability = auction_of(parameters)
        if not auction.calls:
            raise ParameterError("ctx", "it has no call to explain")
        async with self._explaining:
            meanings = await asyncio.to_thread(self._system.explain, auction, vulnerability)
        return write_meanings(auction, meanings, self._who)

    def _answered(
        self, work: Callable[[dict[str, str]], Coroutine[Any, Any, dict[str, Any]]]
    ) -> Callable[[Request], Coroutine[Any, Any, JSONResponse]]:
        """Return the handler that does the work for the parameters of a request."""

        async def answer(request: Request) -> JSONResponse:
            if self._open >= MOST_WAITING:
                raise BusyError
            self._open += 1
            try:
                return JSONResponse(await work(_parameters(request)))
            finally:
                self._open -= 1

        return answer


def _parameters(request: Request) -> dict[str, str]:
    """Return the parameters of a request. Raises ParameterError, and HTTPException if too long."""
    if len(request.url.query) > LONGEST_QUERY:
        raise HTTPException(414, f"the query has more than {LONGEST_QUERY} characters")
    parameters: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in parameters:
            raise ParameterError(name[:20], "it is given twice")
        parameters[name] = value
    return parameters


async def _failed(_request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, BusyError):
        return JSONResponse({"error": "busy: ask again"}, 503, {"Retry-After": "1"})
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code)
    return JSONResponse({"error": str(error)}, 400 if isinstance(error, ParameterError) else 500)


async def serve_robot(
    requests: RobotRequests,
    listener: socket.socket,
    origins: Sequence[str],
    on_ready: Callable[[], None],
) -> None:
    """Answer requests until the task is cancelled; `on_ready` is called once they are answered.

    On a loopback address only requests are answered that name this machine, so that no page of a
    stranger can ask under a name of its own. Pages of the sites `origins` may read the answers.
    """
    host, port = listener.getsockname()[:2]
    hosts = local_hosts(port, host) if ip_address(host).is_loopback else None
    async with serving(requests.application(origins), listener, hosts, tuple):
        on_ready()
        await asyncio.Event().wait()
