"""People play against the players of a ladder, at tables of their own.

/play/                           choose whom to play with and against: `?opponents=N`, and
                                 `partner` and `boards`
/play/tables/KEY/                a table before it begins; KEY invites whoever knows it
/play/tables/KEY/begin           begin to play
/play/tables/KEY/leave           leave the table
/play/tables/KEY/seat/           the seat of who has one, as at every event
/play/tables/KEY/boards/N/       what others made of a board, once it was played there
/play/tables/KEY/boards/N/replay the same board, card by card
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.tournaments.ladder.ladder_file import LadderDefinition
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.people.people_tables import (
    SIDES,
    Deal,
    far_weaker,
    opponents_of_people,
    table_event,
    unseen_deals,
)
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.web.common.doors import form_page
from bridge_arena.web.common.forms import form_fields
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.serving import Page
from bridge_arena.web.ladder.pages import ladder_page
from bridge_arena.web.ladder.people.field import field_row, replay
from bridge_arena.web.ladder.people.open_tables import (
    LONGEST_NAME,
    OpenTable,
    OpenTables,
    RefusedError,
    Visitors,
    person_name,
)
from bridge_arena.web.ladder.people.people_table import Guest, PeopleTable, Stage, Terms
from bridge_arena.web.ladder.reading import reading

_FOLDER = Path(__file__).parent

BOARDS = (1, 2, 4, 8)
"""How many boards a table may play."""

FORM_SECONDS = 5.0
"""The seconds for which the form may show players as they were."""

_MOST_ROWS = 100
"""The most tables on the page of a board."""

_KEPT_PAGES, _PAGE_SECONDS = 64, 30.0
"""The most pages of boards that are kept, and the seconds for which they may stay as they were."""

_HOME = "../../../../../"
"""The way from the page of a board to that of the leaderboard."""

_NUMBER = re.compile("[1-9][0-9]{0,5}")

Choices = tuple[str, list[Player], dict[int, str]]
"""A ladder's name, who may be played against by name, and the names of the others by number."""

P = ParamSpec("P")
T = TypeVar("T")


class PeoplePages:
    """The pages on which people choose whom to play against, and play."""

    def __init__(
        self,
        tables: OpenTables,
        visitors: Visitors,
        board: Callable[[], LadderBoard | None] = lambda: None,
    ) -> None:
        """Serve the pages; `board` returns the leaderboard, or None if it is not known yet."""
        self._tables = tables
        self._board = board
        self._store = tables.store
        self._visitors = visitors
        self._choices = KeptPages[Choices](1, FORM_SECONDS)
        self._pages = KeptPages[Page](_KEPT_PAGES, _PAGE_SECONDS)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        table = "/play/tables/{key}"
        return [
            Route("/play/", self.choose, methods=["GET"]),
            Route("/play/", self.open, methods=["POST"]),
            Route(f"{table}/", self.table, methods=["GET"]),
            Route(f"{table}/", self.sit_down, methods=["POST"]),
            Route(f"{table}/begin", self.begin, methods=["POST"]),
            Route(f"{table}/leave", self.leave, methods=["POST"]),
            Route(f"{table}/boards/{{number}}/", self.field),
            Route(f"{table}/boards/{{number}}/replay", self.replay),
            Mount(table, app=self.seat),
        ]

    async def choose(self, request: Request) -> Response:
        """Answer with the form by which a table is opened."""
        return await self._form(request, request.query_params)

    async def _form(
        self, request: Request, given: Mapping[str, str], problem: str = "", status: int = 200
    ) -> Response:
        """Return the form with what was given for it."""
        self._choices.note_change()
        try:
            title, players, others = await self._choices.page(
                (), partial(reading, self._read_choices)
            )
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None
        opponents = _number_of(given, "player") or _number_of(given, "opponents")
        return form_page(
            template("play.html"),
            status,
            title=f"Play: {title}",
            static="../static/",
            home="../",
            is_live=True,
            players=players,
            chosen={
                "partner": _number_of(given, "partner") or self._partner(players, opponents),
                "opponents": opponents,
            },
            unavailable=others.get(opponents),
            boards=BOARDS,
            number_chosen=_number_of(given, "boards") or 4,
            name=given.get("name", "")[:LONGEST_NAME] or self._visitors.name(request),
            longest=LONGEST_NAME,
            problem=problem,
        )

    def _partner(self, players: Sequence[Player], opponents: int) -> int:
        """Return the best player who is not an opponent; 0 if nobody else is there."""
        there = [player.number for player in players if player.number != opponents]
        board = self._board()
        ranked = [] if board is None else [row.player.number for row in board.ranked]
        return next((number for number in [*ranked, *there] if number in there), 0)

    def _read_choices(self) -> Choices:
        definition, players = self._players()
        every = self._store.players()
        by_name = sorted(players.values(), key=lambda player: player.name.casefold())
        others = {number: every[number].name for number in every if number not in players}
        return definition.name, by_name, others

    async def open(self, request: Request) -> Response:
        """Open a table, and begin to play there unless others are to be invited."""
        given = await form_fields(request)
        try:
            definition, players = await reading(self._players)
            name = await reading(self._name, given.get("name") or "Guest")
            most = most_tables(definition)
            one = self._tables.open(_terms(given, definition, players), request, most)
            visitor, give = self._visitors.welcome(request)
            answer = RedirectResponse(f"tables/{one.table.key}/", status_code=303)
            one.table.take(request, answer, Seat.SOUTH, Guest(name, visitor))
            give(answer)
            if given.get("name"):
                self._visitors.remember(request, answer, name)
            if "invite" not in given:
                await self._begin(one)
        except RefusedError as error:
            return await self._form(request, given, str(error), error.status)
        return answer

    def _players(self) -> tuple[LadderDefinition, dict[int, Player]]:
        definition = self._store.definition()
        return definition, opponents_of_people(self._store, definition)

    def _name(self, text: str, others: Iterable[str] = ()) -> str:
        """Return the name that a person gives, which is no player's. Raises RefusedError."""
        return person_name(
            text, [*others, *(player.name for player in self._store.players().values())]
        )

    async def _begin(self, one: OpenTable) -> None:
        """Begin to play on deals that nobody there has seen. Raises RefusedError."""
        table = one.table
        people = [guest.visitor for guest in table.guests.values()]
        lots = random.SystemRandom()
        why = "No match of so many boards is over that you have not seen. Try fewer boards."
        table.stage = Stage.PLAYING  # so that nobody else begins it meanwhile
        terms = table.terms
        try:
            board = self._board()
            weak = set() if board is None else far_weaker(board, terms.players)
            deals = await reading(
                unseen_deals, self._store, people, terms.players, terms.boards, lots, weak
            )
            if not deals:
                raise RefusedError(why, 409)
            await reading(self._note, table, deals[0])
            if table.is_left:
                why = "Everybody has left."
                raise RefusedError(why, 409)
            self._tables.begin(one, deals)
        finally:
            if one.playing is None:
                table.close(why)

    def _note(self, table: PeopleTable, deal: Deal) -> None:
        """Note the first deal for all people at a table: none is dealt its match again."""
        for seat, guest in table.guests.items():
            self._store.people.begin(deal.name, guest.visitor, table.people, seat)

    async def table(self, request: Request) -> Response:
        """Answer with a table that has not begun, or lead to the seat there."""
        one = self._one(request)
        table = one.table
        seat = table.seat_of(request)
        if seat is not None and table.pages(seat) is not None:
            return RedirectResponse("seat/", status_code=303)
        return self._table_page(request, one, seat)

    def _table_page(
        self,
        request: Request,
        one: OpenTable,
        seat: Seat | None,
        problem: RefusedError | None = None,
    ) -> Response:
        table = one.table
        return form_page(
            template("play_table.html"),
            200 if problem is None else problem.status,
            title=table.terms.title,
            static="../../../static/",
            home="../../../",
            is_live=True,
            table=table,
            stage=table.stage.name.lower(),
            own=seat,
            names=[(place, table.names[place], place in table.guests) for place in SEATS],
            host=next((guest.name for guest in table.guests.values()), ""),
            closes=self._tables.closes(one),
            name=self._visitors.name(request),
            longest=LONGEST_NAME,
            problem="" if problem is None else str(problem),
        )

    async def sit_down(self, request: Request) -> Response:
        """Give a free seat to a browser that has none at this table."""
        one = self._one(request)
        given = await form_fields(request)
        if one.table.seat_of(request) is not None:
            return RedirectResponse("./", status_code=303)
        visitor, give = self._visitors.welcome(request)
        answer = RedirectResponse("./", status_code=303)
        try:
            others = [guest.name for guest in one.table.guests.values()]
            name = await reading(self._name, given.get("name", ""), others)
            guest = Guest(name, visitor)
            _take(one.table, request, answer, given.get("seat", ""), guest)
        except RefusedError as error:
            return self._table_page(request, one, None, error)
        give(answer)
        self._visitors.remember(request, answer, name)
        return answer

    async def begin(self, request: Request) -> Response:
        """Begin to play, as who has a seat wants it."""
        one = self._one(request)
        await form_fields(request)
        if one.table.seat_of(request) is None:
            raise HTTPException(403)
        if one.table.stage is Stage.WAITING:
            with suppress(RefusedError):  # which the page of the table says
                await self._begin(one)
        return RedirectResponse("./", status_code=303)

    async def leave(self, request: Request) -> Response:
        """Take the seat from the browser that asks, and close the table if no person is left."""
        one = self._one(request)
        await form_fields(request)
        if (seat := one.table.seat_of(request)) is None:
            raise HTTPException(403)
        where = "../../" if one.table.terms.day is None else "../../../today/"
        answer = RedirectResponse(f"{where}{one.table.terms.again}", status_code=303)
        if one.table.leave(request, answer, seat):
            await self._tables.leave(one)
        return answer

    async def seat(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the pages of the seat that its browser has."""
        one = self._tables.table(scope["path_params"]["key"])
        connection = HTTPConnection(scope)
        seat = None if one is None else one.table.seat_of(connection)
        pages = None if one is None or seat is None else one.table.pages(seat)
        if pages is not None:
            await pages(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            raise HTTPException(404)

    async def field(self, request: Request) -> Response:
        """Answer with what others made of a board that was played at a table."""
        one = self._one(request)
        if one.table.terms.day is not None:
            return RedirectResponse("../../../../../today/", status_code=303)
        number, seat, deal, record = self._played(one, request)
        here = {guest.visitor for guest in one.table.guests.values()}

        def make() -> str:
            others = [
                (board.name, board.record)
                for board in self._store.people.of_deal(deal.name, most=_MOST_ROWS)
                if board.record is not None and board.person not in here
            ]
            rows = [
                field_row(name, played, deal.datum, seat.side, is_own=played is record)
                for name, played in (*_tables_of(deal, record), *others)
            ]
            return ladder_page(
                _FOLDER / "field.html",
                deal.title,
                home=_HOME,
                is_live=True,
                side=SIDES[seat.side],
                rows=rows[:_MOST_ROWS],
                datum=deal.datum,
                number=number,
            )

        return await self._made((one.table.key, number, seat.side), make, request)

    async def replay(self, request: Request) -> Response:
        """Answer with the replay of a board that was played at a table."""
        one = self._one(request)
        if one.table.terms.day is not None:
            return RedirectResponse("../../../../../today/", status_code=303)
        number, _, deal, record = self._played(one, request)
        up = "./", "What others made of it"
        make = partial(replay, deal.title, _tables_of(deal, record), _HOME, up)
        return await self._made((one.table.key, number), make, request)

    async def _made(self, key: Hashable, make: Callable[[], str], request: Request) -> Response:
        """Answer with a page of a board, which is made in a thread unless it is kept."""

        def made() -> Page:
            return Page(make().encode(), "text/html; charset=utf-8")

        self._pages.note_change()
        try:
            return (await self._pages.page(key, partial(reading, made))).answer(request)
        except asyncio.QueueFull:
            raise HTTPException(503, headers={"retry-after": "5"}) from None

    def _one(self, request: Request) -> OpenTable:
        """Return the table of a request. Raises HTTPException if there is none."""
        one = self._tables.table(request.path_params["key"])
        if one is None:
            raise HTTPException(404, "There is no such table any more.")
        return one

    def _played(self, one: OpenTable, request: Request) -> tuple[int, Seat, Deal, BoardRecord]:
        """Return a board that the browser has played at a table. Raises HTTPException."""
        number, seat = request.path_params["number"], one.table.seat_of(request)
        played = {str(place): board for place, board in enumerate(one.table.played, 1)}
        if seat is None or number not in played:
            raise HTTPException(404)
        return int(number), seat, *played[number]


def _tables_of(deal: Deal, record: BoardRecord) -> list[tuple[str, BoardRecord]]:
    """Return the tables that a person may compare, the own one first."""
    return [("Your table", record), *((table.name, table.record) for table in deal.field)]


def most_tables(definition: LadderDefinition) -> int:
    """Return the most tables for people at once. Raises RefusedError if there are none."""
    if definition.people is None:
        raise RefusedError("Nobody can be played against here.", 404)
    return definition.people.tables


def _number_of(given: Mapping[str, str], field: str) -> int:
    """Return the number in a field; 0 if there is none."""
    text = given.get(field, "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _terms(
    given: Mapping[str, str], definition: LadderDefinition, players: Mapping[int, Player]
) -> Terms:
    """Return what a form asks to play. Raises RefusedError."""
    bots = {
        side: _player(players, given.get(field, ""))
        for side, field in ((Side.NS, "partner"), (Side.EW, "opponents"))
    }
    boards = given.get("boards", "")
    if boards not in map(str, BOARDS):
        raise RefusedError("Choose the number of boards.", 400)
    title = f"{definition.name}: {bots[Side.NS].name} – {bots[Side.EW].name}"
    return Terms(
        title,
        int(boards),
        {side: bot.name for side, bot in bots.items()},
        partial(table_event, definition, title, int(boards), bots),
        [bots[side].number for side in (Side.EW, Side.NS)],
        f"?partner={bots[Side.NS].number}&opponents={bots[Side.EW].number}&boards={boards}",
    )


def _take(table: PeopleTable, request: Request, answer: Response, seat: str, guest: Guest) -> None:
    """Give a free seat, by its letter, to the browser that asks. Raises RefusedError."""
    free = {place.letter: place for place in table.free}
    if seat not in free or not table.take(request, answer, free[seat], guest):
        raise RefusedError("This seat is taken.", 409)


def _player(players: Mapping[int, Player], number: str) -> Player:
    """Return a player who may be played against. Raises RefusedError."""
    player = players.get(int(number)) if _NUMBER.fullmatch(number) else None
    if player is None:
        raise RefusedError("Choose players who are there.", 400)
    return player


def template(name: str) -> Path:
    return Path(__file__).with_name(name)
