"""Where bots that connect by themselves wait from one match to the next.

A bot that comes while no match needs it is taken in, and is welcomed only when it gets a seat. So
whoever draws matches knows who is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from bridge_arena.base.wording import one_line
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Hello
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import Gateway, Guest
from bridge_arena.server.link import ClientLink
from bridge_arena.server.seating import Seating, SeatRefusedError
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.venue import KIBITZER, PublicEndpoint

MOST_WAITING = 16
"""The most connections of one owner that wait."""

_LONGEST_NAME = 100
"""The most characters of what bots say of themselves that are kept."""


class WaitingRoom:
    """The gateway to all matches, which listens while its context is entered, and who waits there.

    Entering raises GatewayError.
    """

    def __init__(self, endpoint: PublicEndpoint) -> None:
        self._owner = endpoint.owner
        self._doors: dict[str, _Door] = {}
        self._gateway = Gateway(
            self._admit, host=endpoint.host, port=endpoint.port, tls=endpoint.tls
        )

    async def __aenter__(self) -> WaitingRoom:
        await self._gateway.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        await self._gateway.__aexit__(kind, *error)

    @property
    def url(self) -> str:
        """The URL for bots."""
        return self._gateway.url

    @property
    def limits(self) -> ConnectionLimits:
        """The limits of connections that have taken no seat."""
        return self._gateway.limits

    def seating(self, owner: str) -> Seating:
        """Return the seats of an owner's matches."""
        return self._door(owner).seating

    def has(self, owner: str, seats: Iterable[Seat]) -> bool:
        """Return whether enough bots of an owner wait to take these seats."""
        free, wanted = 0, Counter(seats)
        for guest in self._door(owner).waiting:
            if guest.hello.seat is None:
                free += 1
            elif wanted[guest.hello.seat]:
                wanted[guest.hello.seat] -= 1
        return wanted.total() <= free

    def version(self, owner: str) -> str:
        """Return what the waiting bots of an owner say of themselves; "" if none waits."""
        says = {guest.link.name for guest in self._door(owner).waiting if guest.link is not None}
        return " + ".join(one_line(name, _LONGEST_NAME) for name in sorted(says))

    def is_seated(self, owner: str) -> bool:
        """Return whether all seats of an owner have their bots."""
        return self.seating(owner).is_full

    async def seat(self, owner: str) -> None:
        """Give those who wait the seats that are open."""
        door = self._door(owner)
        for guest in list(door.waiting):
            if guest not in door.waiting:
                continue  # it has gone, or got a seat, since others were given theirs
            try:
                player = door.seating.claim(guest.hello)
            except SeatRefusedError:
                continue
            await guest.sit_down(player)

    def _admit(self, token: str) -> _Door | None:
        owner = self._owner(token)
        return None if owner is None or owner == KIBITZER else self._door(owner)

    def _door(self, owner: str) -> _Door:
        return self._doors.setdefault(owner, _Door())


class _Door:
    """What the token of an owner opens: seats, and before there are any a place to wait."""

    def __init__(self) -> None:
        self.seating = Seating()
        self.waiting: list[_Waiting] = []

    def claim(self, hello: Hello) -> Guest:
        try:
            return self.seating.claim(hello)
        except SeatRefusedError:
            if len(self.waiting) >= MOST_WAITING:
                raise
            return _Waiting(self, hello)

    def complain(self, fault: SeatFault) -> None:
        self.seating.complain(fault)


class _Waiting:
    """A bot that waits for a seat, and then has one."""

    def __init__(self, door: _Door, hello: Hello) -> None:
        self.hello = hello
        self.link: ClientLink | None = None  # None until it is attached
        self._door = door
        self._player: WebsocketPlayer | None = None  # its seat; None while it waits
        door.waiting.append(self)

    async def attach(self, link: ClientLink) -> None:
        self.link = link

    async def sit_down(self, player: WebsocketPlayer) -> None:
        """Take a seat."""
        assert self.link is not None
        self._door.waiting.remove(self)
        self._player = player
        await player.attach(self.link)

    def lose(self, link: ClientLink, why: str) -> None:
        if self._player is not None:
            self._player.lose(link, why)
        elif self in self._door.waiting:
            self._door.waiting.remove(self)
