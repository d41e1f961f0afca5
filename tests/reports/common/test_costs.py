"""The card that cost most: by the ledger, of equal ones the first, and none that was not played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.oracle.ledger import Loss, Role, TableLedger
from bridge_arena.reports.common.costs import CostlyCard, costly_cards, worst_of
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import values
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import Played
from tests.reports.leaderboard.events import event, play_event
from tests.reports.match.matches import Given


@pytest.fixture(scope="module")
def tables() -> list[SeatedTable]:
    """A board in the open room and in the closed one, that all four played badly."""
    results = play_event(event(Format.MATCH, "alpha", "beta", boards=1))
    played = sorted(results.played, key=lambda each: each.record.room == "Closed")
    return [
        SeatedTable(each, ("alpha", "beta", "alpha", "beta"))
        if each.record.room == "Open"
        else SeatedTable(each, ("beta", "alpha", "beta", "alpha"))
        for each in played
    ]


def with_losses(table: SeatedTable, *losses: tuple[int, int]) -> SeatedTable:
    """The table as if each of these cards had cost its player so many tricks."""
    record = table.record
    play = replace(record, cards=()).play()
    found = []
    for number, card in enumerate(record.cards):
        found += [
            Loss(at, play.player, Role.DEFENCE, tricks) for at, tricks in losses if at == number
        ]
        play.push(card)
    found += [Loss(at, None, Role.DEFENCE, tricks) for at, tricks in losses if at == 52]
    return replace(table, played=Given(record, given=TableLedger(7, tuple(found))))


def costliest(tables: list[SeatedTable]) -> CostlyCard | None:
    return worst_of(costly_cards(tables, "board-1"))


def test_cards_that_cost_most_come_first_then_the_earliest(tables: list[SeatedTable]) -> None:
    open_room, closed_room = tables
    shown = [with_losses(open_room, (6, 1), (9, 2)), with_losses(closed_room, (3, 2))]
    card = costliest(shown)
    assert card is not None
    record = open_room.record
    assert (card.table, card.room, card.trick, card.tricks) == (0, "Open", 3, 2)
    assert card.card == record.cards[9]
    assert card.card in record.board.deal[card.seat]
    assert card.step == len(record.calls) + 10
    assert card.replay == f"boards/board.html#board=board-1&table=1&step={card.step}"
    assert values(card)["card"] == str(record.cards[9])
    assert costliest(shown[1:]) != card


def test_a_costly_card_of_dummy_is_declarers(tables: list[SeatedTable]) -> None:
    table = tables[0]
    contract = table.record.contract
    assert contract is not None
    dummy = contract.declarer.partner
    hand = table.record.board.deal[dummy]
    at = next(number for number, card in enumerate(table.record.cards) if card in hand)
    card = costliest([with_losses(table, (at, 1))])
    assert card is not None
    assert (card.seat, card.by) == (dummy, table.names[contract.declarer])


def test_a_claim_is_no_card(tables: list[SeatedTable]) -> None:
    assert costliest([with_losses(tables[0], (52, 3))]) is None


def test_without_values_there_is_no_costly_card(tables: list[SeatedTable]) -> None:
    unvalued = [replace(table, played=Played(table.record)) for table in tables]
    assert costliest(unvalued) is None
    assert costliest([]) is None


def test_all_costly_cards_are_told_in_the_order_of_play(tables: list[SeatedTable]) -> None:
    shown = [with_losses(tables[0], (6, 1), (9, 2)), with_losses(tables[1], (3, 2))]
    found = [(card.table, card.trick, card.tricks) for card in costly_cards(shown, "board-1")]
    assert found == [(0, 2, 1), (0, 3, 2), (1, 1, 2)]
