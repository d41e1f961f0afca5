"""The cards that cost double-dummy tricks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.reports.common.replay_pages import step_of
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import AsText


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """A card and the double-dummy tricks that it cost.

    Attributes:
        board: The number of the board.
        room: The room; None for a single table.
        by: The entry that chose the card: declarer's for dummy's cards.
        seat: The hand that it was played from.
        trick: The number of the trick, from 1.
        card: The card.
        tricks: The double-dummy tricks that it cost.
        table: The place of the table among those of the board, from 0.
        step: The place of the card among calls and cards, from 1, as replays count.
        replay: The address of the replay at this step, relative to the report.
    """

    board: int
    room: Room | None
    by: str
    seat: AsText[Seat]
    trick: int
    card: AsText[Card]
    tricks: int
    table: int
    step: int
    replay: str


def costly_cards(tables: Iterable[SeatedTable], page: str) -> Iterator[CostlyCard]:
    """Yield the cards that cost a trick at the tables of a board, in the order of play.

    Args:
        tables: The tables of the board; those without values are passed over.
        page: The name of the board's replay page.

    Yields:
        The cards.
    """
    for number, table in enumerate(tables):
        record, ledger = table.record, table.ledger
        for loss in () if ledger is None else ledger.losses:
            if loss.seat is None or loss.card >= len(record.cards):
                continue  # lost in a claim, without a card
            trick, turn = divmod(loss.card, 4)
            step = len(record.calls) + loss.card + 1
            yield CostlyCard(
                board=table.board.number,
                room=record.room,
                by=table.names[loss.seat],
                seat=_seat(table, trick, turn),
                trick=trick + 1,
                card=record.cards[loss.card],
                tricks=loss.tricks,
                table=number,
                step=step,
                replay=step_of(page, number, step),
            )


def costliest_card(cards: Iterable[CostlyCard]) -> CostlyCard | None:
    """Return the card that cost most, of equal ones the first; None if there is none."""
    return max(cards, key=lambda each: each.tricks, default=None)


def _seat(table: SeatedTable, trick: int, turn: int) -> Seat:
    """Return the hand that a card of a trick was played from; both are counted from 0."""
    play = table.record.play()
    leader = play.tricks[trick].leader if trick < len(play.tricks) else play.leader
    return SEATS[(leader + turn) % 4]
