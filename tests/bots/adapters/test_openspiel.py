"""OpenSpiel's states of a board, over random games."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.adapters import from_openspiel
from bridge_arena.bots.adapters.openspiel import (
    chosen_by_openspiel,
    dealt_state,
    openspiel_action,
    state_of,
)
from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View
from bridge_arena.tournaments.play.in_process import play_match


def test_every_action_is_one_call_or_card() -> None:
    assert [openspiel_action(chosen_by_openspiel(action)) for action in range(90)] == [*range(90)]
    assert str(chosen_by_openspiel(0)) == "C2"
    assert str(chosen_by_openspiel(51)) == "SA"
    assert str(chosen_by_openspiel(52)) == "Pass"
    with pytest.raises(ValueError, match="no action -1"):
        chosen_by_openspiel(-1)


def test_a_missing_library_is_told_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    told = r"needs open_spiel \(pyspiel is not installed\): \S+ -m pip install open_spiel$"
    with pytest.raises(ModuleNotFoundError, match=told):
        from_openspiel(lambda player: player)


class Checker(Bot):
    """A random player that compares its view with the state at each turn."""

    def call(self, view: View) -> Call:
        legal = view.legal_calls()
        self.compare(view, legal)
        return legal[0] if self.rng.random() < 0.6 else pick(self.rng, legal)

    def play(self, view: View) -> Card:
        legal = list(view.legal_cards())
        self.compare(view, legal)
        return pick(self.rng, legal)

    def compare(self, view: View, legal: Sequence[Call | Card]) -> None:
        state = state_of(view, self.rng)
        assert state.current_player() == view.seat
        assert sorted(map(openspiel_action, legal)) == state.legal_actions()
        assert Hand.of(dealt_in(state)[view.seat]) == view.hand


def dealt_in(state: Any) -> list[list[Any]]:
    cards = [chosen_by_openspiel(action) for action in state.history()[:52]]
    return [cards[seat::4] for seat in SEATS]


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_legal_actions_and_scores_are_the_same(seed: int) -> None:
    for record in play_match(Checker, Checker, 1, seed=seed).records:
        assert not record.faults
        state = dealt_state(
            record.board.dealer, record.board.vulnerability, record.board.deal.hands
        )
        for made in record.calls:
            state.apply_action(openspiel_action(made.call))
        for card in record.cards:
            state.apply_action(openspiel_action(card))
        assert state.is_terminal()
        assert state.returns()[0] == record.score


def test_hidden_cards_are_dealt_anew() -> None:
    """Two states of one view differ, and the cards of the real deal are not known from them."""
    boards: list[list[list[Any]]] = []

    class Looker(RandomBot):
        def call(self, view: View) -> Call:
            boards.append(dealt_in(state_of(view, self.rng)))
            boards.append(dealt_in(state_of(view, self.rng)))
            return super().call(view)

    play_match(Looker, RandomBot, 1, seed=3)
    assert len(boards) > 2
    assert all(one != other for one, other in zip(boards[::2], boards[1::2], strict=True))
