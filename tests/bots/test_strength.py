"""How strong the shipped bots are said to be, and that it is what was measured."""

from __future__ import annotations

import pytest

from benchmarks.kept_boards import bot_digest
from benchmarks.strength import BOTS
from benchmarks.strength_players import BOARDS, UNMATCHED
from bridge_arena.bots.registry import SHIPPED, Shipped
from bridge_arena.bots.strength import (
    BIDDING_OPPONENT,
    PLAY_OPPONENT,
    REFERENCE,
    Contracts,
    Figure,
    Lost,
    Strength,
    against,
    shipped,
)

MEASURED = [SHIPPED[name] for name in dict.fromkeys(bot.partition(":")[0] for bot in BOTS)]


def figure(mean: float, error: float = 0.1) -> Figure:
    return Figure(boards=100, mean=mean, error=error)


ONE = figure(1)

FIGURES = Strength(
    par={
        REFERENCE: Contracts(missed=ONE, more=None, doubled=0, slams=1, possible=2, down=0),
        "natural": Contracts(missed=ONE, more=figure(0.24), doubled=0, slams=1, possible=2, down=0),
    },
    bidding={"baseline": {"natural": figure(-0.5)}, "natural": {"ahead:budget=0": figure(-2)}},
    lost={
        "slow:worlds=20": Lost(
            lead=ONE, declarer=ONE, defence=ONE, together=ONE, more=figure(0.16, 0.13)
        ),
    },
    play={"baseline": {"slow:worlds=20": figure(-3.21, 0.45), "slower:depth=2": figure(-4)}},
)


def test_a_bidder_is_told_beside_the_reference_and_another() -> None:
    assert FIGURES.sentence("natural") == (
        "bids 0.24 ± 0.10 IMPs a deal farther from par than WBridge5; "
        "+0.50 ± 0.10 IMPs a board against baseline's bidding"
    )


def test_a_player_is_told_with_the_options_it_was_measured_with() -> None:
    assert FIGURES.sentence("slow") == (
        "with worlds=20: loses 0.16 ± 0.13 tricks a board more than WBridge5 in the play; "
        "+3.21 ± 0.45 IMPs a board against baseline's play"
    )


def test_a_bot_may_be_better_than_the_reference() -> None:
    better = FIGURES.model_copy(
        update={
            "par": {"natural": FIGURES.par["natural"].model_copy(update={"more": figure(-0.2)})},
            "lost": {
                "natural": FIGURES.lost["slow:worlds=20"].model_copy(update={"more": figure(-0.3)})
            },
            "bidding": {},
        }
    )
    assert better.sentence("natural") == (
        "bids 0.20 ± 0.10 IMPs a deal nearer to par than WBridge5; "
        "loses 0.30 ± 0.10 tricks a board fewer than WBridge5 in the play"
    )


def test_a_player_may_have_met_another_alone() -> None:
    assert FIGURES.sentence("slower") == (
        "with depth=2: +4.00 ± 0.10 IMPs a board against baseline's play"
    )


def test_a_bidder_is_told_with_the_options_it_was_measured_with() -> None:
    assert FIGURES.sentence("ahead") == (
        "with budget=0: +2.00 ± 0.10 IMPs a board against natural's bidding"
    )


def test_nothing_is_told_of_bots_that_were_not_measured() -> None:
    assert not FIGURES.sentence("random")


def test_a_match_is_told_from_either_side() -> None:
    assert against(FIGURES.bidding, "natural", "baseline") == figure(0.5)
    assert against(FIGURES.bidding, "baseline", "natural") == figure(-0.5)
    assert against(FIGURES.bidding, "natural", "slow") is None


@pytest.mark.parametrize("bot", MEASURED, ids=lambda bot: bot.name)
def test_every_bot_is_told_by_figures_of_the_file(bot: Shipped) -> None:
    """A bidder by two figures, and a player by one or two."""
    figures = shipped()
    told = bot.strength
    assert told == figures.sentence(bot.name)
    if bot.name in figures.par:
        assert f"{abs(figures.par[bot.name].more).text()} IMPs a deal" in told  # type: ignore[arg-type]
    players = [name for name in BOARDS if name.partition(":")[0] == bot.name]
    for name in players:
        if name in figures.lost:
            assert f"{abs(figures.lost[name].more).text()} tricks a board" in told  # type: ignore[arg-type]
        if name not in (PLAY_OPPONENT, *UNMATCHED):
            won = against(figures.play, name, PLAY_OPPONENT)
            assert won is not None
            assert f"{won.text('+')} IMPs a board against" in told
    if bot.name in figures.par and bot.name not in BIDDING_OPPONENT:
        won = against(figures.bidding, bot.name, BIDDING_OPPONENT[0])
        assert won is not None
        assert f"{won.text('+')} IMPs a board against" in told
    assert bot.name in figures.par or players


@pytest.mark.parametrize("name", BOTS)
def test_the_bots_that_ship_are_those_that_were_measured(name: str) -> None:
    """If it fails: python -m benchmarks.strength --only NAME."""
    assert shipped().digests[name] == bot_digest(name)
