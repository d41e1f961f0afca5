"""The badge of a player, at `/players/N/badge.svg`: its name and the ranks that it may have.

It is a picture for pages of others, which may show it and keep it for some minutes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge_arena.base.wording import one_line
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.common.serving import Page
from bridge_arena.web.ladder.reading import number_in_path, unreadable

KEPT_SECONDS = 300
"""The seconds for which others may show a badge as it was."""

WIDEST = 28
"""The most letters of a name, where one of China or Japan counts as two."""

_MOST_MARKS = 60
"""The most characters of a name, with marks that have no width of their own."""

_LETTER, _MARGIN = 7, 12
"""The pixels of a letter, and those beside a text."""

_HEADERS = {
    "cache-control": f"public, max-age={KEPT_SECONDS}",
    "cross-origin-resource-policy": "cross-origin",
}


class Badges:
    """The badges of the players of a ladder.

    Args:
        board: Returns the leaderboard; None as long as nothing could be read.
    """

    def __init__(self, board: Callable[[], LadderBoard | None]) -> None:
        self._board = board

    def route(self) -> Route:
        """Return the route of the badges."""
        return Route("/players/{number}/badge.svg", self.badge)

    async def badge(self, request: Request) -> Response:
        """Answer with the badge of a player."""
        board = self._board()
        if board is None:
            raise unreadable()
        text = badge_of(board, number_in_path(request))
        if text is None:
            raise HTTPException(404)
        return Page(text.encode(), "image/svg+xml", _HEADERS).answer(request)


def badge_of(board: LadderBoard, number: int) -> str | None:
    """Return the badge of a player as SVG; None if there is none of this number that has come."""
    row = next((row for row in board.ranked if row.player.number == number), None)
    if row is None:
        return None
    ranks = sum(other.rank is not None for other in board.ranked)
    rank = row.state_text
    if row.rank is not None:
        rank = f"{row.rank_text.replace('-', '–')} of {ranks}"
    name = _cut(one_line(row.player.name))
    return page_of(
        Path(__file__).with_name("badge.svg"),
        name=name,
        rank=rank,
        left=_LETTER * sum(map(_width, name)) + _MARGIN,
        right=_LETTER * len(rank) + _MARGIN,
    )


def _cut(name: str) -> str:
    """Return a name, or as much of it as a badge has room for."""
    width = 0
    for place, letter in enumerate(name):
        width += _width(letter)
        if width > WIDEST or place >= _MOST_MARKS:
            return f"{name[:place].rstrip()}…"
    return name


def _width(letter: str) -> int:
    """Return how many letters wide a character is."""
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
