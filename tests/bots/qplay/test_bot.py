"""Tests of the bots that declare by what they learned."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.dqn.bot import DqnBot
from bridge_arena.bots.dqn.bot import shipped as shipped_net
from bridge_arena.bots.dqn.games import ANY_HAND
from bridge_arena.bots.fastplay.net import positions_of
from bridge_arena.bots.library.minibridge.declarer import DeclarerBot
from bridge_arena.bots.library.minibridge.games import state_at_table
from bridge_arena.bots.qplay.bot import QPlayBot
from bridge_arena.bots.qplay.card_table import CardTable
from bridge_arena.bots.sarsa.bot import SarsaBot
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.view import View
from tests.bots.views import at_play

DEAL = Deal.parse("N:AK6.K65.AQJ5.K32 J54.QJ7.T76.QJT9 Q32.A432.K32.654 T987.T98.984.A87")

TOLD = np.array([ANY_HAND] * 4)

BOTS = [QPlayBot, SarsaBot, DqnBot]


def table_with(tmp_path: Path, view: View, card: str) -> str:
    """A table that has learned one card of the state of a view."""
    held = [view.held(seat) for seat in (view.playing.declarer, view.playing.dummy)]
    state = state_at_table(view.playing, sum(hand.mask for hand in held if hand))
    path = tmp_path / "weights.npz"
    CardTable.of({state: {int(Card(card)): 1.0}}, "known").write(path)
    return str(path)


def played(bot: BaselineBot, view: View, seed: int = 1) -> Card:
    bot.rng = Random(seed)
    return bot.play(view)


@pytest.mark.parametrize("declarer", [Seat.NORTH, Seat.SOUTH])
def test_a_known_state_is_played_by_the_table(tmp_path: Path, declarer: Seat) -> None:
    """Declarer plays from either hand, and the state has the cards of both."""
    lead = "CQ C4 CA C2 S7" if declarer == Seat.NORTH else "CA C2 C9 C4 S7"
    view = at_play(DEAL, "3NT", declarer, lead)
    assert view.seat == declarer
    card = str(max(view.legal_cards()))
    bot = QPlayBot(table_with(tmp_path, view, card))
    assert str(played(bot, view)) == card


@pytest.mark.parametrize("learned", ["CQ C4 CA C2 S7", "CQ C4 CA C2"])
def test_a_state_that_was_not_learned_is_played_as_baseline_plays(
    tmp_path: Path, learned: str
) -> None:
    """The table knows a card that may not be played, or only another state."""
    view = at_play(DEAL, "3NT", Seat.NORTH, "CQ C4 CA C2 S7")
    bot = QPlayBot(table_with(tmp_path, at_play(DEAL, "3NT", Seat.NORTH, learned), "CK"))
    for seed in range(5):
        assert played(bot, view, seed) == played(BaselineBot(), view, seed)


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize(
    ("contract", "declarer", "cards"),
    [
        ("3NT", Seat.NORTH, ""),
        ("3NT", Seat.NORTH, "CQ C4"),
        ("4H", Seat.NORTH, "CQ C4 CA C2 S7"),
    ],
)
def test_defenders_and_suit_contracts_are_played_as_baseline_does(
    kind: type[DeclarerBot], contract: str, declarer: Seat, cards: str
) -> None:
    view = at_play(DEAL, contract, declarer, cards)
    for seed in range(5):
        assert played(kind(), view, seed) == played(BaselineBot(), view, seed)


@pytest.mark.parametrize("kind", BOTS)
def test_learned_declarers_bid_as_baseline_does(kind: type[DeclarerBot]) -> None:
    assert type(kind().system) is type(BaselineBot().system)


@pytest.mark.parametrize("kind", BOTS)
def test_hidden_cards_change_nothing(kind: type[DeclarerBot]) -> None:
    """The defenders' cards change places: declarer plays the same."""
    other = Deal.parse("N:AK6.K65.AQJ5.K32 T954.T87.984.QJ9 Q32.A432.K32.654 J87.QJ9.T76.AT87")
    for cards in ("CQ", "CQ C4 CA C2 S7"):
        assert played(kind(), at_play(DEAL, "3NT", Seat.NORTH, cards)) == played(
            kind(), at_play(other, "3NT", Seat.NORTH, cards)
        )


def test_the_network_plays_its_best_card() -> None:
    view = at_play(DEAL, "3NT", Seat.NORTH, "CQ")
    costs = shipped_net().costs(positions_of([view], [TOLD]))[0]
    assert played(DqnBot(), view) == min(view.legal_cards(), key=lambda card: costs[card])
