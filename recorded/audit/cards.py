"""The values of cards in layouts, double dummy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bridge_arena.bots.fastplay.net import PlayNet
from bridge_arena.bots.fastplay.seen import position_of
from bridge_arena.bots.library.sampling.beliefs import Beliefs
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.cards import Card
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit.luck import Numbers


def stake(net: PlayNet, view: View, boxes: Beliefs, card: Card) -> float:
    """Return how much may depend on the choice of a card, in tricks.

    It is the sum of the costs that the network expects of the card and of the cheapest card. Two
    cards take different tricks only in layouts where one of them costs some. So if both are
    expected to cost almost nothing, there is almost nothing to see. The true layout has no part in
    this.
    """
    legal = list(view.legal_cards())
    costs = np.maximum(net.costs(position_of(view, boxes))[0, legal], 0.0)
    return float(costs[legal.index(card)] + costs.min())


def values_of_cards(view: View, layouts: Sequence[Hands]) -> Numbers:
    """Return the tricks that the side in turn still takes after each legal card, in each layout."""
    play = view.playing
    cards = list(view.legal_cards())
    found: dict[Hands, list[int]] = {}
    for layout in dict.fromkeys(layouts):
        solved = card_values(Position(layout, play.trump, play.leader, tuple(play.trick)))
        found[layout] = [solved[card] for card in cards]
    return np.array([found[layout] for layout in layouts], np.float64).T
