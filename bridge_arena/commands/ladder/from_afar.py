"""Orders to a ladder on another machine, by its pages and with a token."""

from __future__ import annotations

import json
import os
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bridge_arena.base.wording import one_line
from bridge_arena.commands.common.errors import FailedError, UnusableError, plain

if TYPE_CHECKING:
    from bridge_arena.tournaments.ladder.orders import Order

_PATIENCE = 60.0
"""The seconds in which an answer has to come."""

_LONGEST_ANSWER = 1 << 22
"""The most bytes of an answer: the status of a thousand players has so many."""

_CONNECTIONS = {"http": HTTPConnection, "https": HTTPSConnection}


def is_afar(run: str | Path) -> bool:
    """Return whether a ladder is named by the address of its pages, perhaps taken for a path."""
    return str(run).startswith(("http:/", "https:/"))  # a path has no two slashes in a row


def need_here(run: str | Path, command: str) -> None:
    """Check that a command that takes no ladder from afar is given none. Raises UnusableError."""
    if is_afar(run):
        raise UnusableError(
            f"arena ladder {command} does not go from afar: run it on the ladder's machine, with a "
            "path or the database's URL in place of the address"
        )


def send(address: str, order: Order) -> str:
    """Send an order to a ladder, and return what was done.

    Nothing is redirected, as a token goes with it. Raises UnusableError and FailedError.
    """
    from bridge_arena.commands.common.web import is_loopback

    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise UnusableError(f"{address}: expected an address as https://ladder.example.org")
    if parts.scheme == "http" and not is_loopback(host):
        raise UnusableError(f"{address}: the token would travel unencrypted: give https://")
    token = os.environ.get("ARENA_TOKEN", "")
    if not token.isascii() or not token.isprintable() or not token:
        raise UnusableError("set ARENA_TOKEN to your token, as an author or the administrator")
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    try:
        with closing(_CONNECTIONS[parts.scheme](host, port, timeout=_PATIENCE)) as connection:
            body = order.model_dump_json().encode()
            connection.request("POST", "/api/v1/orders", body, headers)
            answer = connection.getresponse()
            status, body = answer.status, answer.read(_LONGEST_ANSWER)
    except OSError as error:
        raise FailedError(f"{address} does not answer: {plain(error)}") from None
    except (HTTPException, UnicodeError) as error:
        raise FailedError(f"{address} does not answer as a ladder: {error!r}") from None
    text = _text(body, "done" if status == HTTPStatus.OK else "error")
    if status == HTTPStatus.OK and text:
        return text
    if status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED) and text:
        raise UnusableError(text)
    raise FailedError(f"{address}: {text or 'no answer of a ladder'} (status {status})")


def _text(body: bytes, key: str) -> str:
    """Return a text of an answer, for a terminal; "" if it has none."""
    try:
        text = json.loads(body)[key]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    lines = text.splitlines() if isinstance(text, str) else []
    return "\n".join(map(one_line, lines))
