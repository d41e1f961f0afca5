"""The board of a day: the same sealed board for everybody, at the same table.

It is drawn a day before, and its commitment is public from then on. Each person sits South, with
the same bot in the other three seats. So do the other bots, and their mean is what people are
compared with. All of it is public once the day is over, in UTC.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.bridge.seeds import DealKey, DealSource
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.tournaments.events.boards import BoardSupply, GivenBoard
from bridge_arena.tournaments.events.entries import definition_of
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealed_deals import Commitment, Sealing, source_of
from bridge_arena.tournaments.ladder.ladder_file import LadderDefinition
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.matches import FAILURES
from bridge_arena.tournaments.ladder.people.people_tables import (
    BOARD_SECONDS,
    Deal,
    Venues,
    datum_of,
    opponents_of_people,
    table_event,
    worth,
)
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.people_store import KeptDay, PeopleStore, PersonsBoard
from bridge_arena.tournaments.schedule.event_files import header_of
from bridge_arena.tournaments.schedule.units import Unit

SEAT = Seat.SOUTH
"""Where everybody sits."""

MOST_BOTS = 8
"""The most bots that play it, the highest ratings first."""

_CONDITIONS = 16
"""The boards of the event, of which one is played: they differ in dealer and vulnerability."""


@dataclass(frozen=True, slots=True)
class DailyBoard:
    """The board of a day."""

    day: date  # in UTC
    event: Event
    sealing: Sealing  # its key is secret until the day is over

    @classmethod
    def draw(cls, day: date, definition: LadderDefinition, bot: Player) -> DailyBoard:
        """Draw the board of a day, with a bot in the seats that no person has."""
        bots = dict.fromkeys(Side, bot)
        event = table_event(definition, f"{definition.name} {day}", _CONDITIONS, bots, [SEAT])
        return cls(day, event, Sealing.of(event))

    @classmethod
    def of(cls, kept: KeptDay) -> DailyBoard:
        """Return the board of a day as it is kept."""
        event = Event.model_validate_json(kept.definition)
        sealing = Sealing(kept.definition, DealKey.parse(kept.key))
        return cls(date.fromisoformat(kept.day), event, sealing)

    @property
    def kept(self) -> KeptDay:
        """The same as it is kept."""
        return KeptDay(str(self.day), self.sealing.definition, str(self.sealing.key))

    @property
    def bot(self) -> str:
        """The bot in the seats that no person has."""
        return self.event.entries[Side.EW].party().at(Seat.EAST).spec

    @property
    def given(self) -> GivenBoard:
        """The board, which is secret until the day is over."""
        supply = BoardSupply(self._source, self.event.mode)
        return supply.board(1 + self.day.toordinal() % _CONDITIONS)

    @property
    def deal(self) -> Deal:
        """The board for people, whose field may not be known yet."""
        return Deal(str(self.day), f"The board of {self.day}", self.given, (), self._source)

    @property
    def _source(self) -> DealSource:
        return source_of(self.event, self.sealing)

    def pbn(self, record: BoardRecord | None) -> str:
        """Return the proof of the deal as a PBN file, with one table that played it."""
        known = Commitment(self.sealing.definition, self.sealing.digest, key=self.sealing.key)
        played = "" if record is None else format_canonical(game_of(record))
        return header_of(self.event, known) + played


def day_of(store: PeopleStore, day: date) -> DailyBoard | None:
    """Return the board of a day; None if none was drawn. Raises StoreError."""
    kept = store.day(str(day))
    return None if kept is None else DailyBoard.of(kept)


def draw_day(store: LadderStore, day: date) -> DailyBoard | None:
    """Return the board of a day, which is drawn unless that was done.

    None if people cannot play there, or no bot that ships is there. Raises StoreError.
    """
    if (known := day_of(store.people, day)) is not None:
        return known
    bots = bots_of_days(store)
    if not bots:
        return None
    drawn = DailyBoard.draw(day, store.definition(), bots[0])
    store.people.add_day(drawn.kept)
    return day_of(store.people, day)  # another process may have been first


def bots_of_days(store: LadderStore) -> list[Player]:
    """Return the bots that play boards of days, the highest rating first. Raises StoreError.

    They ship, so that their definitions tell nothing of this machine and can be published.
    """
    playable = opponents_of_people(store, store.definition())
    return [
        row.player
        for row in leaderboard(store).ranked
        if row.player.number in playable and _is_public(row.player)
    ][:MOST_BOTS]


def _is_public(player: Player) -> bool:
    entrant = player.entrant
    return not entrant.env and not entrant.dir and all(bot.ships for bot in entrant.known_players)


async def play_field(
    store: LadderStore, drawn: DailyBoard, venues: Venues, is_open: Callable[[], bool]
) -> bool:
    """Have the bots play the board of a day that have not; return whether all have.

    What comes after the day does not count, as its results are public then. Raises StoreError.

    Args:
        store: The store of the ladder.
        drawn: The board.
        venues: Where it is played.
        is_open: Returns whether the day is not over.
    """
    deal = drawn.deal
    boards = await asyncio.to_thread(store.people.of_deal, deal.name)
    known = {board.person for board in boards if board.record is not None}
    bots = await asyncio.to_thread(bots_of_days, store)
    missing = [bot for bot in bots if f"bot {bot.number}" not in known]
    for bot in missing:
        played: list[BoardRecord] = []

        def keep(
            _: Unit, record: BoardRecord | None, played: list[BoardRecord] = played
        ) -> BoardRecord | None:
            if record is not None and record.is_finished:
                played.append(record)
            return record

        with suppress(*FAILURES, OSError, TimeoutError):
            async with asyncio.timeout(BOARD_SECONDS):
                await venues.play(_event_of(drawn, bot), [deal.given], keep, source=deal.source)
        if not is_open():
            break
        for record in played:
            person = f"bot {bot.number}"
            await asyncio.to_thread(store.people.begin, deal.name, person, bot.name, SEAT)
            await asyncio.to_thread(store.people.end, deal.name, person, record)
            known.add(person)
    return all(f"bot {bot.number}" in known for bot in bots)


def _event_of(drawn: DailyBoard, bot: Player) -> Event:
    """Return the event of the board of a day with a bot in the seat of people."""
    home, visitors = drawn.event.entries
    spec = definition_of(bot.entrant.party().at(SEAT).spec)
    home = home.model_copy(update={"bot": home.bot.replace(f"human:{SEAT}", spec)})
    return drawn.event.model_copy(update={"entries": (home, visitors)})


# What came of it.


@dataclass(frozen=True, slots=True)
class DayResult:
    """What came of the board of a day at one table."""

    board: PersonsBoard
    record: BoardRecord
    is_bot: bool
    imps: int | None  # against the bots' datum; None if no bot has played it

    @property
    def rank_by(self) -> int:
        """What its rank comes from: its IMPs, or its points if no bot has played the board."""
        return (self.board.score or 0) if self.imps is None else self.imps


@dataclass(frozen=True, slots=True)
class DayResults:
    """What came of the board of a day, the best first; public once the day is over."""

    datum: int | None  # the mean of the bots, in points of North-South; None if none has played
    results: tuple[DayResult, ...]


def results_of(store: PeopleStore, drawn: DailyBoard) -> DayResults:
    """Return what came of the board of a day. Raises StoreError."""
    boards = store.of_deal(str(drawn.day))
    reference = datum_of([board.score for board in boards if _is_bot(board)])
    results = [
        DayResult(board, board.record, _is_bot(board), worth(board.score, reference, SEAT.side))
        for board in boards
        if board.record is not None
    ]
    results.sort(key=lambda one: (one.rank_by, one.board.score or 0), reverse=True)
    return DayResults(reference, tuple(results))


def _is_bot(board: PersonsBoard) -> bool:
    return board.person.startswith("bot ")
