"""Opening leads by the solver and the network together."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.champion.bot import with_costs
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.montecarlo.card_choice import Evaluation, Merits
from bridge_arena.bridge.cards import Card

ACE, KING, FIVE = Card("SA"), Card("SK"), Card("D5")


def costs(**given: float) -> Array:
    found = np.zeros(52, np.float32)
    for card, cost in given.items():
        found[Card(card)] = cost
    return found


def evaluation(five: tuple[int, int]) -> Evaluation:
    """Two worlds, of which the first was drawn three times."""
    return Evaluation((3, 1), {ACE: (4, 5), KING: (4, 5), FIVE: five})


def test_costs_are_in_the_unit_of_the_merits() -> None:
    """The five takes a quarter of a trick more on average, which is worth eight IMPs in sum."""
    merits: Merits = {ACE: (-8, 0), KING: (-8, 0), FIVE: (0, 40)}
    found = with_costs(merits, evaluation((4, 6)), costs(D5=0.1, SA=0.02, SK=0.02))
    assert found[FIVE][0] == pytest.approx(-2 * 0.1 * 32)
    assert found[FIVE][1] == 40
    assert found[ACE][0] == pytest.approx(-8 - 2 * 0.02 * 32)


def test_touching_cards_stay_equal() -> None:
    merits: Merits = {ACE: (0, 0), KING: (0, 0), FIVE: (0, 0)}
    found = with_costs(merits, evaluation((4, 5)), costs(SA=0.5, SK=0.1, D5=0.2))
    assert found[ACE] == found[KING] > found[FIVE]


def test_where_no_lead_matters_to_the_solver_the_network_decides() -> None:
    """Each layout counts as one IMP then."""
    merits: Merits = {ACE: (0, 0), KING: (0, 0), FIVE: (0, 0)}
    found = with_costs(merits, evaluation((4, 5)), costs(SA=0.5, SK=0.5, D5=0.25))
    assert {card: merit for card, (merit, _) in found.items()} == {ACE: -4, KING: -4, FIVE: -2}
