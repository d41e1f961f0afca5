"""The random bot chooses uniformly."""

from __future__ import annotations

from collections import Counter
from random import Random

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import Seat
from tests.bots.views import at_play, hold


def bot(seed: int = 1) -> RandomBot:
    made = RandomBot()
    made.rng = Random(seed)
    return made


def test_every_legal_call_is_equally_likely() -> None:
    view = hold("AQ3.KJ54.K32.Q32", "1H X")
    random = bot()
    counts = Counter(random.call(view) for _ in range(400 * len(view.legal_calls())))
    assert set(counts) == set(view.legal_calls())
    assert all(abs(count - 400) < 5 * 20 for count in counts.values())


def test_every_legal_card_is_equally_likely() -> None:
    view = at_play(Board.dealt(1, 1).deal, "1NT", Seat.SOUTH)
    random = bot()
    counts = Counter(random.play(view) for _ in range(13 * 400))
    assert set(counts) == set(view.legal_cards())
    assert all(abs(count - 400) < 5 * 20 for count in counts.values())


def test_the_random_bot_follows_suit() -> None:
    view = at_play(Board.dealt(1, 1).deal, "1NT", Seat.SOUTH, "SA")
    assert {bot(seed).play(view) for seed in range(50)} == set(view.legal_cards())


def test_the_seed_decides_what_the_random_bot_does() -> None:
    view = hold("AQ3.KJ54.K32.Q32")
    assert [str(bot(seed).call(view)) for seed in (1, 2, 3, 2**53 - 1)] == KNOWN


KNOWN = ["1S", "7S", "2H", "1H"]
