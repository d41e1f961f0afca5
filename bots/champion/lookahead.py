"""A look ahead in the auction: what calls lead to in sampled worlds, many auctions at once.

After each call to be compared, the networks of `bots.neural` complete the auction for all four
hands of each world. The contracts are scored by the estimate of double-dummy tables: by tricks that
are drawn by their odds, as the likeliest tricks would flatter games and slams.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, bid_out, imps
from bridge_arena.bots.library.tables.net import TablesNet, drawn
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call

_DRAWS = 4
"""How often the tricks of a world are drawn."""


def gains(
    nets: Nets,
    tables: TablesNet,
    boards: Boards,
    auction: Auction,
    calls: Sequence[Call],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return the IMPs that calls gain over the first, on average in each world.

    Args:
        nets: The networks that bid for all four hands.
        tables: The estimate of the tricks.
        boards: The worlds, n.
        auction: The auction so far.
        calls: The legal calls to compare, k.
        rng: The generator that draws the tricks.

    Returns:
        The gains of the player whose turn it is, k×n.
    """
    state = Auctions(1)
    for call in auction.calls:
        state.push(np.array([call]))
    number = len(boards)
    after = state.rows(np.zeros(len(calls) * number, np.int64))
    after.push(np.repeat(calls, number))
    rows = np.tile(np.arange(number), len(calls))
    contracts = bid_out(boards.rows(rows), nets, nets, after)
    odds = tables.chances(boards.hands)
    points = np.stack(
        [contracts.points(boards.rows(rows), drawn(odds, rng)[rows]) for _ in range(_DRAWS)]
    ).reshape(_DRAWS, len(calls), number)
    sign = 1 if state.turn % 2 == 0 else -1
    gained: NDArray[np.float64] = sign * imps(points - points[:, :1]).mean(axis=0)
    return gained
