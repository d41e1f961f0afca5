"""Card play on many boards in one process: the server's tables, in step and without waiting.

The auctions are given. The judge is the server's table, and every seat sees what it sees there and
has the seed that it has there, so a board ends as in `arena match --mode play`. Thoughts are not
kept, nobody is timed, and no bot is withdrawn for its faults.

Bots that answer on many boards at once (`Bot.play_many`) are asked for all tables in play together.
A bot that is asked one board at a time has an instance for each seat and table, as in a match, so
that what it remembers is of its own board.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from bridge_arena.bots.sdk.client import Bot, answers_many
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, FaultKind, Mode, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import SeatSeeds
from bridge_arena.protocol.decision import LeavingError, answer_to, decide
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import show
from bridge_arena.tournaments import (
    HOME,
    VISITORS,
    GivenBoard,
    team_at,
)
from bridge_arena.tournaments.play.in_process import (
    InProcessBot,
    NamedBot,
    record_of,
    table_for,
)

GivenTable: TypeAlias = tuple[Room, GivenBoard]
"""A board to be played in a room, with the auction that its players are given."""

TABLES = 128
"""Tables in play at once if a bot answers on many boards: networks are fastest at some dozens of
positions, and the two teams share the tables."""

_NOW = 0.0
"""The time at every table: it stands still, so nobody runs out of it."""


def in_both_rooms(boards: Iterable[GivenBoard]) -> Iterator[GivenTable]:
    """Yield each board in the open and in the closed room, with the same auction."""
    return ((room, given) for given in boards for room in Room)


def play(
    teams: tuple[NamedBot, NamedBot], tables: Iterable[GivenTable], source: SeatSeeds
) -> Iterator[BoardRecord]:
    """Play boards whose auctions are given, and yield their records in the order of `tables`.

    The first bot sits North-South in the open room and East-West in the closed one. What a bot
    raises is passed on; TypeError names its method that returned a wrong value.
    """
    many_tables = _ManyTables(teams, source)
    left = iter(tables)
    while some := list(islice(left, many_tables.tables)):
        yield from many_tables.play(some)


_Asking: TypeAlias = Generator[tuple[int, View], Card | None, BoardRecord]
"""The play at a table: it yields the team whose bot answers on many boards and the view of its
turn, is sent the card, and returns the record."""


class _ManyTables:
    def __init__(self, teams: tuple[NamedBot, NamedBot], source: SeatSeeds) -> None:
        self._teams = teams
        self._source = source
        # The bot of each team that answers on many boards; None if it is asked one at a time.
        self._many = [answering(team.make()) for team in teams]
        self.tables = 1 if self._many == [None, None] else TABLES  # the number of tables
        # The players who have sat at each table so far, by table, team and seat.
        self._players: dict[tuple[int, int, Seat], InProcessBot] = {}

    def play(self, tables: Sequence[GivenTable]) -> list[BoardRecord]:
        """Play one board at each table, all in step."""
        plays = [self._play(number, *given) for number, given in enumerate(tables)]
        records: dict[int, BoardRecord] = {}
        # What each table that is not over is sent: a card, or None to begin.
        sent: dict[int, Card | None] = dict.fromkeys(range(len(plays)))
        while sent:
            # The views of the turns at the tables that wait for each team.
            views: tuple[dict[int, View], dict[int, View]] = {}, {}
            for number, card in sent.items():
                try:
                    team, view = plays[number].send(card)
                except StopIteration as ended:
                    records[number] = ended.value
                else:
                    views[team][number] = view
            sent = {}
            for team in (HOME, VISITORS):
                cards = self._cards(team, list(views[team].values()))
                sent |= zip(views[team], cards, strict=True)
        return [records[number] for number in range(len(plays))]

    def _play(self, number: int, room: Room, given: GivenBoard) -> _Asking:
        teams = [team_at(seat.side, room) for seat in SEATS]
        players = [self._player(number, teams[seat], seat) for seat in SEATS]
        table = table_for(room, given.board, self._source, given.auction)
        show(players, table.start(_NOW))
        while (turn := table.only_turn) is not None:
            player, team = players[turn.player], teams[turn.player]
            assert player.view is not None
            if table.play is not None and self._many[team] is not None:
                card = yield team, player.view
                assert card is not None
                events = table.act(turn.player, answer_to(turn, card), _NOW)
            else:
                try:
                    answer = decide(player.bot, player.view, turn)
                    events = table.act(turn.player, answer, _NOW)
                except LeavingError as error:
                    events = table.forfeit(turn.player, FaultKind.REFUSED, str(error))
            show(players, events)
        return replace(record_of(table, room, self._teams), mode=Mode.PLAY)

    def _player(self, number: int, team: int, seat: Seat) -> InProcessBot:
        place = number, team, seat
        if place not in self._players:
            bot = self._many[team] or self._teams[team].make()
            self._players[place] = InProcessBot(Viewer(seat, self._teams[team].is_cheat), bot)
        return self._players[place]

    def _cards(self, team: int, views: Sequence[View]) -> Sequence[Card]:
        bot = self._many[team]
        return () if bot is None or not views else cards_of(bot, views)


def answering(bot: Bot) -> Bot | None:
    """Return the bot if it answers on many boards at once."""
    return bot if answers_many(bot, "play") and bot.play_many(()) is not None else None


def cards_of(bot: Bot, views: Sequence[View]) -> Sequence[Card]:
    cards = bot.play_many(views)
    if (
        cards is None
        or len(cards) != len(views)
        or not all(isinstance(card, Card) for card in cards)
    ):
        raise TypeError(
            f"{type(bot).__name__}.play_many returned {cards!r}, expected {len(views)} cards"
        )
    return cards
