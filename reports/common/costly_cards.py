"""The card of a board that cost most."""

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

    Attributes:
        room: The room; None for a single table.
        by: The entry that chose the card: declarer's for dummy's cards.
        seat: The hand that it was played from.
        trick: The number of the trick, from 1.
        card: The card.
        tricks: The double-dummy tricks that it cost.
        table: The place of the table among those of the board, from 0.
        step: The place of the card among calls and cards, from 1, as replays count.
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
    """Return the card that cost most at the tables of a board, and of equal ones the first.

    Args:
        tables: The tables of the board.

    Returns:
        The card; None if none cost a trick, or none was valued.
    """
    costliest: CostlyCard | None = None
    for number, table in enumerate(tables):
        record, ledger = table.record, table.ledger
        for loss in () if ledger is None else ledger.losses:
            if loss.seat is None or loss.card >= len(record.cards):
                continue  # lost in a claim, without a card
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
    """Return the hand that a card of a trick was played from; both are counted from 0."""
    play = table.record.play()
    leader = play.tricks[trick].leader if trick < len(play.tricks) else play.leader
    return SEATS[(leader + turn) % 4]
