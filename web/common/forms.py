"""The fields that forms send."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from bridge_arena.web.common.doors import body_of, is_from_here

LONGEST_FORM = 8192
"""The most bytes of a form."""

MOST_FIELDS = 32
"""The most fields of a form."""


async def form_fields(request: Request, *, at_secret: bool = False) -> dict[str, str]:
    """Return the fields that a form on a page of this server sends.

    Raises HTTPException, also for the form of another server, which may be a stranger's that uses
    the cookies here. At a secret address, whose page has no referrers, any form may come.
    """
    if not at_secret and not is_from_here(request):
        raise HTTPException(403)
    if request.headers.get("content-type", "") != "application/x-www-form-urlencoded":
        raise HTTPException(415)
    body = await body_of(request, LONGEST_FORM)
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
