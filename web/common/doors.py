"""The way to pages that belong to one person: a link with a secret, and then a cookie.

A link opens its pages once, for the browser in which its button is pressed, and a secret admits
that browser again. Both have 192 random bits, and only their hashes are kept: an attacker who reads
this process's memory, or measures comparisons, learns nothing that opens a page.
"""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bridge_arena.web.common.pages import HEADERS, POLICY, page_of
from bridge_arena.web.common.streams import REQUEST_SECONDS

FORM_POLICY = POLICY.replace("form-action 'none'", "form-action 'self'")
"""The policy of pages with forms."""


class SecretLinks:
    """The links of some people, and the browsers that have used one.

    Args:
        most: The most browsers of one person, of which the first is forgotten; None for any number.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        # People by the hashes of links that nobody has used, and of the secrets of browsers.
        self._unused: dict[bytes, str] = {}
        self._browsers: dict[bytes, str] = {}

    def create(self, person: str = "") -> str:
        """Return the secret of a new link, for a person or for whoever uses it."""
        return _kept(self._unused, person)

    def is_good(self, secret: str) -> bool:
        """Return whether a link opens something; asking does not use it."""
        return _hashed(secret) in self._unused

    def use(self, secret: str, person: str = "") -> str | None:
        """Return the secret for the first browser that uses a link; None for all others.

        The person is the one who uses a link that was made for nobody by name.
        """
        owner = self._unused.pop(_hashed(secret), None)
        if owner is None:
            return None
        own = [key for key, other in self._browsers.items() if other == (owner or person)]
        if self._most is not None and len(own) >= self._most:
            del self._browsers[own[0]]
        return _kept(self._browsers, owner or person)

    def forget(self, shown: str) -> None:
        """Forget the browser that has a secret."""
        self._browsers.pop(_hashed(shown), None)

    def person(self, shown: str) -> str | None:
        """Return the person whose browser has a secret; None if nobody's has."""
        return self._browsers.get(_hashed(shown))


def _kept(people: dict[bytes, str], person: str) -> str:
    secret = secrets.token_urlsafe(24)
    people[_hashed(secret)] = person
    return secret


def _hashed(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()


class Door:
    """The door from links, at `/FOLDER/SECRET`, to the pages at `/PAGES/`."""

    def __init__(self, links: SecretLinks, pages: str, *, secure: bool, path: str = "") -> None:
        """Open a door; its cookie is `secure` if the pages are reached by TLS.

        Browsers show the cookie to addresses that begin with a path, by default `/PAGES/`.
        """
        self._links = links
        self._pages = pages
        self._secure = secure
        self._path = path or f"/{pages}/"

    def is_good(self, request: Request) -> bool:
        """Return whether the link of a request opens the pages; asking does not use it."""
        return self._links.is_good(request.path_params["secret"])

    def enter(self, request: Request, person: str = "") -> Response | None:
        """Return the answer that gives the pages to the first browser that asks; None for others.

        The person is as `SecretLinks.use` has it.
        """
        shown = self._links.use(request.path_params["secret"], person)
        if shown is None:
            return None
        answer = RedirectResponse(f"../{self._pages}/", status_code=303)
        self._give(request, answer, shown)
        return answer

    def admit(self, request: Request, answer: Response, person: str) -> None:
        """Give the pages to the browser that asks, as a person, without a link."""
        shown = self._links.use(self._links.create(person))
        assert shown is not None
        self._give(request, answer, shown)

    def leave(self, request: Request, answer: Response) -> None:
        """Take the pages from the browser that asks."""
        name = self._cookie(request)
        self._links.forget(request.cookies.get(name, ""))
        answer.delete_cookie(
            name, path=self._path, secure=self._secure, httponly=True, samesite="strict"
        )

    def person(self, connection: HTTPConnection) -> str | None:
        """Return the person whose browser asks; None if it has used no link."""
        return self._links.person(connection.cookies.get(self._cookie(connection), ""))

    def _give(self, request: Request, answer: Response, shown: str) -> None:
        answer.set_cookie(
            self._cookie(request),
            shown,
            path=self._path,
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )

    def _cookie(self, connection: HTTPConnection) -> str:
        """Return the name of the cookie, with the port, as browsers share them between ports."""
        return f"arena-{self._pages}-{connection.url.port or 0}"


def is_from_here(connection: HTTPConnection) -> bool:
    """Return whether a page of this server made a request, as the browser's Origin says."""
    origin = urlsplit(connection.headers.get("origin", ""))
    return origin.scheme in ("http", "https") and origin.netloc == connection.headers["host"]


async def body_of(request: Request, longest: int) -> bytes:
    """Return the body of a request that is short and comes soon. Raises HTTPException."""
    body = b""
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > longest:
                    raise HTTPException(413)
    except TimeoutError:
        raise HTTPException(408) from None
    return body


def form_page(template: Path, status: int = 200, /, **values: object) -> Response:
    """Return a page by a template, whose forms send to this server, with their Origin.

    A page without referrers sends none; `referrer="no-referrer"` makes it one, as its address is
    a secret.
    """
    text = page_of(template, **{"policy": FORM_POLICY, "referrer": "same-origin"} | values)
    page = HTMLResponse(text, status)
    page.headers["content-security-policy"] = HEADERS["content-security-policy"].replace(
        POLICY, FORM_POLICY
    )
    return page
