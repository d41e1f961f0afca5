"""Describe the calls of learned networks: tables VI and VIII of Yeh, Hsieh and Lin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.figures import table
from bridge_arena.bots.library.learning.hands import Hands, lengths, points, random_pairs
from bridge_arena.bots.library.learning.hands import spades_first as turned
from bridge_arena.bots.library.learning.scores import CONTRACTS
from research.papers.yeh_features import LENGTH, POINTS
from research.papers.yeh_nets import QNets, bits_of
from research.papers.yeh_openings import NATURAL, PRECISION, SAYC
from research.papers.yeh_training import Deals

HANDS = 200_000
"""Random hands that show what a first bid means."""

SELDOM = 0.001
"""A first bid made with fewer of the hands is left out."""

EXAMPLES = 5

_SUITS = "♠♥♦♣"


OPENINGS: dict[str, dict[str, str]] = {
    "": {
        "P": "0-10 HCP",
        "1♣": "11+ HCP",
        "1♦": "10+ HCP, 5+♥",
        "1♥": "12+ HCP, 5+♠",
        "1♠": "16+ HCP, balanced",
        "1N": "12+ HCP, 6+♦",
        "2♥": "18+ HCP, 5-6♠",
        "2N": "15-17 HCP, 6+♠",
    },
    PRECISION: {
        "P": "0-10 HCP",
        "1♣": "11+ HCP",
        "1♦": "7-16 HCP, 4+♦",
        "1♥": "7-16 HCP, 5+♥",
        "1♠": "7-16 HCP, 5+♠",
        "1N": "14-18 HCP, balanced",
        "2♣": "10-15 HCP, 6+♣",
        "2♦": "14-22 HCP, long ♠",
        "2♠": "20+ HCP, balanced",
        "2N": "16-20 HCP, long ♥",
    },
    SAYC: {
        "P": "0-12 HCP",
        "1♣": "10+ HCP, 3+♣",
        "1♦": "9+ HCP, 4+♦",
        "1♥": "8+ HCP, 5+♥",
        "1♠": "8+ HCP, 5+♠",
        "1N": "15-22 HCP, balanced",
        "2♣": "13+ HCP, long ♠",
        "2♠": "13+ HCP, 6+♥",
        "2N": "19+ HCP, short ♠, 3-4♥",
    },
    NATURAL: {
        "P": "0-12 HCP",
        "1♣": "10+ HCP, 2+♣",
        "1♦": "8+ HCP, 4+♦",
        "1♥": "7+ HCP, 5+♥",
        "1♠": "7+ HCP, 5+♠",
        "1N": "15-21 HCP, balanced",
        "2♣": "16+ HCP, long ♠",
        "2♦": "7-13 HCP, 6+♦",
        "2♥": "7-13 HCP, 6+♥",
        "2N": "16+ HCP, long ♠",
    },
}
"""Table VI as far as 2N, by the system whose openings the networks are coupled with; bids that are
not there are not used."""

EXAMPLES_OFF = 0.70, 0.83
"""How far the estimates of table VIII are off, root mean squares of lengths (the mean of the four)
and of points."""


def bid_name(bid: int) -> str:
    return "P" if bid == 0 else f"{(bid + 4) // 5}{'♣♦♥♠N'[(bid - 1) % 5]}"


def opening_table(nets: Mapping[str, QNets], seed: int) -> str:
    """Return the table of first bids, as markdown.

    It has what the paper says of each bid, how often it is made, and the hands that make it: their
    points from the 5th to the 95th percentile, and their lengths in the same way where they are
    informative. `nets` is by the system whose openings they are coupled with.
    """
    hands, _ = random_pairs(np.random.default_rng(seed), HANDS)
    heads = ["bid"]
    columns: list[dict[str, str]] = []
    for system, each in nets.items():
        heads += [f"{system or 'no system'}: paper", "ours"]
        columns += [OPENINGS[system], _meanings(each, hands)]
    bids = [name for name in map(bid_name, range(CONTRACTS)) if any(name in c for c in columns)]
    return table(heads, [[bid, *(column.get(bid, "-") for column in columns)] for bid in bids])


def _meanings(nets: QNets, hands: Hands) -> dict[str, str]:
    """Return the descriptions of the hands by first bid."""
    with torch.no_grad():
        seen = torch.from_numpy(turned(hands)).float()
        bids = nets.found(0, seen, torch.zeros(len(hands), CONTRACTS))[:, :CONTRACTS]
    chosen = bids.argmin(dim=1).numpy()
    strength, held = points(hands), lengths(hands)[:, ::-1]
    found: dict[str, str] = {}
    for bid in range(CONTRACTS):
        mine = chosen == bid
        if mine.mean() < SELDOM:
            continue
        words = [f"{mine.mean():.1%}", f"{_range(strength[mine])} HCP"]
        for suit in range(4):
            low, high = np.percentile(held[mine, suit], (5, 95))
            if low >= 2 or high <= 4:
                words.append(f"{_range(held[mine, suit])}{_SUITS[suit]}")
        found[bid_name(bid)] = ", ".join(words)
    return found


def _range(values: NDArray[np.int64]) -> str:
    low, high = np.percentile(values, (5, 95))
    return f"{low:.0f}-{high:.0f}" if low < high else f"{low:.0f}"


def partner_examples(nets: QNets, deals: Deals, seed: int) -> str:
    """Return the table of random auctions of four bids or more, as markdown.

    It has the first bidder's lengths and points, and the other network's estimates of them after
    the third bid. `nets` have the features `median`.
    """
    made, actual, told = _told(nets, deals)
    rows = np.flatnonzero(made[:, 3] >= 0)
    picked = np.random.default_rng(seed).choice(rows, min(EXAMPLES, len(rows)), replace=False)
    names = [f"{name}s" for name in ("spade", "heart", "diamond", "club")] + ["HCP"]
    lines = [
        "| | " + " | ".join("actual | estimate" for _ in picked) + " |",
        "| --- " * (1 + 2 * len(picked)) + "|",
    ]
    for which, name in enumerate(names):
        cells = " | ".join(
            f"{actual[row, which]:.0f} | {told[row, which]:.2f}" for row in picked.tolist()
        )
        lines.append(f"| {name} | {cells} |")
    lines.append(_spread("bids", [_auction(made[row]) for row in picked]))
    costs = deals.costs.numpy()
    lines.append(_spread("best contract", [_best(costs[row]) for row in picked]))
    lines.append(
        _spread("cost (IMPs)", [f"{costs[row, made[row].max()]:.1f}" for row in picked.tolist()])
    )
    return "\n".join(lines)


def partner_errors(nets: QNets, deals: Deals) -> str:
    """Return the root mean square errors of the estimates, and of the mean of the hands.

    They are over all auctions of four bids or more.
    """
    made, actual, told = _told(nets, deals)
    rows = made[:, 3] >= 0
    off = np.sqrt(np.square(told - actual)[rows].mean(axis=0))
    spread = actual[rows].std(axis=0)
    return (
        f"{rows.sum():,} auctions: lengths are off by {off[:4].mean():.2f} cards (they spread by "
        f"{spread[:4].mean():.2f}), points by {off[4]:.2f} (they spread by {spread[4]:.2f}). "
        f"Those of the paper's five: {EXAMPLES_OFF[0]:.2f} cards, {EXAMPLES_OFF[1]:.2f} points."
    )


def _told(
    nets: QNets, deals: Deals
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float32]]:
    """Return all auctions, the first bidder's lengths and points, and the estimates of them.

    They are n×calls, n×5 and n×5; the estimates are the other's network's after the third bid.
    """
    made = nets.bid(deals.hands)
    with torch.no_grad():
        found = nets.found(3, deals.hands[:, 1], bits_of(made[:, :3]))[:, CONTRACTS:]
    hands = turned(deals.hands[:, 0].numpy().astype(np.bool_))
    actual = np.column_stack([lengths(hands)[:, ::-1], points(hands)]).astype(np.float64)
    return made.numpy(), actual, found.numpy() * np.array([LENGTH] * 4 + [POINTS], np.float32)


def _auction(made: NDArray[np.int64]) -> str:
    return "-".join(bid_name(int(bid)) for bid in made if bid >= 0)


def _best(costs: NDArray[np.float32]) -> str:
    return " or ".join(bid_name(int(each)) for each in np.flatnonzero(costs <= costs.min() + 1e-6))


def _spread(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | " + " | ".join(f"{cell} | " for cell in cells) + "|"
