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

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        places = self._places.make(entry_seat)
        self.seating(entry_seat.entry.name).open(places)
        return _Remote(self, entry_seat, places)

    def close(self, entry_seat: EntrySeat, places: Sequence[WebsocketPlayer]) -> None:
        """Places can be taken no more."""
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
