"""Measure the processor time that a bot takes for a card.

    python -m research.card_cost [--deals 10] [BOT...]

Each bot declares the same MiniBridge deals at notrump, and plays dummy's cards too, against simple
defenders (as in `research.papers.hadjur`). The report has the milliseconds for a card, and for a
card where there was a choice. The bidding and a server's work are not counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from benchmarks.figures import figure, table, timed
from benchmarks.running import prepare
from bridge_arena.bots.library.minibridge.game import MiniDeal
from bridge_arena.bots.library.minibridge.games import deals_to_test
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View
from research.papers.hadjur_play import margin_of_bot

BOTS = ("fastplay", "baseline", "minimax", "montecarlo:worlds=20", "montecarlo")


class Timed(Bot):
    """A bot that plays as another one, and measures its time."""

    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self._bot = bot
        self.all: list[float] = []
        self.chosen: list[float] = []

    def board_started(self, view: View) -> None:
        self._bot.rng = self.rng
        self._bot.board_started(view)

    def play(self, view: View) -> Card:
        card, seconds = timed(lambda: self._bot.play(view))
        assert isinstance(card, Card)
        self.all.append(1000 * seconds)
        if len(view.legal_cards()) > 1:
            self.chosen.append(1000 * seconds)
        return card


def cost(bot: Bot, deals: Sequence[MiniDeal]) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each card, and of each card where there was a choice."""
    margin_of_bot(bot, deals[0], "follow", 0, 1)  # what it makes only once is not counted
    watch = Timed(bot)
    for number, deal in enumerate(deals):
        margin_of_bot(watch, deal, "follow", number, 1)
    return watch.all, watch.chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "bots",
        nargs="*",
        default=BOTS,
        metavar="BOT",
        help=f"bots to measure; default: {' '.join(BOTS)}",
    )
    parser.add_argument(
        "--deals", type=int, default=10, help="deals that each bot plays; default: %(default)s"
    )
    options = parser.parse_args()
    if options.deals < 1:
        parser.error("one deal is needed at least")
    deals = deals_to_test(options.deals)
    rows: list[list[str]] = []
    first = None
    try:
        prepare(options.bots)
    except UnknownBotError as error:
        parser.error(str(error))
    for spec in options.bots:
        each, chosen = map(np.array, cost(parse(spec)[1](), deals))
        first = first or each.mean()
        ratio = f"{each.mean() / first:,.2f}"
        rows.append([f"`{spec}`", figure(each, 2), figure(chosen, 2), ratio])
    heads = ["bot", "ms a card", "where there is a choice", "times the first bot's"]
    print(f"deals: {options.deals}, of 26 cards each\n")
    print(table(heads, rows))


if __name__ == "__main__":
    main()
