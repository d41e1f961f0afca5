"""The fields that a form sends."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from bridge_arena.web.common.doors import body_of

MOST_FIELDS = 32
"""The most fields of a form."""


async def form_fields(request: Request, longest: int) -> dict[str, str]:
    """Return the fields that a form sends, of so many bytes at most. Raises HTTPException."""
    if request.headers.get("content-type", "") != "application/x-www-form-urlencoded":
        raise HTTPException(415)
    body = await body_of(request, longest)
    try:
        sent = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise HTTPException(400) from None
    fields = dict(sent)
    if len(fields) < len(sent):
        raise HTTPException(400)
    return fields
