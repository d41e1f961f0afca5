"""Bots that answer on many boards at once."""

from __future__ import annotations

from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.neural.bot import NeuralBot
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import answers_many
from tests.lab.bidders_here import Passes, Silent


def test_it_is_known_which_bots_call_on_many_boards_at_once() -> None:
    for kind in (NaturalBot, NeuralBot, FastPlayBot, Passes):
        assert answers_many(kind(), "call")
    for other in (RandomBot, Silent, MonteCarloBot):
        assert not answers_many(other(), "call")


def test_it_is_known_which_bots_play_on_many_boards_at_once() -> None:
    assert answers_many(FastPlayBot(), "play")
    for other in (NaturalBot, Passes):
        assert not answers_many(other(), "play")
