"""Orders that come to a ladder from afar, by an administrator and by authors.

/api/v1/orders     an order: JSON by POST, with the token as `Bearer`

Each who gives orders gives so many a minute at most, and the log has all of them with what came of
them. Which of them an author may give is known by `tournaments.ladder.authors.permissions`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from bridge_arena.base.masking import bearer_token
from bridge_arena.base.wording import one_line
from bridge_arena.tournaments import EventLog, StoreError
from bridge_arena.tournaments.ladder.authors.authors import Authors
from bridge_arena.tournaments.ladder.orders import ORDER, Add, Order, ShowStatus, reason_of
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.web.common.doors import body_of

LONGEST_ORDER = 8192
"""The most bytes of an order."""

MOST_ORDERS = 60
"""The most orders of the administrator in a minute."""

LONGEST_OUTCOME = 300
"""The most characters in the log of why an order was not carried out."""

NO_TOKEN = "no token came: send the header Authorization, as Bearer and the token after a space"
"""What is said of an order without a token."""

MOST_OF_AUTHOR = 20
"""The most orders of an author in a minute."""

CarryOut = Callable[[Order, str], Awaitable[str]]
"""Carries out an order of an author, "" for the administrator, and returns what was done. Raises
LadderError, StoreError and OSError."""


class RefusedOrderError(Exception):
    """An order that is not carried out; the message is one line.

    Attributes:
        status: The status of the answer.
        wait: The seconds after which it may be given again; 0 if that makes no difference.
    """

    def __init__(self, status: int, why: str, wait: int = 0) -> None:
        super().__init__(why)
        self.status = status
        self.wait = wait


def start_of_bots(address: str) -> str:
    """Return in words to which address bots connect; "" if it is not known."""
    if not address:
        return "ask who runs the ladder to which address its bots connect"
    return f"its bots connect to ARENA_URL={address}"


class OrdersFromAfar:
    """Where orders from afar are carried out.

    Args:
        carry_out: Carries them out.
        log: The log.
        for_bots: The address for bots that connect by themselves; "" if it is not known.
        now: Returns the time in seconds.
    """

    def __init__(
        self,
        carry_out: CarryOut,
        log: EventLog,
        for_bots: str = "",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.for_bots = for_bots
        self._carry_out = carry_out
        self._log = log
        self._now = now
        # When the last orders of each author came, as far as these count.
        self._latest: dict[str, deque[float]] = {}

    def admit(self, author: str) -> None:
        """Count an order of an author, "" for the administrator. Raises RefusedOrderError."""
        now, most = self._now(), MOST_OF_AUTHOR if author else MOST_ORDERS
        latest = self._latest.pop(author, None) or deque(maxlen=most)
        self._latest = {one: own for one, own in self._latest.items() if now - own[-1] < 60}
        self._latest[author] = latest
        if len(latest) == most and now - latest[0] < 60:
            raise RefusedOrderError(429, f"{most} orders a minute are the most", 60)
        latest.append(now)

    async def give(self, order: Order, author: str) -> str:
        """Carry out an order that was admitted, and return what was done.

        Raises RefusedOrderError.
        """
        self.note(order, author)
        outcome = "not known"  # as the ladder ended, or by a fault of the arena's
        try:
            done = await self._carry_out(order, author)
            outcome = "done"
            if isinstance(order, Add) and order.bot.startswith("remote:"):
                done = f"{done}; {start_of_bots(self.for_bots)}"
        except LadderError as error:
            outcome = str(error)
            raise RefusedOrderError(400, outcome) from None
        except (StoreError, OSError) as error:
            outcome = str(error)
            why = "the ladder's files or its database cannot be read or written now"
            raise RefusedOrderError(503, why, 5) from None
        finally:
            self.note(order, author, outcome)
        return done

    def note(self, order: Order | None, author: str, outcome: str | None = None) -> None:
        """Log an order, None for one that cannot be read, and what came of it once it is known.

        What was done is not logged, as it may be a token; nor is the address of a webhook. The
        order itself is logged once.
        """
        if isinstance(order, ShowStatus):
            return
        if outcome is None:
            facts = None if order is None else order.model_dump(exclude_none=True, exclude={"url"})
            self._log.write("order_from_afar", order=facts, author=author)
        else:
            self._log.write(
                "order_from_afar_ended",
                kind="" if order is None else order.order,
                author=author,
                outcome=one_line(outcome, LONGEST_OUTCOME),
            )


class OrderDoor:
    """The door for programs that give orders."""

    def __init__(self, orders: OrdersFromAfar, authors: Authors) -> None:
        self._orders = orders
        self._authors = authors

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [Route("/api/v1/orders", self.order, methods=["POST"])]

    async def order(self, request: Request) -> Response:
        """Carry out an order; the token comes first, so that strangers cost nothing more."""
        token = bearer_token(request.headers.get("authorization", ""))
        author = self._author(token) if token else None
        if author is None:
            challenge = {"www-authenticate": "Bearer"}
            wrong = "the token is wrong, or was replaced" if token else NO_TOKEN
            return _failed(401, wrong, challenge)
        try:
            self._orders.admit(author)
            return await self._answer(request, author)
        except RefusedOrderError as error:
            headers = {"retry-after": str(error.wait)} if error.wait else None
            return _failed(error.status, str(error), headers)
        except HTTPException as error:
            return _failed(error.status_code, error.detail)

    async def _answer(self, request: Request, author: str) -> Response:
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _failed(415, "expected application/json")
        try:
            order = ORDER.validate_json(await body_of(request, LONGEST_ORDER))
        except ValidationError as error:
            why = reason_of(error)
            self._orders.note(None, author, why)
            return _failed(400, why)
        return JSONResponse({"done": await self._orders.give(order, author)})

    def _author(self, token: str) -> str | None:
        """Return the author of a token, "" for the administrator; None for a stranger."""
        return "" if self._authors.is_administrator(token) else self._authors.of_token(token)


def _failed(status: int, error: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": error}, status, headers)
