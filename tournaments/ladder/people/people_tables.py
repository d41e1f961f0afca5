"""The tables of a ladder at which people play: who may sit there, and what is dealt.

What is played there counts for no rank. The deals are those of matches that are over, so that a
person can compare: anybody could know them, and nobody plays for anything.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.base.warm_process import WarmProcess
from bridge_arena.bridge.board import by_board
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.scoring import datum, imps
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.bridge.seeds import DealSource
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events.boards import BoardSupply, GivenBoard
from bridge_arena.tournaments.events.entries import Access, definition_of
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealed_deals import new_key
from bridge_arena.tournaments.ladder.ladder_file import LadderDefinition
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.players import Player, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.seating.started_bots import warm_process
from bridge_arena.tournaments.play.venue import Audience, EventInPlay, Keep, VenueOptions
from bridge_arena.tournaments.schedule.units import Match, Unit

CLOCK = "300"
"""The seconds that people have for each action."""

AWAY_SECONDS = 120.0
"""The seconds in which a person must sit down, or come back to a page that was lost."""

TIMEOUTS = 2
"""Who has so often let the time run out is not there any more."""

BOARD_SECONDS = 1800.0
"""The seconds after which a table closes, for each of its boards."""

FAR_WEAKER = 5.0
"""The IMPs a board by which who is rated lower than another is far weaker."""

_LOOKED_AT, _AT_ONCE = 1000, 50
"""How many of the latest matches may be dealt again, and how many are read at once."""

SIDES = {Side.NS: "North-South", Side.EW: "East-West"}
"""The names of the teams at a table."""


@dataclass(frozen=True, slots=True)
class FieldTable:
    """A table of the field: those who played a deal before."""

    name: str  # which table it is
    record: BoardRecord


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal for people, with its field."""

    name: str  # its name in the store
    title: str  # the same in words
    given: GivenBoard
    field: tuple[FieldTable, ...]  # empty if it may not be known yet
    # What the random choices of bots come from, the same at each table; None for a new one.
    source: DealSource | None = None

    @property
    def datum(self) -> int | None:
        """The field's mean, in points of North-South; None if there is none."""
        return datum_of([table.record.score for table in self.field])

    def worth(self, record: BoardRecord, side: Side) -> int | None:
        """Return the IMPs of a result against the datum, seen from a side."""
        return worth(record.score, self.datum, side)


def datum_of(scores: Collection[int | None]) -> int | None:
    """Return the mean of scores, in points of North-South; None if there is none."""
    finished = [score for score in scores if score is not None]
    return datum(finished) if finished else None


def worth(score: int | None, reference: int | None, side: Side) -> int | None:
    """Return the IMPs of North-South's points against a datum, seen from a side."""
    if score is None or reference is None:
        return None
    return imps(score - reference) * (1 if side is Side.NS else -1)


# Who may sit there.


def opponents_of_people(store: LadderStore, definition: LadderDefinition) -> dict[int, Player]:
    """Return the players against whom people may play, by their numbers. Raises StoreError."""
    if definition.people is None:
        return {}
    named = definition.people.bots
    return {
        number: player
        for number, player in store.players().items()
        if player.state is State.ACTIVE
        and is_started_here(player)
        and (player.name in named if named else is_free(player))
    }


def is_started_here(player: Player) -> bool:
    """Return whether the arena starts all bots of a player."""
    bots = player.entrant.known_players
    return bool(bots) and all(bot.access is Access.STARTED for bot in bots)


def is_free(player: Player) -> bool:
    """Return whether the bots of a player ask nobody who may be paid for it."""
    bots = player.entrant.known_players
    return not any(bot.network or bot.asks or bot.cheat for bot in bots)


def secrets_of(store: LadderStore) -> frozenset[str]:
    """Return the environment variables of which only some bots may know. Raises StoreError."""
    bots = (bot for player in store.players().values() for bot in player.entrant.known_players)
    return frozenset(name for bot in bots for name in bot.secrets)


# What is dealt.


def unseen_deals(
    store: LadderStore,
    people: Collection[str],
    players: Sequence[int],
    boards: int,
    lots: random.Random,
    weak: Collection[int] = (),
) -> list[Deal]:
    """Return the deals of a match that is over and that none of some people has seen.

    There are none if they have seen all. Raises StoreError.

    Args:
        store: The store of the ladder.
        people: Who they are, as `PeopleStore` knows them.
        players: The players whose matches are preferred, by their numbers, the first ones most.
        boards: The number of deals.
        lots: What chooses among matches.
        weak: The versions whose matches are dealt only if there are no others.
    """
    known = {deal.partition("/")[0] for person in people for deal in store.people.deals_of(person)}
    own = [
        [version.number for version in store.versions().values() if version.player == player]
        for player in dict.fromkeys(players)
    ]
    for but in (weak, ()) if weak else ((),):
        for versions in (*own, None):
            for number in _matches(store, known, versions, boards, lots, but):
                results = store.archive.results(number)
                if results is None:
                    continue
                deals = list(_deals(number, [played.record for played in results.played]))
                if len(deals) >= boards:
                    return deals[:boards]
    return []


def far_weaker(board: LadderBoard, players: Collection[int]) -> set[int]:
    """Return the versions that are far weaker than the best of some players, by their ratings.

    What they make of a deal tells little: they bid and play wildly.
    """
    ratings = {
        number: rating.value
        for number, version in board.versions.items()
        if (rating := board.ratings[version.number - 1]) is not None
    }
    own = [
        ratings[row.version.number]
        for row in board.ranked
        if row.player.number in players and row.version.number in ratings
    ]
    return {number for number, value in ratings.items() if own and value < max(own) - FAR_WEAKER}


def _matches(
    store: LadderStore,
    known: Collection[str],
    versions: Collection[int] | None,
    boards: int,
    lots: random.Random,
    weak: Collection[int],
) -> Iterator[int]:
    """Yield the numbers of matches that may be dealt again, the latest in any order first."""
    before: int | None = None
    for _ in range(_LOOKED_AT // _AT_ONCE):
        latest = store.archive.latest(_AT_ONCE, versions, before=before)
        may_be = [
            match.number
            for match in latest
            if match.boards >= boards
            and str(match.number) not in known
            and not any(version in weak for version in match.versions)
        ]
        yield from lots.sample(may_be, len(may_be))
        if len(latest) < _AT_ONCE:
            return
        before = latest[-1].number


def _deals(match: int, records: Sequence[BoardRecord]) -> Iterator[Deal]:
    """Yield the deals of a match that were played to their end in both rooms."""
    for board, played in by_board(records).items():
        if len(played) < 2 or not all(record.is_finished for record in played):
            continue
        auction = played[0].calls if played[0].mode is Mode.PLAY else ()
        field = tuple(FieldTable(_table_name(match, record), record) for record in played)
        title = f"Board {board.number} of match {match}"
        yield Deal(f"{match}/{board.number}", title, GivenBoard(board, auction), field)


def _table_name(match: int, record: BoardRecord) -> str:
    north_south, east_west, *_ = record.players
    room = str(record.room or Room.OPEN).lower()
    return f"{north_south} – {east_west} (match {match}, {room} room)"


# How they play.


def table_event(
    definition: LadderDefinition,
    name: str,
    boards: int,
    bots: Mapping[Side, Player],
    people: Collection[Seat],
) -> Event:
    """Return the event of a table: a match of which only the open room is played.

    Args:
        definition: The ladder's.
        name: The event's name.
        boards: The number of boards.
        bots: Who plays the seats of each side that no person has.
        people: The seats of people.
    """
    template = definition.template
    entries = []
    for side in Side:
        own, entrant = bots[side], bots[side].entrant
        specs = [
            f"human:{seat}" if seat in people else _spec(own, seat)
            for seat in SEATS
            if seat.side is side
        ]
        # Two seats in the open room, and two in the closed one, which nobody takes.
        bot = " & ".join(specs * 2)
        clock = None
        if not any(seat.side is side for seat in people):
            clock = entrant.clock or template.clock
        changes = {"bot": bot, "name": SIDES[side], "clock": clock}
        entries.append(entrant.model_copy(update=changes))
    policies = template.policies.model_copy(
        update={"grace": AWAY_SECONDS, "no_show": AWAY_SECONDS, "timeouts": TIMEOUTS}
    )
    return template.model_copy(
        update={
            "name": name,
            "boards": boards,
            "entries": tuple(entries),
            "clock": CLOCK,
            "claims": Claims.CHECKED,
            "broadcast": "board",
            "policies": policies,
        }
    )


def _spec(player: Player, seat: Seat) -> str:
    """Return the text of the bot that a player has in a seat. Raises EntryError."""
    return definition_of(player.entrant.party().at(seat).spec)


def _ladder_files(event: Event) -> list[Path]:
    """Return the files of ladders in the folders of programs, which may hold secrets."""
    folders = {bot.folder or Path() for bot in event.players if not bot.ships}
    files = (file for folder in folders for file in folder.glob("*.toml"))
    return [file for file in files if b"[ladder]" in file.read_bytes()]


class Venues:
    """Plays the tables of people, and those of bots on the same deals.

    Args:
        hidden: Paths that no bot in a sandbox may see.
    """

    def __init__(self, hidden: Sequence[Path] = ()) -> None:
        self._hidden = hidden
        # The process that bots are forked from; None before the first table, and where none is.
        self._warm: dict[frozenset[str], WarmProcess | None] = {}

    async def play(
        self,
        event: Event,
        deals: Sequence[GivenBoard],
        keep: Keep,
        audience: Audience | None = None,
        secrets: frozenset[str] = frozenset(),
        source: DealSource | None = None,
    ) -> None:
        """Play deals at one table, until one is not finished. Raises what a venue raises.

        Args:
            event: The event of the table.
            deals: The deals.
            keep: Called with what became of each.
            audience: Where people sit, and what is told of their play; None if only bots play.
            secrets: The environment variables that only bots are given that ask for them.
            source: What the random choices of bots come from; None for a new one.
        """
        known = dict(enumerate(deals, 1))
        supply = BoardSupply(source or new_key(), event.mode, known)
        match = Match(1, 1, (0, 1), tuple(known))
        units = [unit for unit in match.units() if unit.place == "open"]
        options = VenueOptions(
            hidden=[*self._hidden, *await asyncio.to_thread(_ladder_files, event)],
            warm=self._warm_process(secrets),
            secrets=secrets,
            audience=audience,
        )
        venue = LocalVenue(EventInPlay(event, supply, EventLog(), most_at_once=1), options)
        finished: set[int] = set()
        is_broken = False

        def kept(unit: Unit, record: BoardRecord | None) -> BoardRecord | None:
            nonlocal is_broken
            is_broken = record is None or not record.is_finished
            result = keep(unit, record)
            finished.add(unit.board)
            venue.show(finished)
            return result

        async with venue:
            await venue.seat(units)
            await venue.play(iter(units), kept, lambda _: not is_broken)

    def _warm_process(self, secrets: frozenset[str]) -> WarmProcess | None:
        if secrets not in self._warm:
            self._warm[secrets] = warm_process(secrets)
        return self._warm[secrets]

    def close(self) -> None:
        """Stop what bots are forked from."""
        for warm in self._warm.values():
            if warm is not None:
                warm.close()
