"""The boards that are shown: found by address, and searched."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from bridge_arena.web.replays.listing import players, results
from bridge_arena.web.replays.replay import Replay, ReplayPage


class Library:
    """The replays that are shown.

    Args:
        replays: In the order of the list.

    Attributes:
        replays: The replays by name.
        pages: All their pages, in order.
        places: The places of the pages, by address.
    """

    def __init__(self, replays: Iterable[Replay]) -> None:
        self.replays = {replay.name: replay for replay in replays}
        self.pages = [page for replay in self.replays.values() for page in replay.pages()]
        self.places = {page.address: place for place, page in enumerate(self.pages)}

    def search(self, query: str) -> list[ReplayPage]:
        """Return the pages that match each word of a query.

        A number matches the number of a board; any other word matches a part of the text in the
        list.
        """
        words = query.lower().split()
        return [
            page
            for page, text in zip(self.pages, self._texts, strict=True)
            if all(_has(page, text, word) for word in words)
        ]

    @cached_property
    def _texts(self) -> list[str]:
        return [
            f"{page.replay.title}\n{players(page)}\n{results(page)}".lower() for page in self.pages
        ]


def _has(page: ReplayPage, text: str, word: str) -> bool:
    return page.replay.board.number == int(word) if word.isdecimal() else word in text
