"""Which card of a board cost most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import AsText


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """A card and the double-dummy tricks that it cost.

    `by`: the entry that chose it, declarer's for dummy's cards. `seat`: whose hand it came from.
    `trick`: from 1. `table`: its place among those of the board, from 0; `step`: its place among
    calls and cards, from 1, as replays count.
    """

    room: Room | None
    by: str
    seat: AsText[Seat]
    trick: int
    card: AsText[Card]
    tricks: int
    table: int
    step: int


def costliest_card(tables: Iterable[SeatedTable]) -> CostlyCard | None:
    """Return the card that cost most at the tables of a board, of equal ones the first; None
    where none cost a trick, or none was valued."""
    costliest: CostlyCard | None = None
    for number, table in enumerate(tables):
        record, ledger = table.record, table.ledger
        for loss in () if ledger is None else ledger.losses:
            if loss.seat is None or loss.card >= len(record.cards):
                continue  # agreed to in a claim
            if costliest is None or loss.tricks > costliest.tricks:
                trick, turn = divmod(loss.card, 4)
                costliest = CostlyCard(
                    record.room,
                    table.names[loss.seat],
                    _seat(table, trick, turn),
                    trick + 1,
                    record.cards[loss.card],
                    loss.tricks,
                    number,
                    len(record.calls) + loss.card + 1,
                )
    return costliest


def _seat(table: SeatedTable, trick: int, turn: int) -> Seat:
    """Whose hand the card of a trick came from, both counted from 0."""
    play = table.record.play()
    leader = play.tricks[trick].leader if trick < len(play.tricks) else play.leader
    return SEATS[(leader + turn) % 4]
