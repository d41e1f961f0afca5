"""Measure bidders while their opponents pass, by the points that the two partners hold.

The pairs are North and South of solved deals, of which no bidder has learned. North deals, and East
and West pass whatever they hold. A contract costs the IMPs below the best one, as in
`bots.library.learning.scores`. How often such silence is real is counted with four players who bid
as `natural` does: East and West then pass throughout, or they do not.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import ENOUGH, figure, p_value, table
from benchmarks.uncontested import contracts_by_system
from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bots.library.learning.hands import points
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat, Side, Vulnerability
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.train.common import deal_files, solved_deals

BIDDERS: tuple[SystemName, ...] = ("natural", "deepq", "neural")

RANGES = ((0, 40), (0, 17), (18, 19), (20, 22), (23, 24), (25, 40))
"""The ranges of the points of two partners: all pairs, and parts of them."""


def are_silent(bidder: System, deal: Deal) -> bool:
    """Return whether East and West only pass if all four players bid alike."""
    auction = Auction(Seat.NORTH)
    while not auction.is_over:
        call = bidder.call(deal[auction.turn], auction, Vulnerability.NONE)
        if call != PASS and auction.turn.side == Side.EW:
            return False
        auction.push(call)
    return True


def rows(
    held: NDArray[np.int64], silent: NDArray[np.bool_], costs: dict[str, NDArray[np.float64]]
) -> list[list[str]]:
    """Return the table's rows: what the bidders' contracts cost, by the points held."""
    made: list[list[str]] = []
    for low, high in RANGES:
        within = (held >= low) & (held <= high)
        if within.sum() < ENOUGH:
            continue
        more = (costs["neural"] - costs["deepq"])[within]
        row = [f"{low} to {high}", f"{100 * within.mean():.0f} %"]
        row.append(f"{100 * silent[within].mean():.0f} %")
        row += [figure(cost[within], 2) for cost in costs.values()]
        made.append([*row, figure(more, 2, "+"), p_value(more)])
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "deals", type=Path, nargs="+", metavar="DEALS", help="files or folders of solved deals"
    )
    options = parser.parse_args()
    try:
        solved = solved_deals([file for path in options.deals for file in deal_files(path)])
    except (UnusableError, OSError) as error:
        parser.error(str(error))
    hands, partners = (solved.hands(seat) for seat in (Seat.NORTH, Seat.SOUTH))
    every = costs_of(solved.tricks[:, None, :, [Seat.NORTH, Seat.SOUTH]])
    costs: dict[str, NDArray[np.float64]] = {}
    for name in BIDDERS:
        contracts = list(contracts_by_system(system(name), hands, partners))
        costs[name] = every[np.arange(len(every)), contracts]
    natural = system("natural")
    silent = np.array([are_silent(natural, solved.deal(row)) for row in range(len(solved))])
    held = points(hands) + points(partners)
    heads = ["points", "pairs", "opponents do pass", *(f"`{name}`" for name in BIDDERS)]
    print(f"{len(solved):,} pairs\n")
    print(table([*heads, "`neural` less `deepq`", "p"], rows(held, silent, costs)))


if __name__ == "__main__":
    main()
