"""The information for players beside the protocol: the names at the table, and the last board."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments import Unit
from bridge_arena.web.board.document import Table
from bridge_arena.web.board.of_records import named
from bridge_arena.web.live.arena import LiveArena, key_of
from bridge_arena.web.live.kibitzing import Kibitzing
from bridge_arena.web.live.rooms import Game
from bridge_arena.web.seat.people import Chair, PeopleSeats

About = dict[str, object]

_RESULT = ("name", "contract", "declarer", "result", "score", "imps")
"""The keys of each table of a board that players are told; thoughts are not among them."""


@dataclass(eq=False)
class Afterwards:
    """The information on boards that are over, once spectators are shown them too."""

    arena: LiveArena
    people: PeopleSeats
    kibitzing: Kibitzing
    boards: str | None  # the address of replays from a seat's page; None if players are not told it
    # The tasks that solve boards which somebody asked for, of those that the arena keeps.
    solving: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)

    def about(self, chair: Chair) -> About:
        """Return all that a chair's player may know."""
        about: About = {}
        if chair.played:
            unit, _ = chair.played[-1]
            about["players"] = named(self.people.players(unit))
            about["room"] = "" if unit.room is None else f"{unit.room} room"
        for unit, seat in reversed(chair.played):
            game = self.arena.games.get(key_of(unit))
            if game is not None and unit.id in self.arena.played:
                about["over"] = self._over(game, unit, seat)
                break
        return about

    def _over(self, game: Game, unit: Unit, seat: Seat) -> About:
        if game.key not in self.solving:
            for gone in self.solving.keys() - self.arena.games.keys():
                self.solving.pop(gone).cancel()
            self.solving[game.key] = asyncio.create_task(self.kibitzing.solve(game))
        document, place = game.document, list(game.tables).index(unit.id)
        faults = self.arena.played[unit.id].faults
        over: About = {
            "board": document["board"],
            "seat": seat.letter,
            "place": place,
            "tables": [
                {key: value for key, value in table.items() if key in _RESULT}
                for table in document["tables"]
            ],
            "par": document["par"],
            "costs": list(_costs(document["tables"][place])),
            "is_solved": self.solving[game.key].done(),
            "undone": [fault.kind for fault in faults].count(FaultKind.UNDO),
        }
        if self.boards is not None:
            over["href"] = f"{self.boards}{game.key}.html"
        return over


def _costs(table: Table) -> Iterator[About]:
    """Yield the cards that cost something, as far as that is known."""
    values = table.get("values", {})
    for step, played in enumerate(table.get("cards", ()), start=len(table.get("calls", ()))):
        value = values.get(str(step))
        cost = 0 if value is None else value["cards"].get(played["card"], 0)
        if cost:
            yield {"seat": played["seat"], "card": played["card"], "cost": cost}
