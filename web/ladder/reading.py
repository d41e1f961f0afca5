"""What requests ask for by number, and how the store is read for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from bridge_arena.tournaments import StoreError

NUMBER = re.compile("[1-9][0-9]{0,8}")
"""The text of a number of a player, a match or a board."""

P = ParamSpec("P")
T = TypeVar("T")


def number_in_path(request: Request, name: str = "number") -> int:
    """Return a number in the path of a request. Raises HTTPException."""
    text = request.path_params[name]
    if not NUMBER.fullmatch(text):
        raise HTTPException(404)
    return int(text)


def numbers_in_query(request: Request, *names: str) -> list[int | None]:
    """Return the numbers that a query gives, None where it is empty. Raises HTTPException."""
    numbers: list[int | None] = []
    for name in names:
        texts = [text for text in request.query_params.getlist(name) if text]
        if len(texts) > 1 or not all(map(NUMBER.fullmatch, texts)):
            raise HTTPException(404)
        numbers.append(int(texts[0]) if texts else None)
    return numbers


async def reading(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what is read from the store, in a thread. Raises HTTPException."""
    try:
        return await asyncio.to_thread(read, *args, **kwargs)
    except (StoreError, OSError):
        raise unreadable() from None


def unreadable() -> HTTPException:
    """Return the error of a store that does not answer."""
    return HTTPException(503, "The store cannot be read now.", {"retry-after": "5"})
