"""The sending of a question over HTTP, by httpx: the one module of the bot that needs it.

What comes back is bounded in size, and redirects are not followed.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx

from bridge_arena.base.wording import one_line
from bridge_arena.bots.llm.service import NoAnswerError

MOST_BYTES = 1 << 20  # the most bytes of an answer that are read
_MOST_REASON = 100  # the most characters of the reason that the network gives


@dataclass(frozen=True, slots=True)
class Response:
    """What a service sends back; `retry_after` is the header of that name, or ""."""

    status: int
    retry_after: str
    data: bytes


async def post(url: str, body: dict[str, Any], key: str) -> Response:
    """Post a question; `key` may be empty. Raises NoAnswerError; the caller limits the time."""
    headers = {"Accept-Encoding": "identity"}  # a compressed answer may be of any size
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = bytearray()
    try:
        async with (
            _client(url) as client,
            client.stream("POST", url, json=body, headers=headers) as response,
        ):
            async for chunk in response.aiter_raw():
                data += chunk
                if len(data) > MOST_BYTES:
                    text = f"the answer of the service is longer than {MOST_BYTES} bytes"
                    raise NoAnswerError(text, may_cost=True)
    except (httpx.InvalidURL, UnicodeError):
        raise NoAnswerError("base_url is not an address", is_refused=True) from None
    except httpx.ConnectError as error:
        text = f"the service cannot be reached ({one_line(str(error), _MOST_REASON)})"
        raise NoAnswerError(text, is_busy=True, is_refused=True) from None
    except httpx.HTTPError as error:
        text = f"the answer of the service was cut off ({type(error).__name__})"
        raise NoAnswerError(text, may_cost=True, is_busy=True) from None
    return Response(response.status_code, response.headers.get("retry-after", ""), bytes(data))


def _client(url: str) -> httpx.AsyncClient:
    """Return a client for an address. Raises NoAnswerError."""
    try:
        # A proxy of the environment may pass a question on where it can read no word of it.
        is_sealed = url.startswith("https:")
        return httpx.AsyncClient(verify=_tls(), timeout=None, trust_env=is_sealed)
    except (ImportError, ValueError, httpx.InvalidURL):
        # It is not repeated: it may have a password.
        text = (
            "the proxy that the environment names cannot be used (HTTPS_PROXY or ALL_PROXY; one of "
            "SOCKS needs pip install 'httpx[socks]')"
        )
        raise NoAnswerError(text, is_refused=True) from None


@cache
def _tls() -> ssl.SSLContext:
    """Return the certificates to trust, which are slow to load."""
    return httpx.create_ssl_context()
