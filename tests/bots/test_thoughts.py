"""Tests of what bots say that they think, and that saying it changes none of their actions."""

from __future__ import annotations

from functools import cache

import pytest

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import CALL_TEXTS
from bridge_arena.bridge.record import BoardRecord, RecordedThought
from bridge_arena.tournaments.play.in_process import play_match

THINKERS = (
    "natural",
    "minimax",
    "fastplay",
    "neural",
    "disciplined",
    "deepq",
    "qtable",
    "montecarlo:worlds=6",
    pytest.param("alphamu:worlds=2,depth=1", marks=pytest.mark.slow),
    pytest.param("champion:budget=0,worlds=2", marks=pytest.mark.weekly(part="champion")),
)
WEIGHS_CALLS = ("neural", "disciplined", "deepq")
WEIGHS_CARDS = (
    "fastplay",
    "montecarlo:worlds=6",
    "alphamu:worlds=2,depth=1",
    "champion:budget=0,worlds=2",
)


@cache
def played_once(bot: str) -> tuple[BoardRecord, ...]:
    return played(bot)


def played(bot: str) -> tuple[BoardRecord, ...]:
    return play_match(bot, "baseline", 1, seed=11).records


def own(records: tuple[BoardRecord, ...], bot: str) -> list[tuple[BoardRecord, RecordedThought]]:
    return [
        (record, thought)
        for record in records
        for thought in record.thoughts
        if record.players[thought.seat] == bot
    ]


@pytest.mark.slow
@pytest.mark.parametrize("bot", THINKERS)
def test_a_bot_plays_the_same_match_with_thoughts_and_without(
    bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughtful = played_once(bot)
    assert own(thoughtful, bot)
    assert played(bot) == thoughtful, "what is thought is as reproducible as what is played"
    monkeypatch.setattr(Bot, "think", lambda *_, **__: None)
    silent = played(bot)
    assert not [thought for record in silent for thought in record.thoughts]
    for one, other in zip(silent, thoughtful, strict=True):
        assert (one.calls, one.cards, one.score) == (other.calls, other.cards, other.score)


@pytest.mark.parametrize("bot", THINKERS)
def test_thoughts_are_the_actions_that_were_weighed_the_best_first(bot: str) -> None:
    thoughts = own(played_once(bot), bot)
    for record, thought in thoughts:
        assert thought.text
        assert len(thought.text) < 500
        in_auction = thought.action < len(record.calls)
        assert all((each in CALL_TEXTS) == in_auction for each in thought.candidates)
        if not in_auction or bot in WEIGHS_CALLS:
            values = list(thought.candidates.values())
            assert values == sorted(values, reverse=True)
        if in_auction and bot in WEIGHS_CALLS and thought.candidates:
            assert str(record.calls[thought.action].call) == next(iter(thought.candidates))
    weighed = [bool(thought.candidates) for _, thought in thoughts]
    assert any(weighed) == (bot in WEIGHS_CALLS + WEIGHS_CARDS)
