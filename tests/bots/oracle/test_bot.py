"""Tests of the oracle's play; it plays only if it is shown the deal."""

from __future__ import annotations

import pytest

from bridge_arena.bots.oracle.bot import OracleBot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.views import at_play, hold

DEAL = Board.dealt(1, 1).deal


def test_the_oracle_must_be_shown_the_deal() -> None:
    view = at_play(DEAL, "1NT", Seat.SOUTH)
    with pytest.raises(ValueError, match="seat it as a cheat"):
        OracleBot().play(view)


def test_the_oracle_bids_on_its_own_hand_alone() -> None:
    """It bids as the baseline does, and the deal does not change its bids."""
    view = hold("AQ3.KJ54.K32.Q32")
    made = OracleBot().call(view)
    assert str(made.call) == "1NT"
    view.deal = DEAL
    assert OracleBot().call(view) == made


@pytest.mark.parametrize("cards", ["", "SA", "SA S2"])
def test_the_oracle_plays_the_lowest_of_the_best_cards(cards: str) -> None:
    view = at_play(DEAL, "1NT", Seat.SOUTH, cards, cheat=True)
    assert view.play is not None
    values = card_values(Position.of(view.play, DEAL.hands))
    best = [card for card, tricks in values.items() if tricks == max(values.values())]
    assert OracleBot().play(view) == min(best, key=lambda card: (card.rank, card.suit))
