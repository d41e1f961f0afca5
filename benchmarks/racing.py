"""Measure the race between cards against solving all layouts, and what it costs in play.

    python -m benchmarks.racing [BOT...] [--games 12] [--first 6001]

At each card of recorded games at which there is a choice, a bot chooses twice from the same seed:
once it solves all its layouts, once it stops when the race between the cards is over. The ways take
turns in being first. Where they choose different cards, both cards are solved in other layouts of
the bot. The figure to quote is the ratio of the processor times of whole actions, with its standard
error over the games.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

import numpy as np

from benchmarks.figures import figure, standard_error, table
from benchmarks.running import progress
from benchmarks.strength import GAMES, SET_ASIDE
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.montecarlo.card_choice import Evaluation, are_equal, evaluate, merits_of
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle.solver import limit_threads
from bridge_arena.pbn.read.records import read_records
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import decisions

BOTS = (
    "montecarlo:worlds=20,advice=0",
    "montecarlo:advice=0",
    "montecarlo:worlds=150,advice=0",
    "champion:budget=0,bidding=natural",
)

PARTS = {"1 to 3": range(3), "4 to 6": range(3, 6), "7 to 12": range(6, 12), "all": range(12)}
"""Tricks that are told together, counted from 0."""

JUDGES = 200
"""The layouts in which different cards are compared."""


class Choice(NamedTuple):
    """A choice from all layouts and one by a race."""

    game: int
    trick: int
    seconds: tuple[float, float]  # of the processor: all, race
    same: bool
    lost: tuple[float, float]  # what the race lost on average, in tricks and in IMPs


def choices(name: str, games: Sequence[BoardRecord]) -> Iterator[Choice]:
    """Yield the choices of a bot at the cards of some games."""
    for number, game in enumerate(games):
        for decision in decisions(game):
            if decision.kind is Kind.CALL:
                continue
            view = decision.view
            play = view.playing
            if len(play.tricks) < 12 and not are_equal(play, view.legal_cards()):
                yield _choice(name, view, f"{number} {len(play.cards)}", number)
        progress(f"{name}: {number + 1} of {len(games)} games")


def _choice(name: str, view: View, seed: str, game: int) -> Choice:
    chosen: dict[bool, Card] = {}
    seconds: dict[bool, float] = {}
    for raced in (False, True) if len(view.playing.cards) % 2 else (True, False):
        bot = _bot(name, seed)
        if not raced:
            bot.raced_tricks = 0
        started = time.process_time()
        chosen[raced] = bot.play(view)
        seconds[raced] = time.process_time() - started
    lost = (0.0, 0.0)
    if chosen[True] != chosen[False]:
        lost = _lost(_bot(name, f"{seed} judge"), view, chosen[True], chosen[False])
    same = chosen[True] == chosen[False]
    return Choice(game, len(view.playing.tricks), (seconds[False], seconds[True]), same, lost)


def _bot(name: str, seed: str) -> MonteCarloBot:
    _, make = parse(name)
    bot = make()
    assert isinstance(bot, MonteCarloBot), name
    bot.rng = Random(seed)
    return bot


def _lost(bot: MonteCarloBot, view: View, card: Card, better: Card) -> tuple[float, float]:
    """Return the tricks and IMPs that a card loses on average, beside another."""
    play = view.playing
    evaluation = evaluate(play, bot.batches(view, JUDGES))
    worlds = sum(evaluation.counts)
    both = Evaluation(evaluation.counts, {each: evaluation.tricks[each] for each in (card, better)})
    side = play.turn.side
    tricks, gained = (
        merits_of(both, objective, play.contract, side, view.vulnerability)
        for objective in ("tricks", "imps")
    )
    return (
        (tricks[better][0] - tricks[card][0]) / worlds,
        (gained[better][0] - gained[card][0]) / worlds,
    )


def rows(name: str, made: Sequence[Choice]) -> list[list[str]]:
    """Return the lines of a bot: some tricks each."""
    told: list[list[str]] = []
    for part, tricks in PARTS.items():
        some = [choice for choice in made if choice.trick in tricks]
        numbers = sorted({choice.game for choice in some})
        seconds = np.array(
            [
                np.sum([choice.seconds for choice in some if choice.game == number], axis=0)
                for number in numbers
            ]
        )
        every, raced = seconds.sum(axis=0)
        ratio = every / raced
        error = standard_error(seconds[:, 0] - ratio * seconds[:, 1]) / seconds[:, 1].mean()
        lost = np.array([choice.lost for choice in some])
        told.append(
            [
                f"`{name}`",
                part,
                str(len(some)),
                f"{every / len(some) * 1000:.0f}",
                f"{ratio:.2f} ± {error:.2f}",
                f"{np.mean([choice.same for choice in some]):.1%}",
                figure(lost[:, 0], 4, "+"),
                figure(lost[:, 1], 4, "+"),
            ]
        )
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("bots", nargs="*", default=BOTS, metavar="BOT", help="default: %(default)s")
    parser.add_argument("--games", type=int, default=12, help="default: %(default)s")
    parser.add_argument(
        "--first", type=int, default=SET_ASIDE, help="number of the first; default: %(default)s"
    )
    arguments = parser.parse_args()
    limit_threads(1)
    records = islice(read_records(GAMES), arguments.first - 1, None)
    games = list(islice((game for game in records if game.tricks is not None), arguments.games))
    heads = ["bot", "tricks", "cards", "ms, all layouts", "times as fast", "same card"]
    heads += ["tricks lost a card", "IMPs lost a card"]
    lines = [line for name in arguments.bots for line in rows(name, [*choices(name, games)])]
    print(table(heads, lines))


if __name__ == "__main__":
    main()
