"""Who may reach an agent's seat over HTTP: one session, which knows the secret.

The package checks `Host`, `Origin` and the length of a body; this application stands before it.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable

from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge_arena.base.masking import bearer_token

PATH = "/mcp"  # the path of the server
MOST_BYTES = 64 * 1024  # the longest body of a request: no answer of an agent comes near it

KNOWN = "arena.known"
"""The key of a function in the state of a request, if its server has set one. It is called once the
client has shown the secret, and tells the server that the connection is not a stranger's."""

SILENCE = 60.0
"""Seconds for which a session must have been silent before another one may take the seat."""


def seat_application(
    server: MCPServer[None],
    secret: str,
    hosts: list[str],
    now: Callable[[], float] = time.monotonic,
) -> ASGIApp:
    """Return the application that serves a seat over streamable HTTP.

    A client sends `secret` as its bearer token. `hosts` are those, as NAME:PORT, by which the
    server may be named, and `now` returns the time in seconds.
    """
    application = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MOST_BYTES,
        # An agent may think for long; another session takes the seat from one that is silent.
        session_idle_timeout=None,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    return _OneSession(application, secret, now)


class _OneSession:
    """Admits one session at a time: a seat has one player.

    The latest revision of MCP has no sessions, so that two clients of it could not be told apart.
    Clients that speak it are told the revisions that have, and fall back to one of them.
    """

    def __init__(self, application: ASGIApp, secret: str, now: Callable[[], float]) -> None:
        self._application = application
        self._secret = secret.encode()
        self._now = now
        # The id of the session that has the seat; empty before the first and after a farewell.
        self._session = ""
        # The requests of that session, or to open one, that are being answered, and when the last
        # one of the session ended.
        self._in_flight = 0
        self._last = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        if (known := scope.get("state", {}).get(KNOWN)) is not None:
            known()
        await self._pass_on(headers.get(MCP_SESSION_ID_HEADER, ""), scope, receive, send)

    def _refusal(self, headers: Headers) -> Response | None:
        given = bearer_token(headers.get("authorization", "")).encode()
        if not secrets.compare_digest(given, self._secret):
            refusal = _error(401, "the seat's secret is needed: Authorization: Bearer SECRET")
            refusal.headers["WWW-Authenticate"] = "Bearer"
            return refusal
        spoken = headers.get(MCP_PROTOCOL_VERSION_HEADER)
        if spoken is not None and spoken not in HANDSHAKE_PROTOCOL_VERSIONS:
            return _error(
                400,
                "a seat takes a session, which this version of the protocol does not have",
                UNSUPPORTED_PROTOCOL_VERSION,
                {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": spoken[:40]},
            )
        session = headers.get(MCP_SESSION_ID_HEADER)
        if session is not None:
            known = secrets.compare_digest(session.encode(), self._session.encode())
            return None if known and session else _error(404, "Session not found")
        if self._in_flight or (self._session and self._now() < self._last + SILENCE):
            return _error(
                409,
                "the seat is taken: another session plays it, until it ends or is silent for "
                f"{SILENCE:.0f} seconds",
            )
        return None

    async def _pass_on(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request of the session that has the seat, or one that may open a session."""

        async def note(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                if not session:
                    opened = Headers(raw=message["headers"]).get(MCP_SESSION_ID_HEADER, "")
                    if opened:
                        self._session, self._last = opened, self._now()
                elif scope["method"] == "DELETE":
                    self._session = ""
            await send(message)

        self._in_flight += 1
        try:
            await self._application(scope, receive, note)
        finally:
            self._in_flight -= 1
            if self._session == session:
                self._last = self._now()


def _error(
    status: int, text: str, code: int = INVALID_REQUEST, data: dict[str, object] | None = None
) -> Response:
    """Return a refusal, as HTTP and as JSON-RPC have it."""
    error = {"code": code, "message": text, **({} if data is None else {"data": data})}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error})
    return Response(body, status, media_type="application/json")
