"""People, who sit down in a browser: one place for each of their seats, at whatever table."""

from __future__ import annotations

from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.audience import Reception
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat, SeatingError
from bridge_arena.tournaments.play.seating.seated_bot import SeatedBot
from bridge_arena.tournaments.play.seating.websocket_seats import WebsocketSeats


class People:
    """The source of people.

    Args:
        places: Makes the places.
        reception: Where people come in; None if there are no pages.
    """

    def __init__(self, places: WebsocketSeats, reception: Reception | None) -> None:
        self._places = places
        self._reception = reception

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Invite a person to a seat.

        Args:
            entry_seat: The seat.

        Returns:
            The person at the seat, who may not have come yet.

        Raises:
            SeatingError: There are no pages.
        """
        if self._reception is None:
            raise SeatingError(f"{entry_seat} plays in a browser, and no pages are shown")
        (place,) = self._places.make(entry_seat)
        self._reception.await_person(entry_seat, place)
        return _Person(self._reception, entry_seat, place)


class _Person(SeatedBot):
    def __init__(self, reception: Reception, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        super().__init__(entry_seat, [place])
        self._reception = reception
        self._place = place

    def send_away(self, why: str) -> None:
        self._reception.dismiss_person(self.entry_seat)
        self._place.part(f"lost the seat: {why}")
