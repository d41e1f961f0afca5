"""The information for players beside the protocol: names, boards that are over, the scorecard."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments import Unit
from bridge_arena.tournaments.schedule.units import in_schedule_order
from bridge_arena.web.board.document import CallMade, CardPlayed, Table
from bridge_arena.web.board.of_records import named
from bridge_arena.web.live.arena import LiveArena
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.rooms import Game, key_of
from bridge_arena.web.seat.people import Chair, PeopleSeats
from bridge_arena.web.seat.scorecard import RESULT, Scorecards, SeatedUnit, Section, scope_of

About = dict[str, object]

_OWN = (*RESULT, "number", "winners", "claim", "tricks")
"""The keys of the own table that are told as they are, beside calls and cards."""


@dataclass(eq=False)
class Afterwards:
    """The information on boards that are over, once spectators are shown them too."""

    arena: LiveArena
    people: PeopleSeats
    kibitzing: Kibitzing
    # The addresses from a seat's page of replays, and of the event's boards and report when it is
    # over; None if players are not told them.
    boards: str | None
    event: str | None = None
    # The tasks that solve boards which somebody asked for, of those that the arena keeps.
    solving: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    # Those that then find what calls cost at the tables of those who asked, by the units' ids.
    weighing: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    # The scorecards as they were made last, and when: the numbers of records that may be known, of
    # rulings and of the person's seats, and whether the event was over. They are asked for again
    # and again while the solver works, and those of pairs take time.
    _scorecards: dict[Chair, tuple[tuple[int, int, int, bool], list[Section]]] = field(
        default_factory=dict, init=False
    )

    def about(self, chair: Chair) -> About:
        """Return all that a chair's player may know."""
        about: About = {}
        if chair.played:
            unit, _ = chair.played[-1]
            about["players"] = named(self.people.players(unit))
            about["room"] = "" if unit.room is None else f"{unit.room} room"
            about["boards"] = unit.match.boards[: self.arena.event.boards][-1]
            about["scope"] = scope_of(self.arena.event, unit.match)
            about["people"] = "".join(seat.letter for seat, _ in self.people.others(chair))
        if scorecard := self._scorecard(chair):
            about["scorecard"] = scorecard
        if self.people.is_closed and self.event is not None:
            about["event"] = self.event
        over = self.last_over(chair)
        if over is not None:
            about["over"] = self._over(*over)
        return about

    def last_over(self, chair: Chair) -> tuple[Game, Unit, Seat] | None:
        """Return the last board of a person that is over and may be shown."""
        for unit, seat in reversed(chair.played):
            game = self.arena.games.get(key_of(unit))
            if game is not None and unit.id in self.arena.played:
                return game, unit, seat
        return None

    def _seated(self, chair: Chair) -> list[SeatedUnit]:
        """Return the units of a person that are over and may be known, in the order of play."""
        known = sorted(self.arena.played, key=in_schedule_order)
        units = map(self.arena.units.__getitem__, known)
        return [
            (unit, seat) for unit in units if (seat := self.people.seat_of(chair, unit)) is not None
        ]

    def _scorecard(self, chair: Chair) -> list[Section]:
        """Return a person's scorecard, which is made once for as long as nothing changes."""
        counts = len(self.arena.played), len(self.arena.rulings), len(chair.entry_seats)
        state = *counts, self.people.is_closed
        if self._scorecards.get(chair, (None, []))[0] != state:
            self._scorecards[chair] = state, self._new_scorecard(self._seated(chair))
        return self._scorecards[chair][1]

    def _new_scorecard(self, seated: Sequence[SeatedUnit]) -> list[Section]:
        arena = self.arena
        cards = Scorecards(arena.event, arena.names, arena.played, arena.rulings)
        sections = cards.sections(seated, is_over=self.people.is_closed)
        lines = [line for section in sections for line in section["lines"]]
        for line, (unit, _) in zip(lines, seated, strict=True):
            if self.boards is not None and key_of(unit) in arena.games:
                line["href"] = f"{self.boards}{key_of(unit)}.html"
        return sections

    def _over(self, game: Game, unit: Unit, seat: Seat) -> About:
        if game.key not in self.solving:
            for gone in self.solving.keys() - self.arena.games.keys():
                self.solving.pop(gone).cancel()
            for gone in [*self.weighing]:
                if key_of(self.arena.units[gone]) not in self.solving:
                    self.weighing.pop(gone).cancel()
            self.solving[game.key] = asyncio.create_task(self.kibitzing.solve(game))
        if unit.id not in self.weighing:
            weighing = self._weigh(game, unit, self.solving[game.key])
            self.weighing[unit.id] = asyncio.create_task(weighing)
        document, place = game.document, list(game.tables).index(unit.id)
        faults = self.arena.played[unit.id].faults
        own = document["tables"][place]
        over: About = {
            "key": game.key,
            "board": {**document, "title": "", "tables": [_shown(own)]},
            "seat": seat.letter,
            "place": place,
            "tables": [
                {key: value for key, value in table.items() if key in RESULT}
                for table in document["tables"]
            ],
            "is_solved": self.solving[game.key].done(),
            "is_weighed": self.weighing[unit.id].done(),
            "undone": [fault.kind for fault in faults].count(FaultKind.UNDO),
        }
        if self.boards is not None:
            over["href"] = f"{self.boards}{game.key}.html"
        return over

    async def _weigh(self, game: Game, unit: Unit, solving: asyncio.Task[None]) -> None:
        """Find what calls cost, once it is known what cards do."""
        await asyncio.wait({solving})
        if not solving.cancelled():
            await self.kibitzing.weigh(game, unit.id)


def _shown(table: Table) -> Table:
    """Return a table as its player is shown it, with the known costs of calls and cards."""
    shown = cast("Table", {key: value for key, value in table.items() if key in _OWN})
    calls, cards = table.get("calls", []), table.get("cards", [])
    values = [table.get("values", {}).get(str(step)) for step in range(len(calls), len(calls) + 52)]
    shown["calls"], shown["cards"] = [], []
    for number, called in enumerate(calls, start=1):
        call = cast("CallMade", _without_thought(called))
        if (cost_of_call := table.get("weighed", {}).get(str(number))) is not None:
            call["callCost"] = cost_of_call
        shown["calls"].append(call)
    for played, value in zip(cards, values, strict=False):
        card = cast("CardPlayed", _without_thought(played))
        if value is not None and (cost := value["cards"].get(played["card"], 0)):
            card["cost"] = cost
        shown["cards"].append(card)
    if values[0] is not None and None not in values[: len(cards)]:
        shown["dd"] = values[0]["dd"]
    return shown


def _without_thought(made: CallMade | CardPlayed) -> dict[str, object]:
    return {key: value for key, value in made.items() if key != "thought"}
