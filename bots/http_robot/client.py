"""One request to a robot, and its answer: bounded in size, never redirected, never kept open."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any

import httpx

from bridge_arena.base.masking import Masking
from bridge_arena.base.wording import one_line
from bridge_arena.bots.http_robot.robot import Robot
from bridge_arena.bots.library.http_service import key_in, retry_after
from bridge_arena.protocol.http_robot.answer import complaint

MOST_BYTES = 1 << 20  # the most bytes of an answer
_MOST_REASON = 100  # the most characters of the reason that the network gives

PAUSES = (0.1, 0.5, 1.0, 2.0)
"""The seconds before a robot is asked again, after which the last one is repeated."""

_TOO_MANY = 429

_NOT_JSON = "its answer is not JSON"


class TroubleError(Exception):
    """A request that was not answered as it should be."""

    def __init__(self, text: str, pause: float | None = None, *, may_pass: bool = False) -> None:
        super().__init__(text)
        self.pause = pause  # the seconds that the robot asks to wait; None if it does not say
        # Whether it passes by itself, as while the robot is starting or busy.
        self.may_pass = may_pass


class RobotClient:
    """The requests of one process to its robot, in any thread. Raises ValueError as `key_in`."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        key = key_in(robot.key) if robot.key else ""
        self._masking = Masking([key])
        # Neither packed, which could hide a huge answer, nor kept open, which could hide a restart.
        self._headers = {"accept-encoding": "identity", "connection": "close"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"
        self._tls = ssl.create_default_context()
        self._lock = threading.Lock()
        self._next = 0.0  # when the next request may be sent, in seconds of the monotonic clock

    async def ask(self, path: str, parameters: Mapping[str, str]) -> Any:
        """Return the JSON of its answer, in which the key is masked. Raises TroubleError."""
        try:
            return self._masking.value(await self._answer_to(path, parameters))
        except TroubleError as trouble:
            text = self._masking.text(str(trouble))
            raise TroubleError(text, trouble.pause, may_pass=trouble.may_pass) from None
        except RecursionError:
            raise TroubleError(_NOT_JSON) from None

    async def _answer_to(self, path: str, parameters: Mapping[str, str]) -> Any:
        while wait := self._pause():  # noqa: ASYNC110 (it waits for a time, not an event)
            await asyncio.sleep(wait)
        details = {"details": "true"} if self._robot.details else {}
        query = {**dict(self._robot.added), **parameters, **details}
        try:
            async with asyncio.timeout(self._robot.timeout):
                status, headers, body = await self._get(f"{self._robot.url}/{path}", query)
        except TimeoutError:
            text = f"no answer within {self._robot.timeout} s"
            raise TroubleError(text, may_pass=True) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
            raise TroubleError(_reason(error), may_pass=True) from None
        answer = _decoded(body)
        if status == httpx.codes.OK:
            if answer is None:
                raise TroubleError(_NOT_JSON)
            return answer
        if status == _TOO_MANY:
            pause = retry_after(headers.get("retry-after", ""))
            raise TroubleError("it is asked too often (status 429)", pause, may_pass=True)
        if httpx.codes.is_redirect(status):
            raise TroubleError(f"it redirects elsewhere (status {status}), which is not followed")
        why = complaint(answer)
        text = f"status {status}{': ' if why else ''}{why}"
        raise TroubleError(text, may_pass=httpx.codes.is_server_error(status))

    def _pause(self) -> float:
        """Return how long to wait before asking again; if 0, a request may be sent, and counts."""
        if self._robot.rate is None:
            return 0.0
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                return self._next - now
            self._next = now + 60.0 / self._robot.rate
            return 0.0

    async def _get(self, url: str, query: Mapping[str, str]) -> tuple[int, httpx.Headers, bytes]:
        """Return the status, headers and body of an answer. Raises TroubleError and httpx's."""
        request = httpx.Request("GET", url, params=query, headers=self._headers)
        # Not a client, which knows redirections, cookies, proxies and the passwords in .netrc.
        async with httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False) as transport:
            response = await transport.handle_async_request(request)
            packing = response.headers.get("content-encoding", "").strip().lower()
            if packing not in ("", "identity"):
                raise TroubleError("its answer is packed, which was not asked for")
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise TroubleError(f"its answer has more than {MOST_BYTES} bytes")
            return response.status_code, response.headers, bytes(body)


def _decoded(body: bytes) -> Any:
    """Return what JSON says; None if it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _reason(error: Exception) -> str:
    what = "it cannot be reached" if isinstance(error, httpx.ConnectError) else "no answer"
    return f"{what} ({one_line(str(error), _MOST_REASON) or type(error).__name__})"
