"""The card that cost most: by the ledger, of equal ones the first, and none that was not played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.oracle.ledger import Loss, Role, TableLedger
from bridge_arena.reports.common.costly_cards import costliest_card
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.values import values
from bridge_arena.tournaments.events.event import Format
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


def test_most_tricks_then_the_first(tables: list[SeatedTable]) -> None:
    open_room, closed_room = tables
    shown = [with_losses(open_room, (6, 1), (9, 2)), with_losses(closed_room, (3, 2))]
    card = costliest_card(shown)
    assert card is not None
    record = open_room.record
    assert (card.table, card.room, card.trick, card.tricks) == (0, "Open", 3, 2)
    assert card.card == record.cards[9]
    assert card.card in record.board.deal[card.seat]
    assert card.step == len(record.calls) + 10
    assert values(card)["card"] == str(record.cards[9])
    assert costliest_card(shown[1:]) != card


def test_dummys_card_is_declarers(tables: list[SeatedTable]) -> None:
    table = tables[0]
    contract = table.record.contract
    assert contract is not None
    dummy = contract.declarer.partner
    hand = table.record.board.deal[dummy]
    at = next(number for number, card in enumerate(table.record.cards) if card in hand)
    card = costliest_card([with_losses(table, (at, 1))])
    assert card is not None
    assert (card.seat, card.by) == (dummy, table.names[contract.declarer])


def test_a_claim_is_no_card(tables: list[SeatedTable]) -> None:
    assert costliest_card([with_losses(tables[0], (52, 3))]) is None


def test_without_values_there_is_none(tables: list[SeatedTable]) -> None:
    unvalued = [replace(table, played=Played(table.record)) for table in tables]
    assert costliest_card(unvalued) is None
    assert costliest_card([]) is None
