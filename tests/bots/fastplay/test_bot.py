"""The bot that plays by the net."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.fastplay.lessons import Bidden, by_net, solved
from bridge_arena.bots.fastplay.net import shipped
from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seats import Seat
from tests.bots.fastplay.boards import random_play
from tests.bots.fastplay.test_net import arrays
from tests.bots.views import at_play, turned


@pytest.fixture
def bot(tmp_path: Path) -> FastPlayBot:
    """Return a bot whose net has learned nothing."""
    np.savez(tmp_path / "weights.npz", **arrays(8))
    return FastPlayBot(weights=str(tmp_path / "weights.npz"))


@pytest.mark.parametrize("seed", range(6))
def test_fastplay_plays_legal_cards_in_any_order_of_asking(bot: FastPlayBot, seed: int) -> None:
    _, views = random_play(seed)
    chosen = [bot.play(view) for view in views]
    assert all(card in view.legal_cards() for card, view in zip(chosen, views, strict=True))
    # Again, in another order.
    assert [bot.play(view) for view in reversed(views)] == chosen[::-1]


@pytest.mark.slow
def test_on_many_boards_at_once_fastplay_plays_the_same_cards() -> None:
    bot = FastPlayBot(bidding="simple")
    views = [view for seed in range(5) for view in random_play(seed)[1]]
    shuffled = np.random.default_rng(1).permutation(len(views))
    one_by_one = [bot.play(view) for view in views]
    assert bot.play_many(views) == one_by_one
    for size in (1, 7, 100):
        for start in range(0, len(views), size):
            rows = shuffled[start : start + size]
            found = FastPlayBot(bidding="simple").play_many([views[row] for row in rows])
            assert found == [one_by_one[row] for row in rows]
    assert bot.play_many([]) == []
    assert FastPlayBot(worlds=2).play_many(views) is None, "it draws worlds with its generator"


def test_the_errors_of_fastplay_are_those_of_its_seed() -> None:
    bot = FastPlayBot(bidding="simple", errors=0.5)
    views = [view for seed in range(4) for view in random_play(seed)[1]]
    chosen = [bot.play(view) for view in views]
    assert bot.play_many(views) == chosen
    assert FastPlayBot(bidding="simple", errors=0.5).play_many(views) == chosen
    assert FastPlayBot(bidding="simple").play_many(views) != chosen
    for view in views:
        view.seed += 1
    others = bot.play_many(views)
    assert others != chosen
    assert others is not None
    assert all(card in view.legal_cards() for card, view in zip(others, views, strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("errors=-1", "errors of -1.0 tricks cannot be made"),
        ("errors=inf", "errors of inf tricks cannot be made"),
        ("errors=0.1,worlds=2", "errors are made without worlds only"),
    ],
)
def test_errors_that_cannot_be_made(options: str, message: str) -> None:
    with pytest.raises(UnknownBotError, match=message):
        parse(f"fastplay:{options}")


def test_hidden_cards_do_not_change_fastplays_card(bot: FastPlayBot) -> None:
    deal = Deal.parse("N:AK32.AK32.432.32 QJT9.QJT9.QJT.QJ 8765.8765.A98.AT 4.4.K765.K987654")
    for cards in ("", "S4", "S4 SA", "S4 SA S9 S5 SK ST S6 C4"):
        view = at_play(deal, "3NT", Seat.SOUTH, cards)
        other = at_play(turned(deal, view, 3), "3NT", Seat.SOUTH, cards)
        assert bot.play(view) == bot.play(other)


def test_fastplay_with_worlds_is_reproducible(tmp_path: Path, bot: FastPlayBot) -> None:
    assert bot.name == "fastplay"
    searching = FastPlayBot(worlds=3, weights=str(tmp_path / "weights.npz"))
    _, views = random_play(4)
    chosen: list[list[Card]] = []
    for _ in range(2):
        searching.rng = Random(5)
        chosen.append([searching.play(view) for view in views[::5]])
    assert chosen[0] == chosen[1]
    assert {thought.layouts for thought in searching.thoughts} == {3}
    for card, view in zip(chosen[0], views[::5], strict=True):
        assert card in view.legal_cards()
    with pytest.raises(ValueError, match="there are no -1 worlds"):
        FastPlayBot(worlds=-1)


def test_of_equal_cards_fastplay_plays_the_lowest(bot: FastPlayBot) -> None:
    deal = Deal.parse("N:AK32.AK32.432.32 QJT9.QJT9.QJT.QJ 8765.8765.A98.AT 4.4.K765.K987654")
    # East must follow; all spades between are his or played.
    view = at_play(deal, "3NT", Seat.SOUTH, "S4 SA")
    assert bot.play(view) == Card("S9")


def test_the_net_that_ships_loses_few_tricks() -> None:
    """Compare double dummy on boards that it has not learned from: random cards lose a fifth of a
    trick.
    """
    contract = Contract.parse("3NT", Seat.NORTH)
    bidden = [
        Bidden(contract, list(random_deal(99, number).hands), [ANY] * 4) for number in range(1, 9)
    ]
    rng = np.random.default_rng(1)
    plays = solved(rng, bidden, by_net(rng, bidden, shipped()))
    paid: list[float] = []
    for place in range(52):
        lost = plays.costs(np.full(8, place))
        looked_at = np.flatnonzero((lost >= 0).any(axis=1))
        some = plays.rows(looked_at).positions(np.full(len(looked_at), place))
        cheapest = shipped().cheapest(some, lost[looked_at] >= 0)
        paid += lost[looked_at, cheapest].tolist()
    assert np.mean(paid) < 0.08


def test_a_file_that_holds_no_net_is_named(tmp_path: Path) -> None:
    (tmp_path / "junk.npz").write_text("junk")
    with pytest.raises(ValueError, match=r"junk\.npz: no file of arrays"):
        parse(f"fastplay:weights={tmp_path / 'junk.npz'}")[1]()
