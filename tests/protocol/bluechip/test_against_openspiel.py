"""The client under an independent manager: OpenSpiel's wrapper of Blue Chip programs.

It plays the manager to one seat, strictly: it reads capital seats and calls and small
cards only, and counts the turns by its own rules of the game. Four of them, with four of
our bots, play whole boards; OpenSpiel judges.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.bluechip.client import ClientSession
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.decision import decide
from bridge_arena.protocol.messages import BoardEnd, BoardStart, Message, YourTurn
from tests.late_imports import late_imports
from tests.protocol.bluechip.wire import lines

with late_imports():
    import pyspiel
    from open_spiel.python.bots import bluechip_bridge  # type: ignore[import-untyped]

QUIRKS = Quirks(letters="upper", card_case="lower")
"""The quirks that OpenSpiel's regular expressions require."""


class Program:
    """One of our bots as the program that OpenSpiel talks to."""

    def __init__(self, bot: Bot) -> None:
        self.session = ClientSession(bot.name, quirks=QUIRKS)
        self.ends: list[BoardEnd] = []
        self._bot = bot
        # Lines that OpenSpiel has not read.
        self._unread: deque[str] = deque()
        self.session.connect()

    def read_line(self) -> str:
        self._unread.extend(lines(self.session.data_to_send()))
        return self._unread.popleft()

    def send_line(self, line: str) -> None:
        waiting = deque[Message](self.session.receive(line))
        while waiting:
            event = waiting.popleft()
            view = self.session.view
            if isinstance(event, BoardStart):
                self._bot.rng = Random(event.seed)
            elif isinstance(event, BoardEnd):
                self.ends.append(event)
            elif isinstance(event, YourTurn) and view is not None:
                waiting.extend(self.session.send(decide(self._bot, view, event)))

    def terminate(self) -> None:
        """Never called: no board is broken off."""
        raise AssertionError("OpenSpiel gave the program up")

    @property
    def is_quiet(self) -> bool:
        self._unread.extend(lines(self.session.data_to_send()))
        return not self._unread


def dealt(game: Any, deal: Deal) -> Any:
    """OpenSpiel's state with the deal dealt: its cards are 4 x rank + suit."""
    state = game.new_initial_state()
    hands = [list(hand) for hand in deal.hands]
    for number in range(52):
        card = hands[number % 4][number // 4]
        state.apply_action(4 * (card.rank - 2) + card.suit)
    return state


@pytest.mark.parametrize(("kind", "boards"), [(RandomBot, 12), (BaselineBot, 12), (NaturalBot, 24)])
def test_our_bots_play_whole_boards_under_openspiels_manager(kind: type[Bot], boards: int) -> None:
    game = pyspiel.load_game(bluechip_bridge.GAME_STR)
    programs = [Program(kind()) for _ in SEATS]
    managers = [
        bluechip_bridge.BlueChipBridgeBot(game, int(seat), lambda program=programs[seat]: program)
        for seat in SEATS
    ]
    declarers = set()
    for number in range(boards):
        deal = random_deal(5, number)
        state = dealt(game, deal)
        for manager in managers:
            manager.restart()
        while not state.is_terminal():
            player = state.current_player()
            for manager in managers:
                if manager.player_id() != player:
                    manager.inform_state(state)
            state.apply_action(managers[player].step(state))
        for manager in managers:
            manager.inform_state(state)
        for seat, program in zip(SEATS, programs, strict=True):
            view = program.session.view
            assert view is not None
            assert view.seat == seat
            assert len(program.ends) == number + 1
            assert program.ends[-1].score == state.returns()[0]
            assert view.hand == deal[seat]
            assert program.is_quiet
            if view.play is not None:
                declarers.add(view.play.declarer)
    # Everybody was everything: the leader, dummy, declarer.
    assert declarers == set(SEATS)
