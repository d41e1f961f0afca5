"""One table at which people play against players of a ladder.

It waits until it is begun, so that others may take seats. Those that nobody has taken are the
bots'. It is the live arena of an event of its own, with the pages of seats that every event has.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import Any, cast

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.annotations import portable
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import Event, StoreError, Unit
from bridge_arena.tournaments.ladder.matches import FAILURES
from bridge_arena.tournaments.ladder.people.people_tables import (
    BOARD_SECONDS,
    Deal,
    Venues,
    secrets_of,
)
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.web.board.of_records import summary_of
from bridge_arena.web.common.doors import Door, SecretLinks
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.seat.afterwards import About, Afterwards
from bridge_arena.web.seat.application import SeatPages
from bridge_arena.web.seat.people import Chair, Offers, PeopleSeats
from bridge_arena.web.seat.scorecard import RESULT, SeatedUnit, Section


class Stage(Enum):
    """Where a table stands."""

    WAITING = 1  # people may take seats
    PLAYING = 2
    OVER = 3


@dataclass(frozen=True, slots=True)
class Guest:
    """A person at a table."""

    name: str  # the name that the person gave
    visitor: str  # the hash of the cookie by which the person's browser is known again


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played at a table, and against whom."""

    title: str
    boards: int
    names: Mapping[Side, str]  # of the bots that play the seats of a side that no person has
    event: Callable[[Collection[Seat]], Event]  # makes the event, by the seats of people
    players: Sequence[int] = ()  # the bots, by their numbers on the ladder; the opponents first
    again: str = ""  # the query by which the form has the same choices
    day: date | None = None  # whose board it is, for one person alone; None for others


@dataclass(frozen=True, slots=True)
class TableServices:
    """What all tables of a ladder share."""

    store: LadderStore
    venues: Venues
    oracle: Oracle
    static: BaseRoute
    today: Callable[[], date]  # in UTC


class PeopleTable:
    """A table.

    Args:
        key: Its name in addresses, which nobody can guess: it is the invitation.
        path: The path of its pages, which ends in `/`.
        terms: What is played.
        address: The address of the server.
    """

    def __init__(self, key: str, path: str, terms: Terms, address: str) -> None:
        self.key = key
        self.terms = terms
        self.stage = Stage.WAITING
        self.trouble = ""  # why it ended early, as a sentence; "" if it did not
        self.guests: dict[Seat, Guest] = {}
        self._left: set[Seat] = set()  # those that their persons have left during play
        self.deals: Sequence[Deal] = ()
        # What became of each deal that was played to its end, in order.
        self.played: list[tuple[Deal, BoardRecord]] = []
        self._links = SecretLinks()
        self._address = address
        secure = address.startswith("https:")
        self._door = Door(self._links, "seat", secure=secure, path=path)
        self._people: TablePeople | None = None
        self._pages: Starlette | None = None

    def seat_of(self, connection: HTTPConnection) -> Seat | None:
        """Return the seat of a browser; None if it has none here."""
        letter = self._door.person(connection)
        return None if letter is None else Seat.parse(letter)

    def take(self, request: Request, answer: Response, seat: Seat, guest: Guest) -> bool:
        """Give a seat to the browser that asks, unless it is taken or play has begun."""
        if self.stage is not Stage.WAITING or seat in self.guests:
            return False
        self.guests[seat] = guest
        self._door.admit(request, answer, seat.letter)
        return True

    @property
    def free(self) -> list[Seat]:
        """The seats that a person may take now."""
        may_be = self.stage is Stage.WAITING and self.terms.day is None
        return [seat for seat in SEATS if may_be and seat not in self.guests]

    @property
    def people(self) -> str:
        """The names of the people who sit there."""
        return ", ".join(guest.name for guest in self.guests.values())

    @property
    def names(self) -> dict[Seat, str]:
        """The names of those who sit there, or would if it began now."""
        return {
            seat: self.guests[seat].name if seat in self.guests else self.terms.names[seat.side]
            for seat in SEATS
        }

    def leave(self, request: Request, answer: Response, seat: Seat) -> bool:
        """Take a seat from the browser that has it; return whether no person is left."""
        self._door.leave(request, answer)
        self._left.add(seat)
        if self.stage is Stage.WAITING:
            del self.guests[seat]
            self._left.discard(seat)
        return self.is_left

    @property
    def is_left(self) -> bool:
        """Whether no person is left at the table."""
        return self._left.issuperset(self.guests)

    def close(self, why: str) -> None:
        """Close the table, which does not begin, and say why in a sentence."""
        self.stage, self.trouble = Stage.OVER, why

    def pages(self, seat: Seat) -> Starlette | None:
        """Return the pages of who has a seat; None before it is awaited there."""
        if self._people is None or self._people.chair(seat.letter) is None:
            return None
        return self._pages

    async def play(self, services: TableServices, deals: Sequence[Deal]) -> None:
        """Play deals with who sits there, and keep the results."""
        self.stage, self.deals = Stage.PLAYING, deals
        saving: list[asyncio.Task[None]] = []

        def keep(unit: Unit, record: BoardRecord | None) -> BoardRecord | None:
            if record is None or not record.is_finished:
                self.trouble = "A player left the table."
                return record
            deal = deals[unit.board - 1]
            north, east, south, west = (portable(self.names[seat]) for seat in SEATS)
            record = replace(record, players=(north, east, south, west))
            self.played.append((deal, record))
            saving.append(
                asyncio.create_task(asyncio.to_thread(self._save, services, deal, record))
            )
            return record

        try:
            event = self.terms.event([*self.guests])
            secrets = await asyncio.to_thread(secrets_of, services.store)
            given = [deal.given for deal in deals]
            async with self._shown(event, services) as arena:
                async with asyncio.timeout(BOARD_SECONDS * len(deals)):
                    source = deals[0].source if deals else None
                    await services.venues.play(event, given, keep, arena, secrets, source)
                await arena.over()
        except TimeoutError:
            self.trouble = "The time of this table is over."
        except (*FAILURES, OSError, StoreError):
            self.trouble = "A bot could not play."
        finally:
            self.stage = Stage.OVER
            await asyncio.gather(*saving, return_exceptions=True)

    @asynccontextmanager
    async def _shown(self, event: Event, services: TableServices) -> AsyncIterator[LiveArena]:
        """Show the seats of an event, as long as the context is entered."""
        people = TablePeople(event, self._address, self._links, self.names)
        arena = LiveArena(event, people)
        afterwards = _Afterwards(self, arena, people, Kibitzing(services.oracle, {}))
        offers = Offers(
            another="" if self.terms.day else f"../../../{self.terms.again}",
            leave="../leave",
            home="../../../../",
            ending="that was your last board",
        )
        seats = SeatPages(arena, people, services.oracle, afterwards, offers, self._door)
        self._people = people
        self._pages = Starlette(routes=[*seats.seat_routes(), services.static])
        try:
            yield arena
        except BaseException:
            arena.give_up()
            people.send_away("the table is over")
            raise
        finally:
            people.close()

    def _save(self, services: TableServices, deal: Deal, record: BoardRecord) -> None:
        if self.terms.day is not None and self.terms.day != services.today():
            return  # all is public by now, and could be read while it was played
        # Once for all who sit there, by their names together.
        seat, first = next(iter(self.guests.items()))
        services.store.people.begin(deal.name, first.visitor, self.people, seat)
        services.store.people.end(deal.name, first.visitor, record)


class TablePeople(PeopleSeats):
    """The people of a table, by the letters of their seats: their names may be any text."""

    def __init__(
        self, event: Event, address: str, links: SecretLinks, names: Mapping[Seat, str]
    ) -> None:
        super().__init__(event, address, lambda _: None)
        self.links = links
        self._names = names

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        super().await_person(entry_seat, place)
        self._chairs[entry_seat.person].person = self._names[entry_seat.seat]

    def chair(self, person: str | None) -> Chair | None:
        return next(
            (
                chair
                for chair in self._chairs.values()
                if person in {seat.letter for seat in chair.entry_seats}
            ),
            None,
        )

    def send_away(self, why: str) -> None:
        """Cut the connections of all who sit there."""
        for chair in self._chairs.values():
            for place in chair.places.values():
                place.part(why)

    def players(self, unit: Unit) -> list[str]:
        del unit
        return [self._names[seat] for seat in SEATS]


class _Afterwards(Afterwards):
    """What people are told of boards that are over: also what the field made of them."""

    def __init__(
        self, table: PeopleTable, arena: LiveArena, people: TablePeople, kibitzing: Kibitzing
    ) -> None:
        super().__init__(arena, people, kibitzing, None)
        self._table = table

    def about(self, chair: Chair) -> About:
        about = super().about(chair)
        over = cast("dict[str, Any] | None", about.get("over"))
        if over is not None:
            number = int(over["key"].rpartition("-")[2])
            deal = self._table.deals[number - 1]
            over["tables"] += [
                {key: value for key, value in shown.items() if key in RESULT}
                for shown in (summary_of(one.record, 1, one.name) for one in deal.field)
            ]
            if self._table.terms.day is None:
                over["href"] = f"../boards/{number}/"
                over["link"] = f"What others made of {deal.title[0].lower()}{deal.title[1:]}"
            else:
                over["href"], over["link"] = "../../../../today/", "The board of the day"
        return about

    def _new_scorecard(self, seated: Sequence[SeatedUnit]) -> list[Section]:
        sections = super()._new_scorecard(seated)
        for section in sections:
            total = 0
            for line, (unit, seat) in zip(section["lines"], seated, strict=True):
                deal = self._table.deals[unit.board - 1]
                imps = deal.worth(self.arena.played[unit.id], seat.side)
                if imps is not None:
                    total += imps
                    line["worth"], line["total"] = imps, total
                    section["total"] = total
            section["scope"] = "table"
            if self._table.terms.day is None:
                section["against"] = "the bots' mean"
        return sections
