"""Bots that connect by themselves over websockets, with the token of their entry."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.server.seating import Seating
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat
from bridge_arena.tournaments.play.seating.seated_bot import SeatedBot
from bridge_arena.tournaments.play.seating.websocket_seats import WebsocketSeats


class RemoteBots:
    """Keeps places for them."""

    def __init__(self, places: WebsocketSeats) -> None:
        self._places = places
        # What the token of each entry opens, by its name.
        self._seatings: dict[str, Seating] = {}

    def seating(self, name: str) -> Seating:
        """What the token of an entry opens: no place before it is called."""
        return self._seatings.setdefault(name, Seating())

    async def call(self, post: EntrySeat) -> SeatedBot:
        places = self._places.make(post)
        self.seating(post.entry.name).open(places)
        return _Remote(self, post, places)

    def close(self, post: EntrySeat, places: Sequence[WebsocketPlayer]) -> None:
        """Places can be taken no more."""
        self._seatings[post.entry.name].close(places)
        self._places.close(places)


class _Remote(SeatedBot):
    def __init__(
        self, home: RemoteBots, post: EntrySeat, places: Sequence[WebsocketPlayer]
    ) -> None:
        super().__init__(post, places)
        self._home = home
        self._own = places

    def send_away(self, why: str) -> None:
        self._home.close(self.post, self._own)
        for place in self._own:
            place.part(f"lost its seat: {why}")
