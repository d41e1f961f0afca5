"""What people who play are told when a page is refused: a page too, with the way to others."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bridge_arena.web.ladder.pages import ladder_page

_FOLDER = Path(__file__).parent

_SAID = {
    403: "You have no seat here, or the form came from another site.",
    404: "There is no such page here.",
    503: "Too many ask now. Try again in some seconds.",
}
"""What is said when a refusal says nothing itself."""


async def refused(request: Request, error: Exception) -> Response:
    """Answer with a refusal: among the pages of people who play, with a page."""
    assert isinstance(error, HTTPException)
    path, status = request.url.path, error.status_code
    if not path.startswith(("/play/", "/today/")):
        return PlainTextResponse(error.detail, status, error.headers)
    said = error.detail
    if said == HTTPStatus(status).phrase:
        said = _SAID.get(status, f"{said}.")
    page = ladder_page(
        _FOLDER / "refusal.html",
        "Play",
        home="../" * (path.count("/") - 1),
        is_live=True,
        said=said,
    )
    return HTMLResponse(page, status, error.headers)
