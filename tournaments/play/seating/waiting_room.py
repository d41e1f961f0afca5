"""Where bots that connect by themselves wait from one match to the next.

A bot that comes while no match needs it is taken in, and is welcomed only when it gets a seat. So
whoever draws matches knows who is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import AsyncExitStack, suppress
from typing import Any

from bridge_arena.base.wording import one_line
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import FINAL, Hello
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import Gateway, Guest, NotAdmittedError
from bridge_arena.server.link import ClientLink
from bridge_arena.server.seating import Seating, SeatRefusedError
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.play.seating.bluechip_room import BlueChipRoom
from bridge_arena.tournaments.play.venue import KIBITZER, PublicEndpoint

MOST_WAITING = 16
"""The most connections of one owner that wait."""

GONE, BANNED = "its token was replaced, or it is let in no more", "its player is banned"
"""What is said to who is cut off; what is said of a ban, also to who comes with a good token."""

_LONGEST_NAME = 100
"""The most characters of what bots say of themselves that are kept."""


class WaitingRoom:
    """The gateway to all matches, which listens while its context is entered, and who waits there.

    Entering raises GatewayError.
    """

    def __init__(self, endpoint: PublicEndpoint) -> None:
        # The owners who are let in; None for anybody with a token.
        self.let_in: Collection[str] | None = None
        # Those who are told that they are banned.
        self.banned: Collection[str] = ()
        self._owner = endpoint.owner
        self._doors: dict[str, _Door] = {}
        self._gateway = Gateway(
            self._admit, host=endpoint.host, port=endpoint.port, tls=endpoint.tls
        )
        # Where Blue Chip programs stay; None if none are expected.
        self.programs: BlueChipRoom | None = None
        if endpoint.bluechip_port is not None:
            self.programs = BlueChipRoom(endpoint.host, endpoint.bluechip_port)
        self._contexts = AsyncExitStack()

    async def __aenter__(self) -> WaitingRoom:
        async with AsyncExitStack() as contexts:
            await contexts.enter_async_context(self._gateway)
            if self.programs is not None:
                await contexts.enter_async_context(self.programs)
            self._contexts = contexts.pop_all()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._contexts.__aexit__(*error)

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

    def versions(self, owner: str) -> list[str]:
        """Return what the waiting bots of an owner say of themselves, each once."""
        return sorted({_version(guest.hello) for guest in self._door(owner).waiting})

    def expect(self, owner: str, version: str) -> None:
        """Give the seats of an owner from now on only to bots that say a version."""
        self._door(owner).version = version

    def look(self) -> None:
        """Cut off who came with a token that was replaced, or is let in no more."""
        for owner, door in list(self._doors.items()):
            if door.token and self._owner_of(door.token) != owner:
                self._renew(owner, BANNED if owner in self.banned else GONE)

    def is_seated(self, owner: str) -> bool:
        """Return whether all seats of an owner have their bots."""
        return self.seating(owner).is_full

    async def seat(self, owner: str) -> None:
        """Give those who wait the seats that are open."""
        door = self._door(owner)
        for guest in list(door.waiting):
            if guest not in door.waiting:
                continue  # it has gone, or got a seat, since others were given theirs
            if (player := door.seat_for(guest.hello)) is not None:
                await guest.sit_down(player)

    def _admit(self, token: str) -> _Door | None:
        owner = self._owner_of(token)
        if owner is None:
            if self._owner(token) in self.banned:
                raise NotAdmittedError(BANNED)
            return None
        door = self._door(owner)
        if door.token not in ("", token):
            door = self._renew(owner, GONE)
        door.token = token
        return door

    def _owner_of(self, token: str) -> str | None:
        owner = self._owner(token)
        is_let_in = self.let_in is None or owner in self.let_in
        return owner if is_let_in and owner != KIBITZER else None

    def _renew(self, owner: str, why: str) -> _Door:
        """Shut the door of a token that is no longer good; return that of the next."""
        old = self._doors[owner]
        old.shut(why)
        self._doors[owner] = _Door(old.seating, old.version)
        return self._doors[owner]

    def _door(self, owner: str) -> _Door:
        return self._doors.setdefault(owner, _Door(Seating()))


def _version(hello: Hello) -> str:
    return one_line(hello.program, _LONGEST_NAME)


class _Door:
    """What the token of an owner opens: seats, and before there are any a place to wait."""

    def __init__(self, seating: Seating, version: str = "") -> None:
        self.seating = seating
        self.waiting: list[_Waiting] = []
        self.token = ""  # the token that opens it; "" until somebody has come
        self.version = version  # what bots say that may take a seat; "" for anything
        self._shut = ""  # why it is shut; "" while it is open

    def seat_for(self, hello: Hello) -> WebsocketPlayer | None:
        """Return the seat that a bot takes; None if there is none for it now."""
        if self.version in ("", _version(hello)):
            with suppress(SeatRefusedError):
                return self.seating.claim(hello)
        return None

    def claim(self, hello: Hello) -> Guest:
        if self._shut:  # the bot came before, and says Hello only now
            raise SeatRefusedError(self._shut)
        player = self.seat_for(hello)
        if player is None and len(self.waiting) >= MOST_WAITING:
            raise SeatRefusedError(f"{MOST_WAITING} bots with this token wait already")
        return player or _Waiting(self, hello)

    def shut(self, why: str) -> None:
        """Cut off all who came by this door, also those who have a seat."""
        self._shut = why
        for guest in self.waiting:
            if guest.link is not None:
                guest.link.cut(FINAL, why)
        self.waiting.clear()
        self.seating.cut_off(why)

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
