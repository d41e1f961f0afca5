"""Bots that connect by themselves over websockets, with the token of their entry."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.server.seating import Seating
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat
from bridge_arena.tournaments.play.seating.seated_bot import SeatedBot
from bridge_arena.tournaments.play.seating.websocket_seats import WebsocketSeats


class RemoteBots:
    """The source of bots that connect by themselves.

    Args:
        places: Makes the places.
    """

    def __init__(self, places: WebsocketSeats) -> None:
        self._places = places
        # The seating that the token of each entry opens, by the entry's name.
        self._seatings: dict[str, Seating] = {}

    def seating(self, name: str) -> Seating:
        """Return the seating that the token of an entry opens; at first it has no places."""
        return self._seatings.setdefault(name, Seating())

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Open places to the bots of an entry."""
        places = self._places.make(entry_seat)
        self.seating(entry_seat.entry.name).open(places)
        return _Remote(self, entry_seat, places)

    def close(self, entry_seat: EntrySeat, places: Sequence[WebsocketPlayer]) -> None:
        """Close places, so that no bot can take them."""
        self._seatings[entry_seat.entry.name].close(places)
        self._places.close(places)


class _Remote(SeatedBot):
    def __init__(
        self, home: RemoteBots, entry_seat: EntrySeat, places: Sequence[WebsocketPlayer]
    ) -> None:
        super().__init__(entry_seat, places)
        self._home = home
        self._own = places

    def send_away(self, why: str) -> None:
        self._home.close(self.entry_seat, self._own)
        for place in self._own:
            place.part(f"lost its seat: {why}")
