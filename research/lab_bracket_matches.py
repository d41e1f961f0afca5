"""Compare the IMPs of played matches with those of the scoring bracket's columns.

It is a part of `research.lab_bracket`.
"""

from __future__ import annotations

import numpy as np

from benchmarks.figures import figure
from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import Side
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bracket import COLUMNS
from bridge_arena.lab.leads import ToLead
from bridge_arena.lab.play import GivenTable, play
from bridge_arena.lab.wording import BRACKET
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.play.in_process import NamedBot, explained_at_tables
from bridge_arena.tournaments.schedule.units import team_at
from research.lab_bracket_columns import scored_in_columns

SYSTEMS: tuple[SystemName, SystemName] = ("natural", "simple")
"""The bidding systems of the two teams of a match."""


def swings(bot: str, boards: int, key: DealKey) -> list[list[str]]:
    """Return the rows of a match: the IMPs of the boards as played, and in each column."""
    home, visitors = (NamedBot(name, parse(f"{bot}:bidding={name}")[1]) for name in SYSTEMS)
    dealt = [key.board(number) for number in range(1, boards + 1)]
    bid = [each for rooms in explained_at_tables(dealt, home, visitors, key) for each in rooms]
    in_contract = [each for each in bid if each.contract is not None]
    systems = [system(name) for name in SYSTEMS]
    tables: list[ToLead] = []
    given: list[GivenTable] = []
    for record in in_contract:
        assert record.contract is not None
        assert record.room is not None
        declaring = team_at(record.contract.declarer.side, record.room)
        calls = [made.call for made in record.calls]
        sides = systems[1 - declaring], systems[declaring]
        tables.append(ToLead(record.board, calls, *sides, key))
        given.append((record.room, GivenBoard(record.board, record.calls)))
    # North-South's points as played, then in each column; a board passed out has none.
    points: dict[tuple[int, Room | None], list[int]] = {}
    played = play((home, visitors), given, key)
    for at, own, record in zip(tables, scored_in_columns(tables), played, strict=True):
        sign = 1 if at.contract.declarer.side is Side.NS else -1
        assert record.score is not None
        in_columns = [sign * score for _, score in own.values()]
        points[record.board.number, record.room] = [record.score, *in_columns]
    nothing = [0] * (1 + len(COLUMNS))
    found = np.array(
        [
            [
                imps(one - other)
                for one, other in zip(
                    *(points.get((each.number, room), nothing) for room in Room), strict=True
                )
            ]
            for each in dealt
        ]
    )
    real = found[:, 0]
    rows = [[f"`{bot}`", "as played", figure(real, 2, "+"), "", ""]]
    for name, column in zip(BRACKET.values(), found.T[1:], strict=True):
        correlation = float(np.corrcoef(column, real)[0, 1])
        doubt = (1 - correlation**2) / len(real) ** 0.5
        behind = f"{correlation:.2f} ± {doubt:.2f}"
        less = figure(column - real, 2, "+")
        rows.append([f"`{bot}`", name.lower(), figure(column, 2, "+"), less, behind])
    return rows
