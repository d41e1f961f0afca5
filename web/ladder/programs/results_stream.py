"""The results of a ladder as they come, as server-sent events: one for each match that ends."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bridge_arena.server.connection_limits import origin
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.values import match_values
from bridge_arena.web.common.streams import Broadcast, Stream, http_chunk

KEPT = 500
"""The most results that a client is sent which it has missed."""

MOST_STREAMS = 1000
"""The most clients that are sent results."""

MOST_OF_ONE = 8
"""The most of them from one address."""


class _Result(NamedTuple):
    number: int  # the number of the match
    ended: str  # when, in ISO 8601
    event: bytes  # what is sent of it


class Results(Broadcast):
    """The results of a ladder, for all who wait for them.

    Args:
        store: The store of the ladder.
    """

    def __init__(self, store: LadderStore) -> None:
        super().__init__()
        self._store = store
        self._origins = Counter[str]()
        # The last results, in the order in which the matches ended.
        self._kept: deque[_Result] = deque(maxlen=KEPT)
        # Those that were found and are not sent yet.
        self._unsent: list[_Result] = []
        # The largest number of a match at the last look, and those that went on or are not sent
        # yet; None before the first look.
        self._looked: tuple[int, list[int]] | None = None

    def answer(self, request: Request, address: str, shared: Mapping[str, str]) -> Response:
        """Answer with the results from now on, or from the match that the client had last.

        Args:
            request: The request.
            address: The address of the client.
            shared: More headers of the answer.

        Raises HTTPException.
        """
        last = request.headers.get("last-event-id", "")
        if last and not (last.isascii() and last.isdecimal() and len(last) < 10):
            raise HTTPException(400, "Last-Event-ID: expected the number of a match")
        where = origin(address)
        if self._origins[where] >= MOST_OF_ONE:
            raise HTTPException(429, f"{MOST_OF_ONE} streams are the most", {"retry-after": "60"})
        if self.watching >= MOST_STREAMS:
            raise HTTPException(503, "too many read the results", {"retry-after": "60"})
        add = partial(self._add_after, int(last)) if last else None
        return Stream(self, self._counted(where), add, shared)

    def look(self, board: LadderBoard) -> None:
        """Find the matches that have ended since the last look, in the store. Raises StoreError."""
        is_first = self._looked is None
        if self._looked is None:
            last = self._store.count_matches()
            begun = [match.number for match in self._store.open_matches()]
            ended = self._store.archive.latest(KEPT)
            ended.sort(key=lambda match: (match.ended, match.number))
        else:
            last, begun = self._looked
            ended, begun = self._store.archive.since(last, begun)
            last = max([last, *begun, *(match.number for match in ended)])
        # What has come since the leaderboard was made is told after the next look.
        begun += [match.number for match in ended if not board.knows(match.versions)]
        self._looked = last, begun
        known = {result.number for result in (*self._kept, *self._unsent)}
        new = [
            _Result(match.number, match.ended, _event(board, match))
            for match in ended
            if match.number not in known and board.knows(match.versions)
        ]
        if is_first:
            self._kept.extend(new)
        else:
            self._unsent.extend(new)

    async def tell(self) -> None:
        """Send what was found to all."""
        new, self._unsent = self._unsent, []
        self._kept.extend(new)
        if new:
            await self.write(b"".join(result.event for result in new))

    # Private methods.

    def _add_after(self, last: int, transport: asyncio.Transport) -> None:
        """Begin to send to a connection, first what it has missed."""
        self.add(transport)
        transport.write(b"".join(self._missed(last)))

    def _missed(self, last: int) -> Iterator[bytes]:
        """Yield the results that came after that of a match; some of its second may come twice."""
        place = next((n for n, one in enumerate(self._kept) if one.number == last), None)
        if place is None and all(one.number < last for one in self._kept):
            return
        for other, result in enumerate(self._kept):
            if place is None or (
                other != place and (other > place or result.ended == self._kept[place].ended)
            ):
                yield result.event

    @contextmanager
    def _counted(self, where: str) -> Iterator[None]:
        self._origins[where] += 1
        try:
            yield
        finally:
            self._origins[where] -= 1
            if not self._origins[where]:
                del self._origins[where]


def _event(board: LadderBoard, match: EndedMatch) -> bytes:
    text = match_values(board, match).model_dump_json()
    return http_chunk(f"id: {match.number}\nevent: result\ndata: {text}\n\n".encode())
