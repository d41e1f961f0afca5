"""Measure how much `champion` learns about hidden hands from what the other players did.

    python -m research.likely_layouts [GAMES.pbn] [--first 4001] [--boards 200] [--layouts 40]

At some cards of recorded games, the player draws layouts that fit the promises of the auction. The
true layout is put among them, and each is weighed by how well it fits the calls and the cards of
the others (`bots.champion.fit`). The figure is the logarithm, in nats, of the true layout's weight
over the mean weight of those drawn: above 0, the true hands have become likelier. The system that
read the auction is `natural`, so all callers count as strangers.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.figures import figure, table
from bridge_arena.bots.champion.fit import boards_of, calls_fit, cards_fit, strangers
from bridge_arena.bots.fastplay.net import promised_to
from bridge_arena.bots.fastplay.net import shipped as play_net
from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.read.records import read_records
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision, decisions

GAMES = Path(os.environ.get("ARENA_DATA") or "../shared/data") / "wbridge5/games-1-8000.pbn"

CARDS_OF_A_BOARD = 3
"""The cards of a board that are looked at."""

LAST = 44
"""The cards after which little is hidden."""


def told(decision: Decision, reader: System, layouts: int, rng: Random) -> list[float]:
    """Return what the calls, the cards, and both tell of the true layout, in nats."""
    view = decision.view
    believed = beliefs(view, reader)
    deal = decision.record.board.deal
    north, east, south, west = (
        hand - played for hand, played in zip(deal.hands, view.played, strict=True)
    )
    worlds = [(north, east, south, west), *Sampler(view, believed).draw(layouts, rng)]
    boards = boards_of(worlds, view)
    by_calls = calls_fit(boards, view, strangers(), strangers())
    by_cards = cards_fit(play_net(), boards, view, promised_to(view, believed))
    return [
        float(np.log(weights[0] / weights[1:].mean()))
        for weights in (by_calls, by_cards, by_calls * by_cards)
    ]


def measured(
    records: Sequence[BoardRecord], layouts: int, rng: Random
) -> dict[str, list[list[float]]]:
    """Return what was told at the cards looked at, by who was to play."""
    reader = system("natural")
    found: dict[str, list[list[float]]] = {}
    for record in records:
        cards = [each for each in decisions(record) if each.kind is not Kind.CALL][:LAST]
        for decision in rng.sample(cards, min(CARDS_OF_A_BOARD, len(cards))):
            found.setdefault(decision.kind, []).append(told(decision, reader, layouts, rng))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="?", type=Path, default=GAMES, metavar="GAMES.pbn")
    parser.add_argument("--first", type=int, default=4001, help="default: %(default)s")
    parser.add_argument("--boards", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--layouts", type=int, default=40, help="default: %(default)s")
    options = parser.parse_args()
    start = options.first - 1
    records = list(islice(read_records(options.games), start, start + options.boards))
    found = measured(records, options.layouts, Random(1))
    found["all"] = [each for kind in found.values() for each in kind]
    rows = [
        [kind, f"{len(each):,}", *(figure(column, 2, "+") for column in np.array(each).T)]
        for kind, each in found.items()
        if len(each) > 1
    ]
    print(table(["who plays", "cards", "by the calls", "by the cards", "by both"], rows))


if __name__ == "__main__":
    main()
